"""A learner's program writes its own answers and reads nothing; each refusal says why."""

import json
from dataclasses import replace

import pytest
from msgspec import to_builtins
from sqlalchemy import text

from attn_lab.classroom import wire
from attn_lab.classroom.client.outbox import stands
from attn_lab.classroom.client.sending import CAME_LATE, Outcome, answer_of, send
from attn_lab.classroom.server.admission import AT_ONCE, PER_SECOND, TOLD_FOR, Newcomers
from attn_lab.classroom.server.database_troubles import FULL
from attn_lab.record import Attempt, Membership

from ..helpers.class_server import SECRET

OTHER = SECRET[::-1]


def _refused(reason, said=""):
    """Status and body of a refusal: its reason beside its sentence."""
    return reason.status, to_builtins(reason.reply(said))


def _rows(served):
    return served.server.room.database.rows()


def test_an_answer_is_saved_under_its_id_and_only_then_named(served, answer):
    assert served.learn(answer(1))[:2] == (200, {"saved": "answer-000001"})
    [row] = _rows(served)
    assert (row["id"], row["answer"], row["because"]) == ("answer-000001", "all", None)


def test_an_answer_sent_again_is_saved_and_there_once(served, answer):
    assert [served.learn(answer(1))[0] for _ in range(3)] == [200] * 3
    assert len(_rows(served)) == 1


def test_the_secret_is_not_in_the_database(served, answer, tmp_path):
    served.learn(answer(1))
    assert SECRET.encode() not in (tmp_path / "class.sqlite").read_bytes()


def test_the_code_may_be_typed_in_any_way(served, answer):
    assert served.learn(answer(1), code=served.code.lower().replace("-", " "))[0] == 200


@pytest.mark.parametrize("code", ["", "AAAA-AAAA", "x" * 5000])
def test_without_the_code_nothing_is_taken(served, answer, code):
    status, said, _ = served.learn(answer(1), code=code)
    assert (status, said) == _refused(wire.WRONG_CODE)
    assert _rows(served) == []


@pytest.mark.parametrize("secret", ["", "ann", SECRET[:-1]])
def test_without_a_secret_nothing_is_taken(served, answer, secret):
    assert served.learn(answer(1), secret=secret)[:2] == _refused(wire.NO_SECRET)


def test_a_learner_cannot_write_under_anothers_pseudonym(served, answer):
    served.learn(answer(1))
    learner = _rows(served)[0]["learner"]
    status, said, _ = served.learn(answer(2, learner=learner), secret=OTHER)
    assert (status, said) == _refused(wire.MALFORMED, "unknown field 'learner'")
    assert len(_rows(served)) == 1


def test_a_replay_under_another_secret_is_a_conflict(served, answer):
    served.learn(answer(1))
    status, said, _ = served.learn(answer(1), secret=OTHER)
    assert (status, said) == _refused(wire.CONFLICT)


def test_an_answer_that_has_been_sent_cannot_be_changed(served, answer):
    served.learn(answer(1))
    assert served.learn(answer(1, answer="row-4"))[0] == 409
    assert _rows(served)[0]["answer"] == "all"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{not json",
        b'{"id": NaN}',
        b"[" * 9000,
        b"\xff",
        json.dumps({"x": "\0"}).encode(),
        b'{"x": "\\ud800"}',
    ],
)
def test_malformed_bodies_are_refused_and_the_room_goes_on(served, answer, raw):
    status, said, _ = served.learn(raw)
    assert status == 400
    assert said["error"]
    assert served.learn(answer(1))[0] == 200


def test_a_body_over_the_limit_is_refused_as_too_large(served, answer):
    status, said, _ = served.learn(answer(1, because="x" * 20_000))
    assert (status, said) == _refused(wire.TOO_LARGE)
    assert served.learn(b" " * 200_000)[0] == 413
    assert served.learn(answer(1))[0] == 200


def test_a_body_far_over_the_limit_is_not_even_read(served, answer):
    try:
        status = served.learn(b" " * 3_000_000)[0]
    except OSError:  # the connection was closed in its face
        status = 400
    assert status == 400
    assert served.learn(answer(1))[0] == 200


def test_a_page_in_a_browser_cannot_send_answers(served, answer):
    page = served.learn(answer(1), Origin="http://127.0.0.1:8888")
    assert page[:2] == _refused(wire.FROM_A_PAGE)
    assert _rows(served) == []


def test_wrong_codes_are_slowed_down_and_the_right_one_is_not(served, answer):
    said = [served.learn(answer(1), code="AAAA-AAAA")[0] for _ in range(60)]
    assert said.count(401) <= 40
    assert said[-1] == 429
    assert served.learn(answer(1), code="AAAA-AAAA")[:2] == _refused(wire.WRONG_CODES)
    assert served.learn(answer(1))[0] == 200


def test_a_flood_from_one_learner_is_slowed_down_and_the_room_is_not(served, answer):
    said = [served.learn(answer(n)) for n in range(90)]
    statuses = [status for status, *_ in said]
    assert 60 <= statuses.count(200) <= 75
    assert statuses.count(429) == 90 - statuses.count(200)
    assert (said[-1][:2], said[-1][2]["Retry-After"]) == (_refused(wire.TOO_OFTEN), "1")
    assert served.learn(answer(1000), secret=OTHER)[0] == 200


