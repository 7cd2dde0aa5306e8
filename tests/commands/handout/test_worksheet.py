"""The worksheet has room for every answer and gives none away."""

import pytest

from attn_lab.commands.handout.worksheet import CONFIDENCE, chosen, worksheet
from attn_lab.course.questions import question, questions


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: asked.id)
def test_the_worksheet_asks_and_does_not_answer(asked, read):
    text = read(worksheet([asked])).text()
    assert " ".join(asked.prompt.split()) in text
    assert all(option in text for option in asked.on_paper().options)
    for hidden in (asked.explanation, asked.ask_next, asked.picture):
        assert not hidden or " ".join(hidden.split()) not in text
    assert not [each.sentence for each in asked.named if each.sentence in text]
    assert text.count("because:") == 1
    assert text.count("after talking") == 1 + asked.discuss  # the instruction names it as well
    assert [text.count(f"☐ {each}") for each in CONFIDENCE] == [1, 1, 1]


def test_the_worksheet_has_room_for_every_number_and_every_cell():
    third = worksheet([question("05/third-row")])
    assert third.count("<td></td>") == 5  # four weights and their sum
    legal = worksheet([question("04/legal")])
    assert legal.count("<td></td>") == 4 * 4 + 1  # and the corner
    assert legal.count('scope="row"') == legal.count('scope="col"') == 4


def test_questions_are_chosen_by_id_or_by_notebook():
    assert [each.id for each in chosen(["04/ripple", "00", "04/ripple"])] == [
        "04/ripple",
        "00/one-word-changes",
        "00/which-bank",
    ]
    assert {each.depth for each in chosen(None)} == {"class", "core"}
    with pytest.raises(ValueError, match="04/riple"):
        chosen(["04/riple"])
