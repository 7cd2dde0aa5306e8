"""Hints unfold one inside the other, by mouse and keyboard, and hold no solution."""

import re

import pytest

from attn_lab.course.tasks import tasks
from attn_lab.grade import hints


def test_each_hint_lies_inside_the_one_before_it():
    html = hints("04/causal-mask")._repr_mimebundle_()["text/html"]
    parts = re.findall(r"<details|</details>|Hint \d of 3", html)
    assert parts == [
        *("<details", "Hint 1 of 3", "<details", "Hint 2 of 3", "<details", "Hint 3 of 3"),
        *["</details>"] * 3,
    ]


def test_the_keys_that_open_a_hint_are_kept_from_jupyterlab():
    html = hints("04/causal-mask")._repr_mimebundle_()["text/html"]
    assert (
        re.findall(r"<summary([^>]*)>", html)
        == [' data-lm-suppress-shortcuts="true" style="cursor:pointer"'] * 3
    )
    assert "<script" not in html and " open" not in html


@pytest.mark.parametrize("id", tasks())
def test_as_text_the_hints_are_named_and_not_given_away(id):
    shown = hints(id)._repr_mimebundle_()
    assert shown["text/plain"] == f"3 hints for {id} unfold here, one at a time."
    for hint in tasks()[id].hints:
        assert hint not in shown["text/plain"]
        assert len(hint) > 60


def test_an_unknown_task_lists_those_there_are():
    with pytest.raises(ValueError, match=r"one of 01/softmax-row, .*got '04/make'"):
        hints("04/make")
