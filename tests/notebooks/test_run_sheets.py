"""Each run sheet says what the question data say, and fits on a page; so do the plans."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from attn_lab.course.answer_groups import Group, named_groups
from attn_lab.course.editions import text_of
from attn_lab.course.forms import Question
from attn_lab.course.questions import misconceptions, notebook, notebook_numbers, questions
from attn_lab.course.tasks import tasks

FOLDER = Path(__file__).parents[2] / "notebooks" / "teaching"
SHEETS = sorted(FOLDER.glob("[0-9][0-9]_*.md"))
ID = re.compile(r"`(\d\d/[a-z0-9-]+)`")
EXPECTED = re.compile(r"“(.+?)”: ([^·]+?)(?: · |$)")
COLUMNS = ["min", "id", "do", "expect: why people say it", "ask next, do not tell"]
COLUMNS += ["picture must show", "room 1 / 2"]
NOTES = ["rule", "late? cut", "never cut", "hint", "breaks", "for home", "fast finishers"]
NOTES += ["this room"]
OPENS = re.compile(r"opens only once `(\d\d/[a-z0-9-]+)`")
MOST_LINES, MOST_LETTERS = 60, 3400  # 3,300 fill an A4 side at 10.5 pt in Chromium


@dataclass(frozen=True)
class Sheet:
    """A run sheet taken apart: its number, its rows, and its notes by their first cell."""

    number: str
    rows: list[list[str]]
    notes: dict[str, str]
    head: list[str]
    text: str

    def questions(self) -> list[list[str]]:
        """The rows that are questions of the course."""
        return [row for row in self.rows if ID.fullmatch(row[1])]


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown text: rows of cells, header first, without the rule below it."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    rows = [[line.strip("|").split("|") for line in block.splitlines()] for block in blocks]
    return [
        [[cell.strip() for cell in row] for row in table if not set("".join(row)) <= {"-"}]
        for table in rows
    ]


def read_sheet(text: str) -> Sheet:
    """A run sheet's parts. Raises: ValueError when it has not the four tables of the form."""
    number = re.match(r"# (\d\d) ", text)
    found = tables(text)
    if number is None or len(found) != 4 or found[2][0] != COLUMNS:
        raise ValueError("a run sheet has a title and four tables, the third with its columns")
    notes = {row[0]: row[1] for table in (found[1], found[3]) for row in table[1:]}
    return Sheet(number[1], found[2][1:], notes, found[0][0], text)


def expected_words(asked: Question, group: Group) -> tuple[str, str]:
    """How a sheet spells one wrong answer, and why people say it."""
    words = group.meaning if asked.kind == "cells" else group.label.rstrip(".")
    return words, misconceptions()[group.misconception].name


def above_the_line(number: str) -> list[Question]:
    """The questions of a notebook that are no extras."""
    return [each for each in notebook(number).questions if each.depth != "extra"]


def rows_say_what_the_data_say(sheet: Sheet) -> list[str]:
    known = {each.id: each for each in questions()}
    wrong = []
    for row in sheet.questions():
        asked = known.get(ID.fullmatch(row[1])[1])
        if asked is None:
            wrong.append(f"{row[1]} is not in the course")
            continue
        said = [row[0], row[2], row[4], row[5]]
        do = "**discuss**" if asked.discuss else "solo"
        right = [f"{asked.minutes:g}", do, asked.ask_next, asked.picture]
        if said != right:
            wrong.append(f"{asked.id}: write {right}, not {said}")
    return wrong


def every_question_above_the_line_is_there_in_order(sheet: Sheet) -> list[str]:
    got = [ID.fullmatch(row[1])[1] for row in sheet.questions()]
    right = [each.id for each in above_the_line(sheet.number)]
    return [] if got == right else [f"{got}, expected {right}"]


def wrong_answers_are_those_of_the_data(sheet: Sheet) -> list[str]:
    known = {each.id: each for each in questions()}
    wrong = []
    for row in sheet.questions():
        asked = known.get(ID.fullmatch(row[1])[1])
        groups = named_groups(asked) if asked else []
        right = [expected_words(asked, each) for each in groups if each.misconception]
        said = EXPECTED.findall(row[3])
        spelled = " · ".join(f"“{words}”: {why}" for words, why in said)
        if not said or spelled != row[3] or not set(said) <= set(right):
            wrong.append(f"{row[1]}: {row[3]} has something else than {right}")
    return wrong


