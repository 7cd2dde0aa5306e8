"""The predictions on paper: the question, room for an answer, confidence, a reason. No answers."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from attn_lab.commands.printed_pages import page
from attn_lab.course.kinds import Question
from attn_lab.course.questions import notebook, notebook_numbers, question, questions

CONFIDENCE = ("guess", "fairly sure", "certain")
BOX = "☐"
HOW = (
    "Answer each question before its result is shown. Say how sure you are, and why. "
    "Leave your first answer as it is: what you think after talking has a line of its own. "
    "One question at a time: later ones say what earlier ones ask."
)


def chosen(names: Sequence[str] | None = None) -> list[Question]:
    """Return the questions with these ids or of these notebooks; without names, all but extras.

    Raises: ValueError for an id or a number that the course does not have.
    """
    if names is None:
        return [each for each in questions() if each.depth != "extra"]
    found: dict[str, Question] = {}
    for name in names:
        for each in questions(name) if name in notebook_numbers() else [question(name)]:
            found.setdefault(each.id, each)
    return list(found.values())


def worksheet(asked: Iterable[Question]) -> str:
    """Return the page to print, its questions under the names of their notebooks."""
    name = _line("Name, or a number of your own")
    parts = [f"<h1>What do you predict?</h1>\n<p>{HOW}</p>\n{name}"]
    for number, group in groupby(asked, key=lambda each: each.notebook):
        title = f"{number} {notebook(number).title}"
        body = "\n".join(map(on_paper, group))
        parts.append(f'<section class="notebook">\n<h2>{escape(title)}</h2>\n{body}\n</section>')
    return page("Worksheet: predictions about attention", "\n".join(parts), "worksheet")


def on_paper(asked: Question) -> str:
    """Return one question with room to answer it; a contested one has room for a second vote."""
    lines = ["because"] + (["after talking, I would say"] if asked.discuss else [])
    sure = "".join(f"<span>{BOX} {each}</span>" for each in CONFIDENCE)
    rules = "".join(map(_line, lines))
    return (
        f'<section class="question">\n<h3>{asked.id}</h3>\n{in_words(asked)}\n{_room(asked)}\n'
        f'<p class="sure">How sure? {sure}</p>\n{rules}\n</section>'
    )


def in_words(asked: Question) -> str:
    """Return the prompt, and the options of a choice with a box before each."""
    options = "".join(f"<li>{BOX} {escape(each)}</li>" for each in asked.on_paper().options)
    prompt = f'<p class="prompt">{escape(asked.prompt.strip())}</p>'
    return prompt + (f'\n<ol class="options">{options}</ol>' if options else "")


def _line(text: str) -> str:
    return f'<p class="line">{text}: <span class="rule"></span></p>'


def _room(asked: Question) -> str:
    paper = asked.on_paper()
    blank = "<td></td>" * max(1, len(paper.columns))
    rows = "".join(f'<tr><th scope="row">{escape(each)}</th>{blank}</tr>' for each in paper.rows)
    if not paper.columns:
        return f'<table class="blanks">{rows}</table>' if rows else ""
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in paper.columns)
    return (
        f'<table class="grid"><caption>{escape(paper.caption)}</caption>'
        f"<tr><td></td>{head}</tr>{rows}</table>"
    )