def test_joining_needs_the_code_and_is_counted_once(served):
    assert served.learn({}, path="/join", code="AAAA-AAAA")[0] == 401
    assert served.learn({}, path="/join")[:2] == (200, {"joined": True})
    served.learn({}, path="/join")
    assert served.server.room.database.joined() == 1


def test_nothing_can_be_read_at_the_learners_address(served, answer):
    served.learn(answer(1))
    port = served.server.learner_port
    status, said, _ = served.ask(port, "GET", "/")
    assert (status, "Nothing can be read here" in said) == (200, True)
    assert 'join("…")' in said  # whoever typed the address into a browser
    cookie = {"Cookie": served.enter()["Cookie"]}
    for path in ("/desk", "/stage", "/desk/events", "/answers.csv", "/moves", "/control", "/enter"):
        assert served.ask(port, "GET", path, headers=cookie)[0] == 404, path
    assert served.ask(port, "GET", "/answers")[0] == 405


def test_a_full_database_is_said_and_what_was_acknowledged_is_there(served, answer):
    def room_for(pages):
        with served.server.room.database.engine.connect() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    served.do(served.server.work(room_for, 14))
    said = [served.learn(answer(n, because="x" * 450)) for n in range(50)]
    saved = [reply["saved"] for status, reply, _ in said if status == 200]
    full = [headers for status, _, headers in said if status == 503]
    assert saved and full
    assert {headers["Retry-After"] for headers in full} == {"5"}
    assert [row["id"] for row in _rows(served)] == saved
    assert served.server.room.database.trouble == f"Answers cannot be written: {FULL}."
    served.do(served.server.work(room_for, 100_000))
    assert served.learn(answer(99, because="x" * 450))[0] == 200
    assert served.server.room.database.trouble == ""


def test_a_full_class_keeps_newcomers_waiting_and_keeps_those_it_has(served, answer, monkeypatch):
    monkeypatch.setattr("attn_lab.classroom.server.class_database.SEATS", 1)
    monkeypatch.setattr("attn_lab.classroom.server.room.SEATS", 1)
    assert served.learn(answer(1))[0] == 200
    for path, body in (("/answers", answer(2)), ("/join", {})):
        status, said, headers = served.learn(body, secret=OTHER, path=path)
        assert (status, said) == _refused(wire.FULL)
        assert headers["Retry-After"] == "30"
    assert served.learn(answer(3))[0] == 200
    assert served.do(served.server.work(served.server.room.troubles)).startswith(
        "The class is full"
    )


def test_one_program_that_makes_up_learners_leaves_seats_and_is_told_to_the_desk(
    served, answer, monkeypatch
):
    now = [0.0]
    room = served.server.room
    room.newcomers = Newcomers(clock=lambda: now[0])
    said = [served.learn({}, f"{n:032x}", "/join")[0] for n in range(AT_ONCE + 5)]
    assert said == [200] * AT_ONCE + [503] * 5
    assert served.learn(answer(1), secret=f"{1:032x}")[0] == 200  # who has a seat goes on
    status, reply, headers = served.learn(answer(2), secret=OTHER)
    assert ((status, reply), headers["Retry-After"]) == (_refused(wire.CROWDED), "10")
    assert "one program makes them up" in served.do(served.server.work(room.troubles))
    now[0] = 1 / PER_SECOND
    assert served.learn(answer(2), secret=OTHER)[0] == 200
    now[0] += TOLD_FOR
    assert served.do(served.server.work(room.troubles)) == ""


def test_who_leaves_is_no_longer_here_keeps_the_seat_and_may_come_back(served, answer):
    database = served.server.room.database
    assert served.learn({}, path="/join")[0] == 200
    assert served.learn(answer(1))[0] == 200
    assert served.learn({}, path="/leave")[:2] == (200, {"left": True})
    assert served.learn(answer(2))[0] == 200  # what still waited for the class
    assert [
        served.do(served.server.work(count)) for count in (database.joined, database.seats)
    ] == [
        *(0, 1),
    ]
    served.learn({}, path="/join")
    assert served.do(served.server.work(database.joined)) == 1
    assert served.learn({}, path="/leave", code="AAAA-AAAA")[0] == 401


def test_a_learner_is_told_that_the_vote_was_closed_also_when_the_answer_is_sent_again(served):
    room, attempt = served.server.room, Attempt("04/ripple", "all", "guess")
    to = Membership(f"http://127.0.0.1:{served.server.learner_port}", served.code, secret=SECRET)
    served.do(served.server.work(room.move, "first", "04/ripple"))
    in_time = answer_of(attempt, 1, because=False)
    assert send(to, in_time) == Outcome("sent")
    served.do(served.server.work(room.close))
    late = answer_of(Attempt("04/ripple", "row-4", "guess"), 2, because=False)
    assert [send(to, late) for _ in range(2)] == [Outcome("sent", CAME_LATE)] * 2
    assert send(to, in_time) == Outcome("sent")  # its vote was open when it came
    kept = replace(attempt, sent="sent", refusal=CAME_LATE)
    assert stands(kept) == f"Sent to the class. {CAME_LATE}"
