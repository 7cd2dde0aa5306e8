"""The run sheets and the plans in notebooks/teaching/, made from the course's data.

`make notebooks` writes them; `python -m attn_lab.commands.handout.run_sheets FOLDER` does it alone.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attn_lab.commands.handout.rendering import filled
from attn_lab.course.kinds import Question
from attn_lab.course.plans import (
    CLOSE_MINUTES,
    SLACK,
    expected,
    how,
    live_questions,
    plan_minutes,
    row_title,
)
from attn_lab.course.questions import notebook, notebook_numbers, question
from attn_lab.course.tasks import tasks
from attn_lab.course.teaching import PLANS, PlanRow, Sheet, Step, teaching

DO = {"solo": "solo", "discuss": "**discuss**"}


@dataclass(frozen=True)
class Row:
    """A row of a run sheet: a question, or something that all do together."""

    minutes: float
    name: str
    do: str
    expect: str
    ask_next: str
    picture: str = ""


def teaching_pages(names: Sequence[str]) -> dict[str, str]:
    """The text of each page by its file name; `names` are those of the notebooks, in order."""
    sheets = {f"{name}.md": run_sheet(name[:2]) for name in names}
    return {**sheets, "plans.md": plans()}


def run_sheet(number: str) -> str:
    """A notebook's run sheet.

    Raises: ValueError where nobody has written what it says beyond the questions.
    """
    if number not in teaching().sheets:
        raise ValueError(f"teaching.toml: expected [sheet.{number}]; write it like the others.")
    about, sheet = notebook(number), teaching().sheets[number]
    asked, extras = (
        live_questions(number),
        [each.id for each in about.questions if each.depth == "extra"],
    )
    rows = [row for each in asked for row in _rows(each, sheet)]
    rows.append(Row(CLOSE_MINUTES, "close", "all", "", sheet.close))
    return filled(
        "run_sheet.md",
        about=about,
        sheet=sheet,
        rows=rows,
        live=sum(row.minutes for row in rows),
        stop=asked[-1].id,
        breaks=[*_explorer_missing(sheet), *sheet.breaks],
        home={
            depth: [id for id, task in tasks().items() if id[:2] == number and task.depth == depth]
            for depth in ("core", "extra")
        },
        fast=extras,
    )


def plans() -> str:
    """The plans: what is asked when there are 60, 90 or 180 minutes, and the course alone."""
    rows = teaching().plan
    slack = [plan // SLACK for plan in PLANS]
    spent = [sum(plan_minutes(row, plan) for row in rows) for plan in PLANS]
    abouts = [notebook(number) for number in notebook_numbers()]
    return filled(
        "plans.md",
        plans=PLANS,
        rows=[
            [_marked(row), _do(row), *(plan_minutes(row, plan) or "" for plan in PLANS), row.note]
            for row in rows
        ],
        slack=slack,
        together=[a + b for a, b in zip(spent, slack, strict=True)],
        alone=[
            [
                f"{each.number} {each.title}",
                each.minutes,
                f"`{live_questions(each.number)[-1].id}`",
                teaching().sheets[each.number].alone,
            ]
            for each in abouts
        ],
        alone_together=sum(each.minutes for each in abouts),
    )


def read_sheets(folder: Path) -> dict[str, str]:
    """The text of each page for instructors by its name; an installed package has none."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}


def sheet_page(markdown: str) -> str:
    """A page for instructors to print; ids keep their code form, tables keep their headers."""
    import mistune
    from markupsafe import Markup

    body = str(mistune.create_markdown(plugins=["table"])(markdown))
    body = body.replace("<th>", '<th scope="col">')
    return filled("page.html", title=heading(markdown), kind="sheet", body=Markup(body))


def heading(markdown: str) -> str:
    """What stands in the first line of a page, which is its heading.

    >>> heading("# 07 Heads\\n\\n| live |")
    '07 Heads'
    """
    return markdown.partition("\n")[0].removeprefix("# ")


def _rows(asked: Question, sheet: Sheet) -> list[Row]:
    said = " · ".join(f"“{words}”: {why}" for words, why in expected(asked, sheet))
    do = DO[how(asked)]
    own = Row(asked.minutes, f"`{asked.id}`", do, said, asked.ask_next, asked.picture)
    return [own, *(_step(each, sheet) for each in sheet.step if each.after == asked.id)]


def _step(step: Step, sheet: Sheet) -> Row:
    said = f"{_opens(sheet)}; {step.say}" if step.name == "explorer" else step.say
    return Row(step.minutes, step.name, "all", said, step.ask_next, step.picture)


def _opens(sheet: Sheet) -> str:
    return f"opens only once `{sheet.explorer_after}` has been committed and run"


def _explorer_missing(sheet: Sheet) -> list[str]:
    if not sheet.explorer_after:
        return []
    if "explorer" in [each.name for each in sheet.step]:
        return ["explorer missing → see its row"]
    both = " (cut that, cut both)" if sheet.explorer_after in sheet.cut_if_late else ""
    return [f"explorer missing → it {_opens(sheet)}{both}"]


def _marked(row: PlanRow) -> str:
    """The row's title, its id in code."""
    id = row.task or row.show or row.question
    return row_title(row).replace(id, f"`{id}`") if id else row_title(row)


def _do(row: PlanRow) -> str:
    return DO[how(question(row.question))] if row.question else row.do


def main(arguments: Sequence[str]) -> int:
    """Write the pages of the notebooks in a folder into its folder teaching/, and say so."""
    folder = Path(*arguments)
    try:
        pages = teaching_pages([path.stem for path in sorted(folder.glob("*.ipynb"))])
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    for name, text in pages.items():
        path = folder / "teaching" / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"teaching/{name}: updated")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
