"""Run sheets and plans stand as the data makes them, fit on a page, and name real commands."""

import re
from html import unescape
from pathlib import Path

import pytest
from msgspec.structs import replace

from attn_lab.cli import COMMANDS
from attn_lab.commands.handout.run_sheets import (
    expected,
    main,
    plan_minutes,
    sheet_page,
    teaching_pages,
)
from attn_lab.course.questions import question
from attn_lab.course.teaching import PLANS, teaching

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "notebooks" / "teaching"
PAGES = teaching_pages([path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))])
OTHERS = sorted(path.name for path in FOLDER.glob("*.md") if path.name not in PAGES)
MOST_LINES, MOST_LETTERS = 60, 3400  # 3,300 fill an A4 side at 10.5 pt in Chromium


@pytest.mark.parametrize("name", PAGES)
def test_each_page_in_the_repository_is_what_make_notebooks_writes(name):
    assert (FOLDER / name).read_text("utf-8") == PAGES[name], "run make notebooks"


def test_no_sheet_is_left_of_a_notebook_that_is_gone():
    assert {path.name for path in FOLDER.glob("[0-9]*.md")} == PAGES.keys() - {"plans.md"}


@pytest.mark.parametrize("name", sorted(PAGES.keys() - {"plans.md"}))
def test_a_run_sheet_is_tables_alone_and_one_page_long(name):
    title, *lines = PAGES[name].splitlines()
    assert title.startswith(f"# {name[:2]} ")
    assert [line for line in lines if line and line[0] != "|"] == []
    assert len(lines) < MOST_LINES and len(PAGES[name]) <= MOST_LETTERS


@pytest.mark.parametrize("plan", PLANS)
def test_each_plan_fits_its_time_with_slack(plan):
    spent = sum(plan_minutes(row, plan) for row in teaching().plan)
    assert 0.8 * plan <= spent <= 0.9 * plan, "a tenth is slack"


def test_the_wrong_answers_are_the_first_of_the_data_or_those_that_a_sheet_names():
    sheet = teaching().sheets["05"]
    assert [words for words, _ in expected(question("05/first-row"), sheet)] == [
        "0.266, 0.131, 0.539, 0.065",
        "0.266, 0, 0, 0",
    ]
    named = expected(question("05/third-row"), sheet)
    assert named[2] == ("0.734, 0.088, 0.178, 0", "rows and columns exchanged")
    assert expected(question("05/mask-off"), sheet)[0] == (
        "row 1 only",
        "only the first row is special",
    )
    odd = replace(sheet, expect={"05/first-row": ("no such answer",)})
    with pytest.raises(ValueError, match=r"05/first-row.*'mask forgotten'.*no such answer"):
        expected(question("05/first-row"), odd)


def test_the_command_writes_what_is_not_up_to_date_and_says_so(tmp_path, capsys):
    (tmp_path / "04_the_causal_boundary.ipynb").touch()
    (tmp_path / "teaching").mkdir()
    assert main([str(tmp_path)]) == 0
    said = "teaching/04_the_causal_boundary.md: updated\nteaching/plans.md: updated\n"
    assert capsys.readouterr().out == said
    assert (tmp_path / "teaching" / "plans.md").read_text("utf-8") == PAGES["plans.md"]
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""


def test_a_notebook_without_a_sheet_in_the_data_is_one_line(tmp_path, capsys):
    (tmp_path / "11_new.ipynb").touch()
    assert main([str(tmp_path)]) == 1
    said = "teaching.toml: expected [sheet.11]; write it like the others.\n"
    assert capsys.readouterr().err == said


def unknown_commands(text: str) -> list[str]:
    known = {command.NAME for command in COMMANDS}
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    wrong = [name for name in re.findall(r"`attn-lab ([a-z]+)", text) if name not in known]
    return wrong + [name for name in re.findall(r"`make ([a-z]+)", text) if name not in targets]


@pytest.mark.parametrize("name", sorted({"plans.md", *OTHERS}))
def test_a_page_for_instructors_is_short_and_names_commands_that_exist(name):
    text = (FOLDER / name).read_text("utf-8")
    assert unknown_commands(text) == []
    assert len(text.splitlines()) <= MOST_LINES


@pytest.mark.parametrize("broken", ["`attn-lab handouts`", "`make handout`"])
def test_a_command_that_does_not_exist_is_found(broken):
    assert "`attn-lab handout`" in PAGES["plans.md"]
    assert unknown_commands(PAGES["plans.md"].replace("`attn-lab handout`", broken)) != []


def test_a_run_sheet_becomes_a_page_with_header_cells_and_no_live_html():
    html = sheet_page(
        "# 04 <b>Title</b>\n\n| id | do |\n|---|---|\n| `04/a` | <script>x</script> |\n"
    )
    assert html.count('<th scope="col">') == 2
    assert "<title>04 &lt;b&gt;Title&lt;/b&gt;</title>" in html
    assert "<script>" not in html and "<script>" in unescape(html)
