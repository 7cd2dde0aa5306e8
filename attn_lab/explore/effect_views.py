"""A removal in words, in a table of costs and on the map that it was taken from."""

from attn_lab.core.masks import causal_mask
from attn_lab.explore.effects import SEQUENCES, Outcome, Removal
from attn_lab.explore.panels import under
from attn_lab.models.interventions import How
from attn_lab.models.recall_task import NAMES, answers, spelled
from attn_lab.show import heatmap
from attn_lab.show.numbers import number, two
from attn_lab.show.tables import plain_table

WAYS: dict[How, str] = {
    "zero": "With nothing in its place",
    "mean": "With its mean over normal sequences in its place",
    "swap": "With what it gave in another sequence in its place",
    "block": "Blocked, so that its row reads other keys instead",
}


def said(removal: Removal, found: Outcome) -> str:
    """Return the weight, what was lost and how far from normal, in one line of text."""
    right = right_answer(found)
    what = removal.said()
    if removal.extent == "cell":
        what += f" with weight {two(found.weight)}"
    answer = f"still answers {right}" if found.right else f"answers {found.answer}, not {right}"
    return (
        f"Asked about pair {removal.pair}: {what}. {WAYS[removal.how]}: the lead goes from "
        f"{one(found.before)} to {one(found.after)}, the model {answer}. In {SEQUENCES} sequences "
        f"the mean loss of lead is {one(found.mean_lost)}, and {two(found.accuracy[1])} of the "
        f"answers are right. Distance to normal {one(found.far)}; "
        f"99 % of normal states have less than {one(found.limit)}."
    )


def drawn(removal: Removal, found: Outcome) -> str:
    """Return the map with the cell marked, and the numbers before and after."""
    names = [f"{i} {name}" for i, name in enumerate(spelled(found.tokens[0]), start=1)]
    _, _, query, key = removal.cell
    whole = removal.extent != "cell"
    queries = [n + (" ◂" if i == query and not whole else "") for i, n in enumerate(names, 1)]
    keys = [n + (" ▾" if i == key and not whole else "") for i, n in enumerate(names, 1)]
    allowed = causal_mask(len(names))
    title = f"Layer {removal.cell.layer}, head {removal.cell.head}, before anything is taken away"
    one_map = heatmap(found.map, allowed=allowed, queries=queries, keys=keys, title=title)
    costs = [
        ["lead, this sequence", one(found.before), one(found.after)],
        ["answer, this sequence", right_answer(found), found.answer],
        ["distance to normal, this sequence", one(found.near), one(found.far)],
        [f"right answers, {SEQUENCES} sequences", *(two(share) for share in found.accuracy)],
        # Untouched, nothing is lost; an empty cell would be read aloud as a gap.
        [f"mean loss of lead, {SEQUENCES} sequences", one(0.0), one(found.mean_lost)],
    ]
    table = plain_table("What it costs", ["", "untouched", "taken away"], costs)
    return under(table, one_map.html)


def right_answer(found: Outcome) -> str:
    """Return the name of the value that stood after the asked key."""
    return NAMES[int(answers(found.tokens)[0])]


def one(x: float) -> str:
    """Return a number with one decimal: all that holds for every seed."""
    return number(x, 1)
