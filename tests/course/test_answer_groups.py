"""An answer is named by the course's data, or spelled out where the data has no name for it."""

from attn_lab.course.answer_groups import difference, named_group, named_groups, spelled
from attn_lab.course.forms import NearMiss, Option, Question


def _question(kind, **fields):
    return Question("05/first-row", kind, "?", "class", ("S26",), 4, "…", **fields)


ROW = _question(
    "numbers",
    labels=("key 1", "key 2"),
    tolerance=0.01,
    near_misses=(
        NearMiss("no root", [0.27, 0.73], "…", "root-forgotten"),
        NearMiss("even", [0.285, 0.715], "…"),
    ),
)
CHOICE = _question("choice", options=(Option("a", "It grows", "…"), Option("b", "No", "…", "x")))
CELLS = _question(
    "cells", rows=("query 1", "query 2"), columns=("key 1", "key 2"),
    near_misses=(NearMiss("not itself", [[0, 0], [1, 0]], "…"),),
)  # fmt: skip
SHAPE = _question("shape", labels=("shape",), near_misses=(NearMiss("swapped", [8, 4], "…"),))


def test_a_choice_is_named_by_its_option():
    group = named_group(CHOICE, "b")
    assert (group.key, group.label, group.misconception) == ("b", "No", "x")
    assert named_group(CHOICE, "c") is None


def test_numbers_within_the_tolerance_are_the_near_miss():
    assert named_group(ROW, [0.26, 0.74]).key == "no root"
    assert named_group(ROW, [0.259, 0.741]) is None
    assert named_group(ROW, [0.27]) is None


def test_the_nearer_of_two_near_misses_is_taken():
    assert named_group(ROW, [0.279, 0.721]).key == "even"
    assert named_group(ROW, [0.276, 0.724]).key == "no root"


def test_the_mistakes_name_is_no_part_of_the_label_that_a_room_may_see():
    assert [(g.label, g.meaning) for g in named_groups(ROW)] == [
        ("0.27, 0.73", "no root"),
        ("0.285, 0.715", "even"),
    ]


def test_cells_and_shapes_are_named_only_when_equal():
    assert named_group(CELLS, [[0, 0], [1, 0]]).key == "not itself"
    assert named_group(CELLS, [[1, 0], [1, 0]]) is None
    assert named_group(SHAPE, [8, 4]).key == "swapped"
    assert named_group(SHAPE, [4, 8]) is None


def test_two_shapes_are_not_the_same_because_their_sizes_are():
    both = _question("shape", labels=("q", "k"))
    assert difference(both, [[2, 3], [4]], [[2], [3, 4]]) > 1
    assert spelled(both, [[2, 3], []]) == "2 × 3; no axes"


def test_a_relative_tolerance_is_a_share_of_the_named_value():
    counts = _question(
        "numbers", labels=("bytes",), tolerance=0.1, relative=True,
        near_misses=(NearMiss("linear", [1000.0], "…"),),
    )  # fmt: skip
    assert named_group(counts, [1100.0]).key == "linear"
    assert named_group(counts, [1101.0]) is None


def test_answers_are_spelled_on_one_line():
    assert spelled(ROW, [0.25, -0.75]) == "0.25, −0.75"
    assert spelled(CHOICE, "a") == "It grows"
    assert spelled(CELLS, [[1, 0], [1, 1]]) == "■□ / ■■"
    assert spelled(SHAPE, [4, 8]) == "4 × 8"