def the_minutes_add_up(sheet: Sheet) -> list[str]:
    about = notebook(sheet.number)
    total = sum(float(row[0]) for row in sheet.rows)
    last = above_the_line(sheet.number)[-1].id
    right = [f"live {total:g} min", f"alone {about.minutes:g} min", f"stop line after `{last}`"]
    got = [sheet.head[0], sheet.head[1], sheet.head[3]]
    title = f"# {sheet.number} {about.title}\n"
    wrong = [] if got == right else [f"{got}, expected {right}"]
    return wrong + ([] if sheet.text.startswith(title) else [f"expected the title {title}"])


def what_is_cut_is_never_what_is_kept(sheet: Sheet) -> list[str]:
    own = above_the_line(sheet.number)
    cut, kept = (ID.findall(sheet.notes[name]) for name in ("late? cut", "never cut"))
    wrong = [
        f"cut {id}: not a core question here"
        for id in cut
        if id not in [each.id for each in own if each.depth == "core"]
    ]
    wrong += [f"{id} is both cut and kept" for id in set(cut) & set(kept)]
    wrong += [
        f"{each.id} is for the class, so never cut"
        for each in own
        if each.depth == "class" and each.id not in kept
    ]
    return wrong + ([] if cut else ["nothing to cut"])


def every_contested_question_has_a_hint_that_gives_nothing_away(sheet: Sheet) -> list[str]:
    hints = {
        id: words
        for id, words in re.findall(r"`(\d\d/[a-z0-9-]+)` (.+?)(?= · `|$)", sheet.notes["hint"])
    }
    own = {each.id: each for each in above_the_line(sheet.number)}
    wrong = [f"{id}: no hint" for id, each in own.items() if each.discuss and id not in hints]
    wrong += [f"{id}: a hint for no question here" for id in hints if id not in own]
    given = [(id, option.text) for id in hints if id in own for option in own[id].options]
    return wrong + [
        f"{id}: the hint holds “{text}”"
        for id, text in given
        if text.rstrip(".").lower() in hints[id].lower()
    ]


def extras_and_tasks_are_offered(sheet: Sheet) -> list[str]:
    extras = [each.id for each in notebook(sheet.number).questions if each.depth == "extra"]
    made = [id for id in tasks() if id.startswith(sheet.number)]
    fast, home = sheet.notes["fast finishers"], sheet.notes["for home"]
    return [id for id in extras if f"`{id}`" not in fast] + [
        id for id in made if f"`{id}`" not in home
    ]


def the_form_is_whole_and_one_page_long(sheet: Sheet) -> list[str]:
    wrong = [f"no {name}" for name in ["aim", "say first", *NOTES] if not sheet.notes.get(name)]
    lines = sheet.text.splitlines()
    wrong += [f"{len(lines)} lines"] if len(lines) > MOST_LINES else []
    wrong += [f"{len(sheet.text)} letters"] if len(sheet.text) > MOST_LETTERS else []
    return wrong + [f"no table: {line}" for line in lines[1:] if line and line[0] != "|"]


def an_explorer_is_said_to_wait_for_its_gate(sheet: Sheet) -> list[str]:
    got, right = set(OPENS.findall(sheet.text)), gates(sheet.number)
    rows = [row[1].strip("`") for row in sheet.rows]
    early = [id for id in got if "explorer" in rows and id not in rows[: rows.index("explorer")]]
    return [] if got == right and not early else [f"says {got}, the notebook has {right}", *early]


