"""A notebook's summary, shown once its predictions have been made and compared."""

from html import escape

from attn_lab.course.questions import Question, notebook
from attn_lab.predict.exercise import Exercise, always
from attn_lab.predict.shown import Shown, show

TITLE = "What this notebook showed"


def summary(number: str) -> None:
    """Shows what a notebook showed, or which of its predictions are still open.

    Predictions of depth "extra" may stay open.
    Raises: ValueError for a notebook that has no questions.
    """
    book = notebook(number)
    open_ones = [] if always() else list(filter(None, map(_missing, book.questions)))
    if open_ones:
        said = ["Still to do before the summary is shown:", *open_ones]
    else:
        said = list(book.summary)
    items = "".join(f"<li>{escape(each)}</li>" for each in (said[1:] if open_ones else said))
    lead = f"<p>{escape(said[0])}</p>" if open_ones else ""
    html = f'{TITLE}\n<div class="attn-summary">{lead}<ul>{items}</ul></div>'
    text = "\n".join([TITLE, *(said[:1] if open_ones else [])])
    text += "".join(f"\n- {each}" for each in (said[1:] if open_ones else said))
    show(Shown(html, text))


def _missing(question: Question) -> str:
    exercise = Exercise(question)
    if question.depth == "extra":
        return ""
    if exercise.attempt is None:
        return f"{question.id}: write a prediction"
    return "" if exercise.revealed else f"{question.id}: run the cell that compares it"
