"""What instructors are told fits the questions: what to cut, hints, explorers, and the plans."""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from attn_lab.course.editions import text_of
from attn_lab.course.kinds import Question
from attn_lab.course.questions import notebook, notebook_numbers, question
from attn_lab.course.tasks import task, tasks
from attn_lab.course.teaching import PATH, PLANS, PlanRow, Sheet, read_teaching, teaching

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def own(number: str, extras: bool = False) -> dict[str, Question]:
    """The questions of a notebook above its stop line, or the extras."""
    asked = notebook(number).questions
    return {each.id: each for each in asked if (each.depth == "extra") == extras}


def every_id_is_a_question_above_the_line(number: str, sheet: Sheet) -> list[str]:
    named = [*sheet.hints, *sheet.cut_if_late, *sheet.never_cut, *sheet.expect]
    named += [each.after for each in sheet.step]
    named += [sheet.explorer_after] if sheet.explorer_after else []
    return [id for id in named if id not in own(number)]


def what_is_cut_is_never_what_is_kept(number: str, sheet: Sheet) -> list[str]:
    asked = own(number)
    cut, kept = sheet.cut_if_late, sheet.never_cut
    wrong = [f"{id}: not a core question" for id in cut if asked[id].depth != "core"]
    wrong += [f"{id} is both cut and kept" for id in set(cut) & set(kept)]
    wrong += [
        f"{id} is for the class, so never cut"
        for id, each in asked.items()
        if each.depth == "class" and id not in kept
    ]
    return wrong


def every_contested_question_has_a_hint_that_gives_nothing_away(
    number: str, sheet: Sheet
) -> list[str]:
    asked = own(number)
    wrong = [f"{id}: no hint" for id, each in asked.items() if each.discuss and not sheet.hints[id]]
    return wrong + [
        f"{id}: the hint holds “{option}”"
        for id, hint in sheet.hints.items()
        for option in asked[id].on_paper().options
        if option.rstrip(".").lower() in hint.lower()
    ]


def everybody_has_something_to_do_afterwards(number: str, sheet: Sheet) -> list[str]:
    wrong = [] if sheet.for_home or [id for id in tasks() if id[:2] == number] else ["at home"]
    return wrong + ([] if sheet.fast_finishers or own(number, extras=True) else ["when fast"])


def the_explorer_waits_for_the_question_that_opens_it(number: str, sheet: Sheet) -> list[str]:
    got, right = {sheet.explorer_after} - {""}, explorers_wait_for(number)
    order = list(own(number))
    early = [
        each.name
        for each in sheet.step
        if each.name == "explorer" and order.index(each.after) < order.index(sheet.explorer_after)
    ]
    # A notebook may open another explorer later; the sheet speaks of the first.
    good = got <= right and bool(got) == bool(right) and not early
    return [] if good else [f"says {got}, the notebook has {right}", *early]


