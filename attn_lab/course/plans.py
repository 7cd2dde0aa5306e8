"""The plans as a queue, and what an instructor says about a question: made from the data.

Run sheets are written from it, and the desk of a class shows it.
"""

from dataclasses import dataclass

from attn_lab.course.kinds import Question
from attn_lab.course.misconceptions import misconceptions
from attn_lab.course.questions import notebook, notebook_numbers, question
from attn_lab.course.teaching import PLANS, PlanRow, Sheet, teaching

CLOSE_MINUTES = 2
SLACK = 10  # one part in ten of a plan's time


@dataclass(frozen=True)
class Item:
    """One thing that a class does. `question` is the id of what is asked, "" for all else.

    `cut` says that it may be left out when the class is late.
    """

    title: str
    minutes: float
    question: str = ""
    do: str = ""
    note: str = ""
    cut: bool = False


@dataclass(frozen=True)
class Guide:
    """What an instructor has at hand for a question; `expect` are wrong answers with reasons."""

    hint: str
    ask_next: str
    picture: str
    expect: tuple[tuple[str, str], ...]


def plans() -> dict[str, str]:
    """The name of each plan by its key: the minutes of one, or a notebook's number."""
    whole = {str(minutes): f"{minutes} minutes" for minutes in PLANS}
    return whole | {each: f"{each} {notebook(each).title}" for each in notebook_numbers()}


def queue(plan: str) -> list[Item]:
    """What a plan holds, in its order.

    Raises: ValueError for a plan that the course does not have.
    """
    if plan not in plans():
        raise ValueError(f"plan: expected one of {', '.join(plans())}; got {plan!r}.")
    return _of_notebook(plan) if plan in notebook_numbers() else _of_class(int(plan))


def _of_class(plan: int) -> list[Item]:
    rows = [row for row in teaching().plan if plan in row.plans]
    moving = sum(row.each_notebook for row in rows)
    items, open_now = [], ""
    for row in (row for row in rows if not row.each_notebook):
        asked = question(row.question) if row.question else None
        number = row.question[:2] or row.show[:2] or open_now
        new = moving if open_now and number != open_now else 0  # the first is open at the beginning
        open_now = number
        # what a shorter plan does without may be left out of a longer one
        shorter = any(each not in row.plans for each in PLANS if each < plan)
        items.append(
            Item(
                row_title(row),
                plan_minutes(row, plan) + new,
                question=row.question,
                do=row.do if asked is None else how(asked),
                note=row.note,
                cut=shorter and bool(row.question or row.task or row.show),
            )
        )
    return items


def _of_notebook(number: str) -> list[Item]:
    sheet, items = teaching().sheets[number], []
    for each in live_questions(number):
        cut = each.id in sheet.cut_if_late
        items.append(Item(each.id, each.minutes, question=each.id, do=how(each), cut=cut))
        for step in (step for step in sheet.step if step.after == each.id):
            items.append(Item(step.name, step.minutes, do="all", note=step.say or step.ask_next))
    return [*items, Item("close", CLOSE_MINUTES, do="all", note=sheet.close)]


def guide(asked: Question) -> Guide:
    """What the sheet of its notebook says about a question."""
    sheet = teaching().sheets[asked.notebook]
    expect = tuple(expected(asked, sheet))
    return Guide(sheet.hints.get(asked.id, ""), asked.ask_next, asked.picture, expect)


def live_questions(number: str) -> list[Question]:
    """The questions of a notebook above its stop line."""
    return [each for each in notebook(number).questions if each.depth != "extra"]


def how(asked: Question) -> str:
    """Whether a question is discussed, or answered alone."""
    return "discuss" if asked.discuss else "solo"


def expected(asked: Question, sheet: Sheet) -> list[tuple[str, str]]:
    """The wrong answers to expect, as people say them, and why they do.

    Raises: ValueError for one that the question does not have.
    """
    wrong = {each.key: each for each in asked.groups() if each.misconception}
    first = list(wrong)[: 3 if asked.discuss else 2]
    keys = sheet.expect.get(asked.id, first)
    if not set(keys) <= wrong.keys():
        raise ValueError(
            f"teaching.toml, expect of {asked.id}: expected some of {[*wrong]}; got {[*keys]}."
        )
    return [
        (asked.aloud(each), misconceptions()[each.misconception or ""].name)
        for each in (wrong[key] for key in keys)
    ]


def plan_minutes(row: PlanRow, plan: int) -> float:
    """How long a row takes in a plan, 0 where it is not in it; a question's time is its own."""
    if plan not in row.plans:
        return 0
    if row.each_notebook:  # the first one is open when the class begins
        met = {each.question[:2] or each.show[:2] for each in teaching().plan if plan in each.plans}
        return row.each_notebook * (len(met - {""}) - 1)
    return question(row.question).minutes if row.question else row.minutes


def row_title(row: PlanRow) -> str:
    """What a row of the plans is called."""
    if row.task:
        return f"“Make” {row.task}"
    if row.show:
        return f"show {row.show}"
    return row.question or row.name or f"explorer of {row.explorer}"
