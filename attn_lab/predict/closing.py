"""A notebook's closing lines: its summary, what agreed so far, the whole record looked back at.

Only predictions made before their result had been seen count. There is no total of the course,
and no comparison with anybody else.
"""

import re
from collections.abc import Callable, Sequence

from attn_lab.course.kinds import Question
from attn_lab.course.questions import notebook, question
from attn_lab.predict.commit import fits, standing
from attn_lab.predict.shown import Shown, always, show
from attn_lab.record import open_store
from attn_lab.record.history import Compared, Made, by_confidence, compared, made, to_revisit
from attn_lab.show.as_written import in_html, in_xml

SUMMARY = "What this notebook showed"
STILL_OPEN = "Still to do before the summary is shown:"
LOOKED_BACK = "Your own predictions, looked back at"
EMPTY = (
    "Nothing to look back at yet: once you have committed predictions and run the cells that "
    "compare them, they are gathered here."
)
MOST = 6
_AGREED, _DIFFERED = "●", "○"

Part = tuple[str, list[str]]  # a sentence and what is listed under it


def summary(number: str) -> None:
    """Show what a notebook showed, or which of its predictions are still open.

    Predictions of depth "extra" may stay open.
    Raises: ValueError for a notebook that has no questions.
    """
    book = notebook(number)
    open_ones, said = ([], "") if always() else _open(book.questions)
    parts: list[Part] = [(STILL_OPEN, open_ones) if open_ones else ("", list(book.summary))]
    show(_listed(SUMMARY, "attn-summary", [*parts, *_unread(said)]))


def _open(questions: Sequence[Question]) -> tuple[list[str], str]:
    """What is still to do, and why the store could not be read, "" where it could."""
    with open_store().one_action():
        return list(filter(None, map(_missing, questions))), open_store().trouble


def _unread(trouble: str) -> list[Part]:
    return [(trouble, [])] if trouble else []


def _missing(question: Question) -> str:
    now = standing(question)
    if question.depth == "extra":
        return ""
    if now.attempt is None:
        return f"{question.id}: write a prediction"
    return "" if now.revealed else f"{question.id}: run the cell that compares it"


def agreed_so_far(number: str) -> int:
    """How many predictions of a notebook agreed when their result was first shown.

    Answers made after the result had been seen do not count. While results are always shown the
    record is not read, and the count is 0.
    Raises: ValueError for a notebook that has no questions.
    """
    ids = {question.id for question in notebook(number).questions}
    if always():
        return 0
    store = open_store()
    with store.one_action():
        found = compared(store.attempts(), store.reveals())
    return sum(each.agrees for each in found if each.attempt.exercise in ids)


def looking_back() -> Shown:
    """What the record says, to be shown as the last expression of a cell.

    While results are always shown, as in builds, the record is not read and the text is fixed.
    """
    if always():
        return _looked_back([(EMPTY, [])])
    store = open_store()
    with store.one_action():
        found = compared(store.attempts(), store.reveals())
        return look_back(found, made(store.tasks()), store.trouble)


def look_back(found: Sequence[Compared], tasks: Sequence[Made] = (), trouble: str = "") -> Shown:
    """The same for predictions that have been gathered, newest first, and for tasks.

    `trouble` says why the record could not be read whole.
    """
    known = [each for each in found if _known(each)]
    parts = [_surprises(known), _sure(known), _revisit(known)] if known else []
    if tasks:
        parts.append(("The code that you made:", [f"{each.task}: {each.way}" for each in tasks]))
    return _looked_back([*(parts or [(EMPTY, [])]), *_unread(trouble)])


def _known(each: Compared) -> bool:
    try:
        return fits(question(each.attempt.exercise), each.attempt)
    except ValueError:  # an exercise that the course no longer has
        return False


def _surprises(found: Sequence[Compared]) -> Part:
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
    parts = [f"{asked.id}: you said {asked.written(each.attempt.answer)}"]
    if each.attempt.because:
        parts.append(f"because “{each.attempt.because}”")
    parts.append(f"computed: {asked.written(each.reveal.computed)}")
    if each.attempt.afterwards:
        parts.append(f"afterwards you wrote “{each.attempt.afterwards}”")
    return "; ".join(parts)


def _sure(found: Sequence[Compared]) -> Part:
    lines = []
    for confidence, agreed in by_confidence(found).items():
        if agreed:
            dots = _AGREED * sum(agreed) + _DIFFERED * (len(agreed) - sum(agreed))
            lines.append(
                f"When you said {confidence}, {sum(agreed)} of {len(agreed)} agreed: {dots}"
            )
    return f"How sure, and how often so ({_AGREED} agreed, {_DIFFERED} differed):", lines


def _revisit(found: Sequence[Compared]) -> Part:
    rows = to_revisit(found)
    if not rows:
        return "No notebook stands out to be revisited: every prediction agreed.", []
    lines = []
    for number, differed, of, surprises in rows[:3]:
        certain = f", {surprises} of them certain" if surprises else ""
        lines.append(f"{file_name(number)}: {differed} of {of} differed{certain}")
    return "Worth revisiting, in this order:", lines


def file_name(number: str) -> str:
    """The file of a notebook, which is its number and its title.

    >>> file_name("05")
    '05_mask_and_temperature.ipynb'
    """
    title = re.sub(r"[^a-z0-9]+", "_", notebook(number).title.lower()).strip("_")
    return f"{number}_{title}.ipynb"


def _looked_back(parts: Sequence[Part]) -> Shown:
    return _listed(LOOKED_BACK, "attn-looking-back", parts, _linked)


def _listed(
    title: str, css: str, parts: Sequence[Part], line: Callable[[str], str] = in_html
) -> Shown:
    """Sentences, each with its list, under a title; `line` writes an entry as HTML."""
    text, html = [title], ""
    for said, entries in parts:
        text += [*filter(None, [said]), *(f"- {each}" for each in entries)]
        items = "".join(f"<li>{line(each)}</li>" for each in entries)
        html += (f"<p>{in_html(said)}</p>" if said else "") + (f"<ul>{items}</ul>" if items else "")
    return Shown(f'{title}\n<div class="{css}">{html}</div>', "\n".join(text))


def _linked(line: str) -> str:
    """The line as HTML, with the notebook it names first as a link to it."""
    found = re.match(r"(\d\d)/[a-z0-9-]+(?=:)|\d\d_\w+\.ipynb(?=:)", line)
    if found is None:
        return in_html(line)
    name = found[0]
    target = file_name(found[1]) if found[1] else name
    return f'<a href="{in_xml(target)}">{in_html(name)}</a>{in_html(line[len(name) :])}'
