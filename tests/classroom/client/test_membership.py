"""Which class a commit belongs to, and what leaves the laptop under which pseudonym."""

import os
import subprocess
import sys
import time

import pytest

from attn_lab.classroom.client import outbox
from attn_lab.classroom.client.membership import class_of
from attn_lab.classroom.join_string import read_string
from attn_lab.record import Attempt, Membership, open_store
from tests.helpers.processes import until

from .class_stub import CODE, commit, make_room, own_sender, state  # noqa: F401 - fixtures


def test_joining_says_what_leaves_the_laptop(room):
    said = outbox.join(room().text)
    assert said.startswith(
        "Joined. From now on your answers and how sure you are, not your reasons, go to"
    )


def test_answers_from_before_joining_stay(room):
    here = room()
    early = commit("01/zero-score")
    outbox.join(here.text)
    late = commit("05/first-row")
    until(lambda: state(late) == "sent")
    assert state(early) == ""
    assert [body["id"] for body in here.answers()] == [late.id]


def test_rounds_are_counted_since_joining(room):
    here = room()
    commit()
    time.sleep(0.01)
    outbox.join(here.text)
    again = [commit(), commit()]
    until(lambda: {state(one) for one in again} == {"sent"})
    assert [body["round"] for body in here.answers()] == [1, 2]


def test_the_pseudonym_is_steady_in_one_class_and_another_in_the_next(room):
    one, two = room(), room()
    for text in (one.text, one.text, two.text.replace("KX7Q", "AAAA")):
        outbox.join(text)
    secrets = [
        headers["Authorization"]
        for here in (one, two)
        for path, _, headers in here.seen
        if path == "/join"  # the first class also hears, a little later, that it was left
    ]
    assert secrets[0] == secrets[1] != secrets[2]
    assert len(secrets[0]) == len("Bearer ") + 32


def test_a_class_that_refuses_is_not_joined(room):
    here = room()
    here.at_the_door = (401, {"error": "the join code is not the one of this class"}, {})
    assert outbox.join(here.text).startswith("Not joined: the join code is not")
    assert outbox.current() is None


def test_answers_that_wait_for_an_old_class_do_not_go_to_the_new_one(room):
    old, new = room(), room()
    outbox.join(old.text)
    old.shutdown()
    old.server_close()
    lost = commit("01/zero-score")
    time.sleep(0.01)
    outbox.join(new.text.replace("KX7Q", "AAAA"))
    here = commit("05/first-row")
    until(lambda: state(here) == "sent")
    assert state(lost) == "waiting"
    assert [body["id"] for body in new.answers()] == [here.id]


def test_a_class_whose_server_got_another_address_gets_what_waited_for_it(room):
    old = room()
    outbox.join(old.text)
    old.shutdown()
    old.server_close()
    saved = commit()
    new = room()
    outbox.join(new.text)
    until(lambda: state(saved) == "sent")
    secrets = {headers["Authorization"] for _, _, headers in old.seen + new.seen}
    assert len(secrets) == 1


def test_after_leaving_nothing_is_sent(room):
    here = room()
    outbox.join(here.text)
    time.sleep(0.01)
    outbox.leave()
    saved = commit()
    assert saved.sent == ""
    assert outbox.current() is None


def test_the_environment_joins_once_and_a_later_choice_stands(room, monkeypatch):
    given, chosen = room(), room()
    monkeypatch.setenv("ATTN_LAB_CLASS", given.text)
    assert outbox.current().address == given.address
    joined = outbox.current().joined
    outbox.join(chosen.text.replace("KX7Q", "AAAA"))
    assert outbox.current().address == chosen.address
    outbox.leave()
    assert outbox.current() is None
    assert joined


@pytest.mark.parametrize("text", ["http://127.0.0.1:1", "http://127.0.0.1:1#KX7Q"])
def test_a_malformed_environment_is_no_class_and_is_said(monkeypatch, text):
    monkeypatch.setenv("ATTN_LAB_CLASS", text)
    assert outbox.addressed(Attempt("x", 1, "guess")).sent == ""
    assert outbox.about().startswith("Nothing is sent, because ATTN_LAB_CLASS names no class")
    assert text in outbox.about()


