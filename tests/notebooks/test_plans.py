"""The plans keep to the data and to their time; what instructors read names real commands."""

import re
from pathlib import Path

import pytest

from attn_lab.cli import COMMANDS
from attn_lab.course.questions import notebook, notebook_numbers, questions
from attn_lab.course.tasks import tasks

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks" / "teaching"
PLANS = (FOLDER / "plans.md").read_text("utf-8")
OTHERS = sorted(set(FOLDER.glob("*.md")) - set(FOLDER.glob("[0-9][0-9]_*.md")))
ID = re.compile(r"`(\d\d/[a-z0-9-]+)`")
SHEET_05 = next(FOLDER.glob("05_*.md")).read_text("utf-8")  # checked against its notebook elsewhere
GATE = re.search(r"opens only once (`05/[a-z0-9-]+`)", SHEET_05)[1]
SLACK = 0.1  # of a plan's time


def rows_of(text: str, first: str) -> list[list[str]]:
    """The rows of the table whose header begins with `first`, the header among them."""
    block = re.search(rf"(?:^\| {re.escape(first)} \|.*\n)(?:^\|.*\n)+", text, re.MULTILINE)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
    return [row for row in rows if not set("".join(row)) <= {"-"}]


def questions_are_those_of_the_data(text: str) -> list[str]:
    known = {each.id: each for each in questions()}
    wrong = []
    for row in rows_of(text, "id")[1:]:
        if not (found := ID.fullmatch(row[0])):
            wrong += [id for id in ID.findall(row[0]) if id not in {*known, *tasks()}]
            continue
        asked = known.get(found[1])
        minutes = {cell for cell in row[2:5] if cell}
        do = "" if asked is None else "**discuss**" if asked.discuss else "solo"
        if asked is None or minutes != {f"{asked.minutes:g}"} or row[1] != do:
            wrong.append(f"{row[:5]}: {do}, {asked.minutes if asked else 'not in the course'}")
    return wrong


def each_plan_fits_its_time(text: str) -> list[str]:
    head, *rows, together = rows_of(text, "id")
    slack = next(row for row in rows if row[0] == "slack")
    wrong = []
    for place in (2, 3, 4):
        limit = float(head[place].split()[0])
        total = sum(float(row[place]) for row in rows if row[place])
        if float(together[place]) != total:
            wrong.append(f"{head[place]}: {together[place]} is not {total:g}")
        if not 0.9 * limit <= total <= limit:
            wrong.append(f"{head[place]}: {total:g}")
        if float(slack[place]) < SLACK * limit:
            wrong.append(f"{head[place]}: slack of {slack[place]}")
    return wrong


def the_explorer_comes_after_its_gate(text: str) -> list[str]:
    head, *rows, _ = rows_of(text, "id")
    wrong = []
    for place in (2, 3, 4):
        said = [row[0] for row in rows if row[place]]
        before = said[: said.index("explorer of 05")]
        wrong += [] if GATE in before else [head[place]]
    return wrong


def every_notebook_has_its_minutes_and_stop_line(text: str) -> list[str]:
    _, *rows, together = rows_of(text, "notebook")
    right = []
    for number in notebook_numbers():
        about = notebook(number)
        last = [each.id for each in about.questions if each.depth != "extra"][-1]
        right.append([f"{number} {about.title}", f"{about.minutes:g}", f"`{last}`"])
    total = sum(notebook(number).minutes for number in notebook_numbers())
    right.append(["together", f"{total:g}", ""])
    got = [row[:3] for row in [*rows, together]]
    missing = [f"plans.md needs the line {row}" for row in right if row not in got]
    return missing or ([] if got == right else [f"{got}, expected {right}"])


def commands_exist(text: str) -> list[str]:
    known = {command.NAME for command in COMMANDS}
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    wrong = [
        f"attn-lab {name}" for name in re.findall(r"`attn-lab ([a-z]+)", text) if name not in known
    ]
    return wrong + [
        f"make {name}" for name in re.findall(r"`make ([a-z]+)", text) if name not in targets
    ]


RULES = (
    questions_are_those_of_the_data,
    each_plan_fits_its_time,
    the_explorer_comes_after_its_gate,
    every_notebook_has_its_minutes_and_stop_line,
    commands_exist,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_plans_keep(rule):
    assert rule(PLANS) == []


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_a_page_for_instructors_is_short_and_names_commands_that_exist(path):
    text = path.read_text("utf-8")
    assert commands_exist(text) == []
    assert len(text.splitlines()) <= 60


BROKEN = [
    (questions_are_those_of_the_data, "| **discuss** | 7 | 7 | 7 |", "| **discuss** | 7 | 8 | 7 |"),
    (questions_are_those_of_the_data, "| `05/first-row` | solo", "| `05/first-row` | **discuss**"),
    (questions_are_those_of_the_data, "`05/first-row`", "`05/frist-row`"),
    (questions_are_those_of_the_data, "“Make” `04/causal-mask`", "“Make” `04/casual-mask`"),
    (each_plan_fits_its_time, "| together |  | 60", "| together |  | 59"),
    (each_plan_fits_its_time, "| id | do | 60 min", "| id | do | 55 min"),
    (each_plan_fits_its_time, "| slack |  | 6", "| slack |  | 5"),
    (the_explorer_comes_after_its_gate, f"| {GATE}", "| `05/very-hot`"),
    (every_notebook_has_its_minutes_and_stop_line, "| 40 | `04/triu-0`", "| 45 | `04/triu-0`"),
    (every_notebook_has_its_minutes_and_stop_line, "`04/triu-0`", "`04/late-zero`"),
    (
        every_notebook_has_its_minutes_and_stop_line,
        "| 07 Heads | 40 | `07/which-head-costs` |  |\n",
        "",
    ),
    (commands_exist, "`attn-lab handout`", "`attn-lab handouts`"),
    (commands_exist, "`attn-lab handout`", "`make handout`"),
]


@pytest.mark.parametrize(("rule", "before", "after"), BROKEN)
def test_a_broken_plan_is_found(rule, before, after):
    assert before in PLANS
    assert rule(PLANS.replace(before, after, 1)) != []
