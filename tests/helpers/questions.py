"""One question of each kind, and one that asks for two shapes."""

from attn_lab.course.kinds import Cells, Choice, NearMiss, Numbers, Option, Shape

COMMON = {
    "prompt": "What are the weights?\nOf row 1.\n\nThe mask is on: 0 < T.",
    "depth": "class",
    "statements": ("S26",),
    "minutes": 4,
    "explanation": "Only key 1 is legal.",
}
NUMBERS = Numbers(
    id="05/first-row",
    labels=("key 1", "key 2", "key 3", "key 4"),
    tolerance=0.03,
    sums_to_one=True,
    near_misses=(
        NearMiss("late zero", [0.27, 0, 0, 0], "Zeroing late gives this.", "late"),
        NearMiss("even", [0.25, 0.25, 0.25, 0.25], "An even share gives this."),
        NearMiss("no root", [0.245, 0.665, 0.09, 0], "Without the root it is this.", "late"),
    ),
    **COMMON,
)
CHOICE = Choice(
    id="01/minus-max",
    options=(
        Option("smaller", "both smaller", "Someone who picks this sees parts.", "late"),
        Option("same", "the `same`", "Someone who picks this sees a factor."),
        Option("odd", "odd <b & c", "Someone who picks this has no named rule."),
    ),
    **COMMON,
)
CELLS = Cells(
    id="05/hotter",
    rows=("query 1", "query 2"),
    columns=("key 1", "key 2"),
    near_misses=(NearMiss("all", [[1, 1], [1, 1]], "Everything is painted.", "late"),),
    **COMMON,
)
SHAPE = Shape(
    id="07/split-shape",
    labels=("shape",),
    near_misses=(NearMiss("one map", [2, 10, 10], "The heads share one map."),),
    **COMMON,
)
SHAPES = Shape(id="02/shapes", labels=("scores S", "output O"), **COMMON)