def explorers_wait_for(number: str) -> set[str]:
    """The questions that open an explorer in a notebook."""
    path = next(NOTEBOOKS.glob(f"{number}_*.ipynb"))
    cells = [text_of(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    code = "\n".join(cells)
    asked = dict(re.findall(r'^(\w+) = ask\("([^"]+)"\)', code, re.MULTILINE))
    names = re.findall(r"^from attn_lab\.explore import (?:\w+ as )?(\w+)", code, re.MULTILINE)
    explorer = rf"\b(?:{'|'.join(names)})\("
    shown = rf"^(\w+)\.then\([^#]*?{explorer}|^@(\w+)\.then\n[^#]*?{explorer}"
    found = [
        at_once or as_function
        for cell in cells
        if names
        for at_once, as_function in re.findall(shown, cell, re.MULTILINE)
    ]
    return {asked[name] for name in found}


RULES = (
    every_id_is_a_question_above_the_line,
    what_is_cut_is_never_what_is_kept,
    every_contested_question_has_a_hint_that_gives_nothing_away,
    everybody_has_something_to_do_afterwards,
    the_explorer_waits_for_the_question_that_opens_it,
)


def test_every_notebook_has_a_sheet():
    assert list(teaching().sheets) == notebook_numbers()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("number", notebook_numbers())
def test_every_sheet_keeps(rule, number):
    assert rule(number, teaching().sheets[number]) == []


FOUR = teaching().sheets["04"]
FIVE = teaching().sheets["05"]
HINTS = FOUR.hints
RIPPLE, LATE = "04/ripple", "04/late-zero"


@pytest.mark.parametrize(
    ("rule", "number", "broken"),
    [
        (RULES[0], "04", replace(FOUR, hints={**HINTS, "04/riple": "x"})),
        (RULES[0], "04", replace(FOUR, never_cut=("04/next-token",))),
        (RULES[0], "05", replace(FIVE, explorer_after="05/add-five")),
        (RULES[1], "04", replace(FOUR, cut_if_late=(LATE,))),
        (RULES[1], "04", replace(FOUR, never_cut=(LATE,))),
        (RULES[2], "04", replace(FOUR, hints={**HINTS, RIPPLE: ""})),
        (
            RULES[2],
            "04",
            replace(FOUR, hints={**HINTS, LATE: "“Only if value 4 is changed as well”"}),
        ),
        (RULES[3], "05", replace(FIVE, for_home="")),
        (RULES[3], "00", replace(teaching().sheets["00"], fast_finishers="")),
        (RULES[4], "04", replace(FOUR, explorer_after=RIPPLE)),
        (RULES[4], "05", replace(FIVE, step=(replace(FIVE.step[0], after="05/first-row"),))),
    ],
)
def test_a_broken_sheet_is_found(rule, number, broken):
    assert rule(number, teaching().sheets[number]) == []
    assert rule(number, broken) != []


def each_row_is_one_thing_of_the_course(rows: tuple[PlanRow, ...]) -> list[PlanRow]:
    for row in rows:
        for id in filter(None, (row.question, row.show)):
            question(id)
        if row.task:
            task(row.task)
    return [
        row
        for row in rows
        if [row.question, row.task, row.show, row.explorer, row.name].count("") != 4
        or not row.plans
        or not set(row.plans) <= set(PLANS)
        or bool(row.question and row.do)
        or (not row.question) != bool(row.minutes or row.each_notebook)
    ]


def the_explorer_comes_after_its_question(rows: tuple[PlanRow, ...]) -> list[int]:
    wrong = []
    for plan in PLANS:
        asked: set[str] = set()
        for row in (row for row in rows if plan in row.plans):
            asked.add(row.question)
            if row.explorer and teaching().sheets[row.explorer].explorer_after not in asked:
                wrong.append(plan)
    return wrong


def test_the_plans_are_of_this_course_and_open_the_explorer_first():
    assert each_row_is_one_thing_of_the_course(teaching().plan) == []
    assert the_explorer_comes_after_its_question(teaching().plan) == []


def test_a_broken_plan_is_found():
    rows = teaching().plan
    opens = next(row for row in rows if row.question == FIVE.explorer_after)
    assert the_explorer_comes_after_its_question(tuple(r for r in rows if r != opens)) == [*PLANS]
    broken = [replace(opens, plans=(50,)), replace(opens, do="solo"), replace(opens, name="both")]
    broken += [replace(opens, question=""), PlanRow(name="break", do="all", plans=(60,))]
    assert [each_row_is_one_thing_of_the_course((row,)) for row in broken] == [[r] for r in broken]
    with pytest.raises(ValueError, match="05/frist-row"):
        each_row_is_one_thing_of_the_course((replace(opens, question="05/frist-row"),))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('needs = "nothing"', 'need = "nothing"', r"teaching\.toml, sheet 00.*need"),
        ('cut_if_late = ["00/which-bank"]', "cut_if_late = []", r"sheet 00.*cut_if_late.*a list"),
        ('after = "04/late-zero"', "after = 4", r"teaching\.toml, sheet 04.*after"),
        ("each_notebook = 1", 'each_notebook = "1"', r"teaching\.toml, plan row 22.*each_notebook"),
        ("[[plan]]", "[[plans]]", r"teaching\.toml, field 'plan': missing"),
    ],
)
def test_a_malformed_file_is_refused_by_place_and_field(tmp_path, before, after, said):
    text = PATH.read_text("utf-8")
    assert before in text
    path = tmp_path / PATH.name
    path.write_text(text.replace(before, after), "utf-8")
    with pytest.raises(ValueError, match=said):
        read_teaching(path)
