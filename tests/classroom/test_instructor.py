"""A word that makes no sense is answered in words; what the class gave comes as files."""

import json

import pytest

from attn_lab.classroom.server.instructor import TOO_LARGE_CHAT, WORDS
from attn_lab.course.codes import encode


def _secret(n):
    return f"{n:032x}"


def test_the_chat_is_read_and_the_hands_are_counted(served, ripple):
    headers = served.enter()
    served.lead("POST", "/control", {"do": "move", "to": "first", "exercise": "04/ripple"}, headers)
    code = encode(ripple, "all", "guess", 1, noise="a")
    paste = {"do": "paste", "text": f"Ann: {code}"}
    assert served.lead("POST", "/control", paste, headers)[1] == {
        "read": 1,
        "new": 1,
        "unreadable": 0,
        "left_out": 0,
    }
    hands = {"do": "hands", "exercise": "04/ripple", "round": 1, "counts": {"all": 4}}
    assert served.lead("POST", "/control", hands, headers)[0] == 200
    connection, states = served.stream("desk", headers)
    state = next(states)
    assert state["sources"][0] == {"sent": 0, "codes": 1, "hands": 4}
    assert state["spread"]["bars"][1]["counts"] == [5, 0]
    connection.close()


def test_ordinary_words_of_a_chat_are_not_called_unreadable(served):
    paste = {"do": "paste", "text": "chapter teacher Kathryn package AAAA-AAA"}
    reply = served.lead("POST", "/control", paste, served.enter())[1]
    assert reply == {"read": 0, "new": 0, "unreadable": 1, "left_out": 0}


def test_a_chat_that_is_too_long_is_answered_in_words(served):
    headers = served.enter()
    paste = {"do": "paste", "text": "word " * 300_000}
    status, reply, _ = served.lead("POST", "/control", paste, headers)
    assert (status, reply["error"]) == (413, TOO_LARGE_CHAT.said)
    assert served.lead("POST", "/control", paste | {"text": "word"}, headers)[0] == 200


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ({"do": "dance"}, WORDS),
        ({"do": "move", "to": "first", "exercise": "99/x"}, "has no '99/x'"),
        ({"do": "move", "to": "first", "exercise": {"a": 1}}, "expected"),
        ({"do": "hands", "exercise": "04/ripple", "round": 1, "counts": {"x": 1}}, "counts"),
        ({"do": "hands", "exercise": ["x"], "round": 1, "counts": {}}, "expected"),
        ({"do": "mark", "exercise": "04/ripple", "key": 3}, "exercise and key"),
        ({"do": "mark", "exercise": "04/ripple", "key": False}, "exercise and key"),
        ({"do": "hide", "exercise": "99/x", "key": "all", "hidden": True}, "exercise and key"),
        ({"do": "tell", "computed": True}, "Press 4"),
        ([1], "expected one JSON object"),
    ],
)
def test_a_word_that_makes_no_sense_is_answered_in_words(served, word, said):
    status, reply, _ = served.lead("POST", "/control", word, served.enter())
    assert status == 400
    assert said in reply["error"]


def test_every_answer_comes_as_a_table_that_no_spreadsheet_calculates(served, answer):
    served.learn(answer(1, because='=HYPERLINK("http://x")'))
    served.learn(answer(2, because="<script>alert(1)</script>"), secret=_secret(9))
    status, said, headers = served.lead("GET", "/answers.csv", headers=served.enter())
    assert status == 200
    assert headers["Content-Disposition"] == 'attachment; filename="answers.csv"'
    head, one, two = said.strip().splitlines()
    assert head.startswith("learner,exercise,round,seen_before,answer")
    assert one.startswith("1,04/ripple,1,no,")
    assert "\"'=HYPERLINK(" in one
    assert "<script>" in two


def test_a_markup_in_a_because_reaches_no_page(served, answer):
    headers = served.enter()
    served.learn(answer(1, because="<img src=x onerror=alert(1)>"))
    served.lead("POST", "/control", {"do": "move", "to": "shown", "exercise": "04/ripple"}, headers)
    for page in ("desk", "stage"):
        connection, states = served.stream(page, headers)
        assert "onerror" not in json.dumps(next(states))
        connection.close()


def test_the_picture_of_what_moved_is_drawn_by_another_process(served, answer):
    headers = served.enter()
    for n in range(4):
        served.learn(answer(n), secret=_secret(n))
    move = {"do": "move", "to": "second", "exercise": "04/ripple"}
    served.lead("POST", "/control", move, headers)
    for n in range(4):
        served.learn(answer(100 + n, answer="row-4", round=2), secret=_secret(n))
    status, ideas, _ = served.lead("GET", "/moves", headers=headers)
    [idea] = ideas["ideas"]
    assert status == 200
    assert (idea["held"], idea["survived"], idea["moved"]) == (4, 0, 4)
    status, drawn, reply_headers = served.lead("GET", "/moves.svg", headers=headers)
    assert (status, reply_headers["Content-Type"]) == (200, "image/svg+xml")
    assert "<svg" in drawn


def test_the_bare_address_leads_to_the_desk(served):
    status, _, headers = served.lead("GET", "/")
    assert (status, headers["Location"]) == (302, "/desk")


def test_the_pages_may_load_nothing_from_elsewhere_and_stand_in_no_frame(served):
    for path in ("/desk", "/stage", "/enter", "/room.js", "/desk.css?v=1"):
        status, _, headers = served.lead("GET", path)
        assert status == 200, path
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "Server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        *("/../wire.py", "/..%2fwire.py", "/%2e%2e/wire.py", "/desk.html/../wire.py", "/wire.py"),
        *("//etc/passwd", "/room.js%00.html", "/x", "/x.js", "/html", "/.html"),
    ],
)
def test_no_other_file_is_served(served, path):
    assert served.lead("GET", path)[0] == 404
