"""Ideas are followed from the first round to the second, and few people are not counted."""

from importlib.resources import files

from attn_lab.classroom.count.moves import Idea, ideas, picture, told
from attn_lab.classroom.count.spread import SPLIT_FROM, in_words


def test_ideas_that_moved_and_that_survived_are_counted_by_hand(room, fill):
    fill(6, "all")  # learners 0 to 5 hold "future-flows-back"
    fill(4, "row-4", start=6)
    fill(2, "all", round=2)  # two keep it,
    fill(3, "row-4", round=2, start=2)  # three leave it, learner 5 says nothing,
    fill(1, "all", round=2, start=6)  # and one comes to it
    assert ideas(room) == [Idea("04/ripple", "future-flows-back", 6, 2, 3, 1)]


def test_an_idea_of_two_people_is_not_told(room, fill):
    fill(2, "all")
    fill(9, "column", start=2)
    assert [idea.misconception for idea in ideas(room)] == ["axes-swapped"]


def test_pages_and_server_agree_on_what_is_few_and_what_is_a_room():
    bars = (files("attn_lab.classroom") / "html" / "bars.js").read_text()
    assert f'FEW = "{in_words(None)}"' in bars
    assert f"answered >= {SPLIT_FROM} " in bars


def test_the_picture_has_a_bar_of_survived_moved_and_silent():
    idea = {"name": "the future flows back", "exercise": "04/ripple"}
    counts = {"held": 12, "survived": 5, "moved": 4, "silent": 3, "arrived": 6}
    [axes] = picture([idea | counts]).axes
    assert [bar.get_width() for bar in axes.patches] == [5, 4, 3]
    assert [text.get_text() for text in axes.texts] == ["5", "4", "3", "  + 6 came to it"]
    assert axes.get_yticklabels()[0].get_text() == "the future flows back\n04/ripple"


def test_the_picture_tells_one_and_two_people_apart_from_nobody_and_not_from_each_other(room, fill):
    fill(7, "all")
    fill(5, "row-4", start=7)
    fill(1, "all", round=2)
    fill(4, "row-4", round=2, start=1)
    fill(2, "all", round=2, start=7)
    [axes] = picture(told(room)).axes
    assert [bar.get_width() for bar in axes.patches] == [1.5, 4, 1.5]  # 1 and 2 look the same
    said = [text.get_text() for text in axes.texts]
    assert said == ["<3", "4", "<3", "  + under 3 came to it"]


def test_a_room_without_moves_has_a_picture_of_one_sentence_clear_of_its_title():
    figure = picture([])
    figure.draw_without_rendering()
    [axes] = figure.axes
    [said] = axes.texts
    assert "No idea was held" in said.get_text()
    assert not said.get_window_extent().overlaps(axes.title.get_window_extent())
    assert not axes.axison
