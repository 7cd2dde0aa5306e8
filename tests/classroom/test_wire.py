"""An answer is taken when it answers a question of the course; all else is refused by field."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.classroom import wire
from attn_lab.classroom.server.class_database import digest
from attn_lab.classroom.wire import (
    DEEPEST,
    Malformed,
    Reply,
    read_answer,
    read_body,
    read_reply,
)

GOOD = {
    "id": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "exercise": "04/ripple",
    "round": 1,
    "seen": False,
    "answer": "all",
    "confidence": "certain",
}


def _raw(**changes):
    return json.dumps(GOOD | changes).encode()


def test_an_answer_of_every_kind_is_read(course):
    for exercise, answer in [
        ("04/ripple", "row-4"),
        ("05/first-row", [1, 0, 0.0, 1e-3]),
        ("04/legal", [[1, 0], [1, 1]]),
        ("07/split", [8, 4, 64]),
    ]:
        assert read_answer(_raw(exercise=exercise, answer=answer), course).answer == answer


def test_the_same_content_has_the_same_digest_in_any_order(course):
    turned = json.dumps(dict(reversed(GOOD.items()))).encode()
    one, other = read_answer(_raw(), course), read_answer(turned, course)
    assert digest(one) == digest(other)
    assert digest(one) != digest(read_answer(_raw(answer="row-4"), course))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"learner": "ann"}, "unknown field 'learner'"),
        ({"name": "ann"}, "unknown field 'name'"),
        ({"id": "x"}, "'id'"),
        ({"id": "a" * 65}, "'id'"),
        ({"id": 7}, "'id'"),
        ({"exercise": "99/none"}, "does not know that exercise"),
        ({"exercise": ["04/ripple"]}, "'exercise'"),
        ({"round": 0}, "'round'"),
        ({"round": True}, "'round'"),
        ({"round": 1.0}, "'round'"),
        ({"seen": 1}, "'seen'"),
        ({"confidence": "sure"}, "'confidence'"),
        ({"confidence": "certain\n"}, "'confidence'"),
        ({"confidence": ["guess"]}, "'confidence'"),
        ({"because": "x" * 501}, "'because'"),
        ({"because": ["x"]}, "'because'"),
        ({"answer": "none of these"}, "does not answer 04/ripple"),
        ({"answer": ["all"]}, "does not answer"),
        ({"exercise": "05/first-row", "answer": [1, 0, 0]}, "does not answer"),
        ({"exercise": "05/first-row", "answer": [1, 0, 0, True]}, "does not answer"),
        ({"exercise": "05/first-row", "answer": [1, 0, 0, "0"]}, "does not answer"),
        ({"exercise": "04/legal", "answer": [[1, 0], [1, 2]]}, "does not answer"),
        ({"exercise": "04/legal", "answer": [1, 0, 1, 1]}, "does not answer"),
        ({"exercise": "07/split", "answer": [8, [4]]}, "does not answer"),
        ({"exercise": "07/split", "answer": [1] * 13}, "does not answer"),
        ({"exercise": "07/split", "answer": 8}, "does not answer"),
        ({"exercise": "07/split", "answer": [8, -4]}, "does not answer"),
    ],
)
def test_what_is_not_an_answer_is_refused_by_its_field(course, changes, said):
    with pytest.raises(Malformed) as refused:
        read_answer(_raw(**changes), course)
    assert said in str(refused.value)


def test_a_missing_field_is_named(course):
    body = {key: value for key, value in GOOD.items() if key != "seen"}
    with pytest.raises(Malformed, match="missing field 'seen'"):
        read_answer(json.dumps(body).encode(), course)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b'{"x": NaN}',
        b'{"x": -Infinity}',
        b'{"x": 1e999}',
        b'{"x": 1' + b"0" * 400 + b"}",
        b'{"x": 1' + b"0" * 5000 + b"}",
        b'{"x": "\\u0000"}',
        b'{"\\u0000": 1}',
        b'{"x": "\\ud800"}',
        b'{"x": 1, "x": 2}',
        b'{"x": ' + b"[" * 8000 + b"]" * 8000 + b"}",
        b'{"x": ' + b"[" * 8000,
    ],
)
def test_what_a_database_or_a_page_could_choke_on_is_refused(raw):
    with pytest.raises(Malformed):
        read_body(raw)


def test_brackets_inside_a_text_are_no_nesting():
    text = "[" * 50 + '\\"{'
    assert read_body(json.dumps({"x": text}).encode()) == {"x": text}
    deep: list = []
    for _ in range(DEEPEST - 2):
        deep = [deep]
    assert read_body(json.dumps({"x": deep}).encode()) == {"x": deep}
    with pytest.raises(Malformed, match="not nested"):
        read_body(json.dumps({"x": [deep]}).encode())


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(raw):
    try:
        read_body(raw)
    except Malformed:
        pass


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    field=st.sampled_from(sorted(GOOD)),
    value=_JSON,
    exercise=st.sampled_from(["04/ripple", "05/first-row", "04/legal", "07/split"]),
)
def test_no_value_of_any_field_raises_anything_else(course_of_four, field, value, exercise):
    try:
        read_answer(
            json.dumps(GOOD | {"exercise": exercise} | {field: value}).encode(), course_of_four
        )
    except Malformed:
        pass


@pytest.fixture(scope="module")
def course_of_four():
    from tests.helpers.class_server import FIRST_ROW, LEGAL, RIPPLE, SPLIT

    return {question.id: question for question in (RIPPLE, FIRST_ROW, LEGAL, SPLIT)}


def test_an_answer_without_a_reason_is_sent_without_that_field(course):
    sent = msgspec.json.encode(read_answer(_raw(), course))
    assert json.loads(sent) == GOOD
    assert read_answer(sent, course) == read_answer(_raw(), course)


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        *((reason, "refused") for reason in (wire.MALFORMED, wire.CONFLICT, wire.SPENT)),
        *((reason, "shut") for reason in (wire.WRONG_CODE, wire.NO_SECRET, wire.FROM_A_PAGE)),
        *((reason, "waiting") for reason in (wire.TOO_OFTEN, wire.FULL, wire.DATABASE_AWAY)),
    ],
)
def test_a_refusal_has_a_name_for_the_program_and_a_sentence_for_the_person(reason, state):
    sent = msgspec.json.encode(reason.reply())
    assert json.loads(sent) == {"state": state, "reason": reason.name, "error": reason.said}
    assert read_reply(reason.status, sent) == reason.reply()


@pytest.mark.parametrize(
    ("status", "raw", "reply"),
    [
        (200, b'{"saved": "answer-1"}', Reply(saved="answer-1")),
        (200, b'{"joined": true}', Reply(joined=True)),
        (401, b'{"error": "no"}', Reply(state="shut", error="no")),
        (413, b'{"error": "no"}', Reply(state="refused", error="no")),
        (503, b'{"error": "full"}', Reply(state="waiting", error="full")),
        (500, b'{"error": "broken"}', Reply(error="broken")),
        (429, b'{"state": "refused", "error": "x", "new": 1}', Reply(state="refused", error="x")),
    ],
)
def test_what_an_older_class_and_a_newer_one_answer_is_understood(status, raw, reply):
    assert read_reply(status, raw) == reply


@pytest.mark.parametrize(
    "raw", [b"", b"<html>", b"[]", b"null", b'{"error": 5}', b"\xff", b"[" * 4096]
)
def test_what_is_no_reply_is_no_classs_word(raw):
    for status in (200, 401, 503):
        assert read_reply(status, raw) == Reply()