def test_a_malformed_environment_is_not_told_to_who_has_joined_a_class(room, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_CLASS", "http://127.0.0.1:1")
    outbox.join(room().text)
    assert "ATTN_LAB_CLASS" not in outbox.about()


@pytest.mark.parametrize(
    "text",
    [
        *("", "KX7Q-2MWD", "http://x", "http://x#", "http://x#AAAA", "x#KX7Q-2MWD", None),
        *("ftp://x#KX7Q-2MWD", "http://#KX7Q-2MWD", "http://x:#KX7Q-2MWD"),
        *("http://x:8765KX#KX7Q-2MWD", "http://x:8765 #KX7Q-2MWD", "http://x:99999#KX7Q-2MWD"),
        *("http://[::1#KX7Q-2MWD", "http://[:1]#KX7Q-2MWD", "http://x/desk#KX7Q-2MWD"),
        *("http://x:0#KX7Q-2MWD", "http://x#КX7Q-2MWD", "http://x#KX7Q-2MWD and more"),
    ],
)
def test_what_is_no_class_string_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="expected the whole string that the instructor shows"):
        read_string(text)


@pytest.mark.parametrize(
    "code",
    [
        "KX7Q–2MWD",
        "kx7q—2mwd",
        "KX7Q\u200b-2MWD",
        "KX7Q-2\nMWD",
        "kx7q2mwd",
        "KX7Q−2MWD",
        "ＫX7Q-2MWD",
    ],
    ids=ascii,
)
def test_what_a_chat_and_a_keyboard_make_of_a_code_is_the_same_code(code):
    assert read_string(f"http://x:8765#{code}\u200b\n") == ("http://x:8765", "KX7Q-2MWD")


def test_a_letter_that_only_looks_like_one_is_named():
    with pytest.raises(ValueError, match="where 'Н' is no letter or digit of a code"):
        read_string("http://x#HН3W-SFKR")  # the second is Cyrillic


def test_a_string_with_an_address_in_brackets_is_one():
    assert read_string("http://[::1]:8765/#KX7Q-2MWD") == ("http://[::1]:8765", "KX7Q-2MWD")


def test_a_code_spelled_in_another_way_gives_no_second_pseudonym(room):
    here = room()
    for text in (here.text, here.text.lower(), here.text.replace("-", "–")):
        outbox.join(text)
    assert len({headers["Authorization"] for _, _, headers in here.seen}) == 1
    assert len(open_store().memberships()) == 1


def test_the_hubs_token_goes_only_where_the_kernel_was_started_with(room):
    here = room()
    show = "from attn_lab.classroom.client import outbox; print(outbox.current())"
    hub = {"JUPYTERHUB_API_TOKEN": "hub-token"}

    def run(code, **environment):
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=os.environ | hub | environment,
            check=True,
        ).stdout

    pasted = f"import os; os.environ['ATTN_LAB_CLASS'] = '{here.address}/'; " + show
    assert run(pasted) == "None\n"
    assert here.address in run(show, ATTN_LAB_CLASS=here.address + "/")
    sent = (
        "from attn_lab.classroom.client import outbox\n"
        "from attn_lab.classroom.client.sending import answer_of, send\n"
        "from attn_lab.record import Attempt\n"
        "a = answer_of(Attempt('05/x', [1], 'guess'), 1, because=False)\n"
        "print(send(outbox.current(), a))"
    )
    assert "sent" in run(sent, ATTN_LAB_CLASS=here.address + "/")
    assert here.seen[-1][2]["Authorization"] == "Bearer hub-token"


AHEAD = "2999-01-01T00:00:00.000+00:00"  # what a clock said before it was set back


def test_an_answer_is_sent_to_the_class_it_was_given_in_though_the_clock_was_set_back(room):
    here = room()
    open_store().add_membership(Membership(here.address, CODE, joined=AHEAD))
    saved = [commit(), commit()]
    until(lambda: {state(one) for one in saved} == {"sent"})
    assert [body["round"] for body in here.answers()] == [1, 2]


def test_what_was_answered_alone_is_neither_sent_nor_a_round_though_the_clock_was_set_back(room):
    here = room()
    early = commit(time=AHEAD)
    outbox.join(here.text)
    late = commit()
    until(lambda: state(late) == "sent")
    assert state(early) == "" and early.to_class == ""
    assert [(body["id"], body["round"]) for body in here.answers()] == [(late.id, 1)]


def test_what_waits_for_one_class_is_not_sent_to_another_though_the_clock_was_set_back(room):
    old, new = room(), room()
    outbox.join(old.text)
    old.shutdown()
    old.server_close()
    lost = commit("01/zero-score", time=AHEAD)
    outbox.join(new.text.replace("KX7Q", "AAAA"))
    here = commit("05/first-row")
    until(lambda: state(here) == "sent")
    assert state(lost) == "waiting" and [body["id"] for body in new.answers()] == [here.id]


