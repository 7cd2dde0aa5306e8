"""The near misses of notebook 00, each from the rule that gives it."""

TRUTH = ["river"] * 50 + ["savings"] * 50

RIGHT = {"00/which-bank": lambda: [sum(each == "river" for each in TRUTH)]}
NEAR_MISSES = {
    "00/which-bank": {
        "everything is known": lambda: [sum(each == each for each in TRUTH)],
        "never right": lambda: [sum(each == "neither" for each in TRUTH)],
    },
}