def gates(number: str) -> set[str]:
    """The questions that open an explorer in a notebook."""
    path = next(FOLDER.parent.glob(f"{number}_*.ipynb"))
    cells = [text_of(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    code = "\n".join(cells)
    asked = dict(re.findall(r'^(\w+) = ask\("([^"]+)"\)', code, re.MULTILINE))
    names = re.findall(r"^from attn_lab\.explore import (\w+)", code, re.MULTILINE)
    shown = rf"^(\w+)\.then\([^#]*?\b(?:{'|'.join(names)})\("
    found = [name for cell in cells if names for name in re.findall(shown, cell, re.MULTILINE)]
    return {asked[name] for name in found}


RULES = (
    rows_say_what_the_data_say,
    every_question_above_the_line_is_there_in_order,
    wrong_answers_are_those_of_the_data,
    the_minutes_add_up,
    what_is_cut_is_never_what_is_kept,
    every_contested_question_has_a_hint_that_gives_nothing_away,
    extras_and_tasks_are_offered,
    the_form_is_whole_and_one_page_long,
    an_explorer_is_said_to_wait_for_its_gate,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_run_sheet_keeps(rule, path):
    assert rule(read_sheet(path.read_text("utf-8"))) == []


def test_the_rule_is_the_same_on_every_sheet():
    assert len({read_sheet(path.read_text("utf-8")).notes["rule"] for path in SHEETS}) == 1


def test_every_notebook_has_one_sheet_under_its_own_name():
    assert [path.stem[:2] for path in SHEETS] == notebook_numbers()
    missing = {path.stem for path in FOLDER.parent.glob("*.ipynb")} - {p.stem for p in SHEETS}
    assert not missing, "write notebooks/teaching/NAME.md for each, in the form of the others"


BROKEN = [
    (rows_say_what_the_data_say, "| 7 | `04/ripple`", "| 6 | `04/ripple`"),
    (rows_say_what_the_data_say, "| `04/legal` | solo", "| `04/legal` | **discuss**"),
    (rows_say_what_the_data_say, "What stands in the denominator?", "Is it the denominator?"),
    (rows_say_what_the_data_say, "ten open cells", "nine open cells"),
    (rows_say_what_the_data_say, "| `04/legal`", "| `04/leagl`"),
    (every_question_above_the_line_is_there_in_order, "| `04/ripple` | **", "| ripple | **"),
    (wrong_answers_are_those_of_the_data, "No, they stay as they are", "No, they stay"),
    (wrong_answers_are_those_of_the_data, "future flows back · ", "future flows back, "),
    (wrong_answers_are_those_of_the_data, ": zeroed after the softmax", ": laziness"),
    (the_minutes_add_up, "| 2 | close", "| 3 | close"),
    (the_minutes_add_up, "alone 40 min", "alone 41 min"),
    (the_minutes_add_up, "line after `04/triu-0`", "line after `04/late-zero`"),
    (the_minutes_add_up, "# 04 The causal boundary", "# 04 Causality"),
    (what_is_cut_is_never_what_is_kept, "cut | `04/triu-0`", "cut | `04/late-zero`"),
    (what_is_cut_is_never_what_is_kept, "`04/ripple`, `04/late-zero` |", "`04/late-zero` |"),
    (every_contested_question_has_a_hint_that_gives_nothing_away, "hint | `04/ripple`", "hint | "),
    (
        every_contested_question_has_a_hint_that_gives_nothing_away,
        "Write the one weight that is left",
        "“Yes, its weights change”: write the one weight that is left",
    ),
    (extras_and_tasks_are_offered, "then `04/next-token`", "then coffee"),
    (extras_and_tasks_are_offered, "“Make” `04/causal-mask`", "rest"),
    (the_form_is_whole_and_one_page_long, "| aim |", "| target |"),
    (the_form_is_whole_and_one_page_long, "| this room |", "| room |"),
    (the_form_is_whole_and_one_page_long, "\n\n| before", "\n\nA paragraph.\n\n| before"),
    (the_form_is_whole_and_one_page_long, "| aim | ", "| aim | " + "so " * 400),
    (the_form_is_whole_and_one_page_long, "| rule |", "| x | x |\n" * 40 + "| rule |"),
    (
        an_explorer_is_said_to_wait_for_its_gate,
        "| rule |",
        "| x | opens only once `04/ripple` |\n| rule |",
    ),
]


@pytest.mark.parametrize(("rule", "before", "after"), BROKEN)
def test_a_broken_sheet_is_found(rule, before, after):
    text = next(path for path in SHEETS if path.stem[:2] == "04").read_text("utf-8")
    assert before in text
    assert rule(read_sheet(text)) == []
    assert rule(read_sheet(text.replace(before, after, 1))) != []


def test_an_explorer_shown_too_early_is_found():
    text = next(path for path in SHEETS if path.stem[:2] == "05").read_text("utf-8")
    row = next(line for line in text.splitlines(keepends=True) if "| explorer |" in line)
    early = text.replace(row, "").replace("| 4 | `05/first-row`", row + "| 4 | `05/first-row`")
    assert an_explorer_is_said_to_wait_for_its_gate(read_sheet(early)) != []


def test_a_text_of_another_form_is_refused():
    with pytest.raises(ValueError, match="four tables"):
        read_sheet("# 04 The causal boundary\n\n| a |\n|---|\n| b |\n")