def test_an_attempt_belongs_to_the_class_that_was_joined_before_it():
    early, late = (Membership("http://a", "A", joined=t) for t in ("2026-01-01", "2026-01-03"))
    left = Membership("", "", joined="2026-01-05")
    known = [early, late, left]
    at = {
        day: class_of(Attempt("x", 1, "guess", time=f"2026-01-0{day}T"), known) for day in (2, 4, 6)
    }
    assert at == {2: early, 4: late, 6: None}
    assert class_of(Attempt("x", 1, "guess", time="2025"), known) is None


def test_the_class_that_one_leaves_by_joining_another_is_told(room):
    old, new = room(), room()
    outbox.join(old.text)
    outbox.join(new.text.replace("KX7Q", "AAAA"))
    until(lambda: [path for path, *_ in old.seen] == ["/join", "/leave"])
    moved = room()
    outbox.join(moved.text.replace("KX7Q", "AAAA"))  # the same class, at another address
    time.sleep(0.2)
    assert [path for path, *_ in new.seen] == ["/join"]


def test_what_waits_for_a_class_is_sent_to_its_new_address_after_a_while_in_another(room):
    old, other = room(), room()
    outbox.join(old.text)
    old.shutdown()
    old.server_close()
    saved = commit()
    outbox.join(other.text.replace("KX7Q", "AAAA"))
    moved = room()
    outbox.join(moved.text)
    until(lambda: state(saved) == "sent")
    assert [body["id"] for body in moved.answers()] == [saved.id] and other.answers() == []


def test_a_reason_from_before_it_was_chosen_to_send_reasons_stays(room):
    here = room(lambda body: (503, {"error": "full"}, {}))
    outbox.join(here.text)
    early = commit(because="mine")
    outbox.join(here.text, because=True)
    late = commit(because="yours")
    here.reply = lambda body: (200, {"saved": body["id"]}, {})
    until(lambda: state(early) == state(late) == "sent")
    sent = {body["id"]: body for body in here.answers()}
    assert sent[late.id]["because"] == "yours" and sent[late.id]["round"] == 2
    assert not any("because" in body for body in here.answers() if body["id"] == early.id)


def _joined_late(room, *, age=3600, because=False, asked=("05/first-row",)):
    here = room()
    here.at_the_door = (200, {"joined": True, "age": age}, {})
    return here, outbox.join(here.text, because=because, asked=asked)


def test_what_was_committed_here_since_the_class_began_is_sent_at_joining_and_said(room):
    early = [commit(because="mine"), commit(answer=(0, 1)), commit("05/other")]
    here, said = _joined_late(room)
    assert "The 2 answers that you committed here since the class began are sent too (05/" in said
    assert said.endswith("Other answers from before stay here.")
    late = commit()
    until(lambda: {state(one) for one in (*early[:2], late)} == {"sent"})
    sent = [(body["id"], body["round"]) for body in here.answers()]
    assert sent == [(early[0].id, 1), (early[1].id, 2), (late.id, 3)]
    assert state(early[2]) == "" and not any("because" in body for body in here.answers())


def test_the_reason_of_an_answer_from_before_stays_also_where_later_reasons_go(room):
    early = commit(because="mine")
    here, _ = _joined_late(room, because=True)
    late = commit(because="yours")
    until(lambda: state(early) == state(late) == "sent")
    assert [body.get("because") for body in here.answers()] == [None, "yours"]


@pytest.mark.parametrize(
    "stays", [{"age": 0}, {"asked": ()}, {"asked": ("05/other",)}], ids=["older", "none", "others"]
)
def test_what_was_not_committed_here_during_the_class_stays(room, stays):
    early = commit()
    time.sleep(0.01)
    _, said = _joined_late(room, **stays)
    late = commit("01/zero-score")
    until(lambda: state(late) == "sent")
    assert state(early) == "" and said.endswith(". Answers from before stay here.")


def test_practice_and_what_was_answered_again_in_the_class_stay(room):
    practice = commit("05/hotter", seen=True)
    before = commit()
    here, _ = _joined_late(room, age=0)
    late = commit()
    until(lambda: state(late) == "sent")
    here.at_the_door = (200, {"joined": True, "age": 3600}, {})
    assert "sent too" not in outbox.join(here.text, asked=["05/first-row", "05/hotter"])
    assert state(practice) == state(before) == ""


def test_where_the_class_does_not_answer_it_is_said_how_to_send_what_was_committed(room):
    early = commit()
    gone = room()
    gone.shutdown()
    gone.server_close()
    said = outbox.join(gone.text, asked=["05/first-row"])
    assert said.endswith("join again: those given since the class began are sent then.")
    back = room(port=gone.server_port)
    back.at_the_door = (200, {"joined": True, "age": 3600}, {})
    assert "The answer that you committed here" in outbox.join(back.text, asked=["05/first-row"])
    until(lambda: state(early) == "sent")
