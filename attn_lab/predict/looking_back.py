"""The learner's own record, looked back at: surprises, how sure and how often so, tasks made.

Only predictions made before their result had been seen count. There is no total, and no
comparison with anybody else.
"""

import re
from collections.abc import Sequence
from html import escape

from attn_lab.course.questions import Question, notebook, question
from attn_lab.predict.comparisons import written
from attn_lab.predict.earlier import fits
from attn_lab.predict.evidence import Compared, by_confidence, compared, to_revisit
from attn_lab.predict.exercise import always
from attn_lab.predict.shown import Shown
from attn_lab.record import open_store
from attn_lab.record.made import Made, made

TITLE = "Your own predictions, looked back at"
EMPTY = (
    "Nothing to look back at yet: once you have committed predictions and run the cells that "
    "compare them, they are gathered here."
)
MOST = 6
_AGREED, _DIFFERED = "●", "○"


def looking_back() -> Shown:
    """Returns what the record says, to be shown as the last expression of a cell.

    While results are always shown, as in builds, the record is not read and the text is fixed.
    """
    if always():
        return _shown([("", [EMPTY])])
    store = open_store()
    return look_back(compared(store.attempts(), store.reveals()), made(store.tasks()))


def look_back(found: Sequence[Compared], tasks: Sequence[Made] = ()) -> Shown:
    """Returns the same for predictions that have been gathered, newest first, and for tasks."""
    known = [each for each in found if _known(each)]
    parts = [_surprises(known), _sure(known), _revisit(known)] if known else []
    if tasks:
        parts.append(("The code that you made:", [f"{each.task}: {each.way}" for each in tasks]))
    return _shown(parts or [("", [EMPTY])])


def _known(each: Compared) -> bool:
    try:
        return fits(question(each.attempt.exercise), each.attempt)
    except ValueError:  # an exercise that the course no longer has
        return False


def _surprises(found: Sequence[Compared]) -> tuple[str, list[str]]:
    ones = [each for each in found if each.surprise]
    if not ones:
        return "Nothing that you were certain of came out differently.", []
    lines = [_told(each, question(each.attempt.exercise)) for each in ones[:MOST]]
    more = f" The {MOST} newest are listed." if len(ones) > MOST else ""
    said = "One surprise" if len(ones) == 1 else f"{len(ones)} surprises"
    return (
        f"{said} worth a second look: you were certain, and it came out differently.{more}",
        lines,
    )


def _told(each: Compared, asked: Question) -> str:
    parts = [f"{asked.id}: you said {written(asked, each.attempt.answer)}"]
    if each.attempt.because:
        parts.append(f"because “{each.attempt.because}”")
    parts.append(f"computed: {written(asked, each.reveal.computed)}")
    if each.attempt.afterwards:
        parts.append(f"afterwards you wrote “{each.attempt.afterwards}”")
    return "; ".join(parts)


def _sure(found: Sequence[Compared]) -> tuple[str, list[str]]:
    lines = []
    for confidence, agreed in by_confidence(found).items():
        if agreed:
            dots = _AGREED * sum(agreed) + _DIFFERED * (len(agreed) - sum(agreed))
            lines.append(
                f"When you said {confidence}, {sum(agreed)} of {len(agreed)} agreed: {dots}"
            )
    return f"How sure, and how often so ({_AGREED} agreed, {_DIFFERED} differed):", lines


def _revisit(found: Sequence[Compared]) -> tuple[str, list[str]]:
    rows = to_revisit(found)
    if not rows:
        return "No notebook stands out to be revisited: every prediction agreed.", []
    lines = []
    for number, differed, of, surprises in rows[:3]:
        certain = f", {surprises} of them certain" if surprises else ""
        lines.append(f"{file_name(number)}: {differed} of {of} differed{certain}")
    return "Worth revisiting, in this order:", lines


def file_name(number: str) -> str:
    """Returns the file of a notebook, which is its number and its title.

    >>> file_name("05")
    '05_mask_and_temperature.ipynb'
    """
    title = re.sub(r"[^a-z0-9]+", "_", notebook(number).title.lower()).strip("_")
    return f"{number}_{title}.ipynb"


def _shown(parts: Sequence[tuple[str, list[str]]]) -> Shown:
    text, html = [TITLE], []
    for said, lines in parts:
        said, lines = (said, lines) if said else (lines[0], lines[1:])
        text += [said, *(f"- {line}" for line in lines)]
        items = "".join(f"<li>{_linked(line)}</li>" for line in lines)
        html.append(f"<p>{escape(said)}</p>" + (f"<ul>{items}</ul>" if lines else ""))
    body = "".join(html)
    return Shown(f'{TITLE}\n<div class="attn-looking-back">{body}</div>', "\n".join(text))


def _linked(line: str) -> str:
    """The line as HTML, with the notebook it names first as a link to it."""
    found = re.match(r"(\d\d)/[a-z0-9-]+(?=:)|\d\d_\w+\.ipynb(?=:)", line)
    if found is None:
        return escape(line)
    name = found[0]
    target = file_name(found[1]) if found[1] else name
    return f'<a href="{escape(target)}">{escape(name)}</a>{escape(line[len(name) :])}'
