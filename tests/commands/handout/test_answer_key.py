"""The key gives what was computed, beside the wrong answers that have a name."""

import pytest

from attn_lab.commands.handout.answer_key import answer_key
from attn_lab.course.questions import question


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("01/zero-score", "about a third"),
        ("01/two-weights", "0.670"),
        ("02/shapes", "[5, 5]"),
        ("04/late-zero", "Yes, with the weight of key 1."),
        ("05/first-row", "key 1 1 key 2 0 key 3 0 key 4 0"),
    ],
)
def test_the_key_gives_the_computed_answer(id, answer, editions, read):
    text = read(answer_key([question(id)], editions)).text()
    computed, _, named = text.partition("Wrong answers with a name:")
    assert answer in computed
    assert "prediction" not in computed.removeprefix("Answer key: predictions about attention")
    assert len(named) > 20


def test_a_question_whose_notebook_was_never_run_says_so(read):
    text = read(answer_key([question("00/which-bank")], {"00": {"cells": []}})).text()
    assert "Not computed yet: the notebook was never run." in text
