"""New notebooks arrive, newer ones are laid beside, and what a learner wrote is never touched."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from attn_lab.commands import learners_folder
from attn_lab.commands.check import folder_fact
from attn_lab.commands.learners_folder import (
    SHIPPED_LAST,
    copy_notebooks,
    learner_home,
    shipped_notebooks,
)
from attn_lab.course.editions import as_text, learner_copy

NAME = "05_mask.ipynb"


def lesson(source: str) -> str:
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": source}
    return as_text(learner_copy({"cells": [cell]}))


def files(home: Path) -> dict[str, str]:
    """What a learner sees in the folder."""
    return {path.name: path.read_text("utf-8") for path in sorted(home.glob("*.ipynb"))}


@pytest.fixture
def home(tmp_path) -> Path:
    """A folder in which the first version has been copied."""
    copy_notebooks({NAME: lesson("1")}, tmp_path / "home")
    return tmp_path / "home"


def work_on(home: Path, name: str = NAME) -> str:
    text = (home / name).read_text("utf-8").replace('"1"', '"1  # my own words"')
    (home / name).write_text(text, "utf-8")
    return text


def test_a_new_notebook_is_copied_and_said(tmp_path):
    assert copy_notebooks({NAME: lesson("1")}, tmp_path / "new") == [f"Copied {NAME}."]
    assert files(tmp_path / "new") == {NAME: lesson("1")}


def test_starting_again_says_and_writes_nothing(home):
    before = (home / NAME).stat().st_mtime_ns
    assert copy_notebooks({NAME: lesson("1")}, home) == []
    assert (home / NAME).stat().st_mtime_ns == before


def test_the_learners_work_is_kept_and_a_newer_version_laid_beside_once(home):
    mine = work_on(home)
    said = copy_notebooks({NAME: lesson("2")}, home)
    assert said == [f"There is a newer {NAME}: 05_mask.new.ipynb. Yours is as you left it."]
    assert files(home) == {NAME: mine, "05_mask.new.ipynb": lesson("2")}
    assert copy_notebooks({NAME: lesson("2")}, home) == []


def test_an_offer_that_was_deleted_is_not_made_again(home):
    work_on(home)
    copy_notebooks({NAME: lesson("2")}, home)
    (home / "05_mask.new.ipynb").unlink()
    assert copy_notebooks({NAME: lesson("2")}, home) == []


def test_an_untouched_offer_is_replaced_and_one_that_was_worked_on_is_kept(home):
    mine = work_on(home)
    copy_notebooks({NAME: lesson("1 2")}, home)
    copy_notebooks({NAME: lesson("1 3")}, home)
    assert files(home) == {NAME: mine, "05_mask.new.ipynb": lesson("1 3")}
    (home / "05_mask.new.ipynb").write_text("also mine", "utf-8")
    copy_notebooks({NAME: lesson("1 4")}, home)
    assert files(home) == {
        NAME: mine,
        "05_mask.new.ipynb": "also mine",
        "05_mask.new-2.ipynb": lesson("1 4"),
    }


def test_a_notebook_nobody_changed_is_updated_in_place(home):
    said = copy_notebooks({NAME: lesson("2")}, home)
    assert said == [f"Updated {NAME}; you had not changed yours."]
    assert files(home) == {NAME: lesson("2")}


def test_a_lost_list_of_what_was_shipped_makes_every_change_the_learners(home):
    mine = work_on(home)
    for lost in (None, "", "[]", "{"):
        (home / SHIPPED_LAST).unlink()
        if lost is not None:
            (home / SHIPPED_LAST).write_text(lost)
        copy_notebooks({NAME: lesson("2")}, home)
        assert files(home)[NAME] == mine


def test_running_a_notebook_is_no_reason_to_offer_it_again(home):
    nb = json.loads((home / NAME).read_text("utf-8"))
    nb["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1"]}]
    (home / NAME).write_text(json.dumps(nb), "utf-8")
    (home / SHIPPED_LAST).unlink()
    assert copy_notebooks({NAME: lesson("1")}, home) == []
    assert list(files(home)) == [NAME]


@pytest.mark.parametrize("text", ["", "not a notebook", "[1]", '{"cells": [1]}', "{}"])
def test_a_file_that_is_no_notebook_any_more_is_kept(home, text):
    (home / NAME).write_text(text, "utf-8")
    copy_notebooks({NAME: lesson("2")}, home)
    assert files(home) == {NAME: text, "05_mask.new.ipynb": lesson("2")}


def test_a_deleted_notebook_comes_back_fresh(home):
    (home / NAME).unlink()
    assert copy_notebooks({NAME: lesson("1")}, home) == [f"Copied {NAME}."]


def test_a_full_disk_leaves_no_half_notebook(home, monkeypatch):
    mine = work_on(home)

    def full(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        copy_notebooks({NAME: lesson("2")}, home)
    assert files(home) == {NAME: mine}
    assert {path.name for path in home.iterdir()} == {NAME, SHIPPED_LAST}


COPIES = """
import sys
from pathlib import Path
from attn_lab.commands.learners_folder import copy_notebooks, shipped_notebooks
shipped = shipped_notebooks()
print("ready", flush=True)
sys.stdin.readline()
copy_notebooks(shipped, Path(sys.argv[1]))
"""


def test_eight_that_copy_at_once_do_not_take_each_others_files(tmp_path):
    command = [sys.executable, "-c", COPIES, str(tmp_path / "home")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    copying = [subprocess.Popen(command, text=True, **pipes) for _ in range(8)]
    for each in copying:
        assert each.stdout.readline() == "ready\n"
    for each in copying:
        each.stdin.write("go\n")
        each.stdin.flush()
    assert [each.communicate()[1] for each in copying] == [""] * 8
    assert files(tmp_path / "home") == shipped_notebooks()
    assert {path.suffix for path in (tmp_path / "home").iterdir()} == {".ipynb", ".json"}


def test_the_authors_own_folder_is_refused():
    with pytest.raises(ValueError, match=r"ATTN_LAB_HOME must be a folder of your own; got .*"):
        copy_notebooks({NAME: lesson("1")}, learners_folder.shipped_folder())


def test_what_ships_is_every_notebook_in_order_without_its_outputs(tmp_path, monkeypatch):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "1", "execution_count": 1}
    output = {"output_type": "stream", "name": "stdout", "text": "0.67"}
    for name in ("01_b.ipynb", "00_a.ipynb"):
        text = json.dumps({"cells": [{**cell, "outputs": [output]}]})
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(learners_folder, "shipped_folder", lambda: tmp_path)
    assert list(shipped_notebooks().items()) == [
        ("00_a.ipynb", lesson("1")),
        ("01_b.ipynb", lesson("1")),
    ]


def test_without_notebooks_it_says_to_install_again(tmp_path, monkeypatch):
    monkeypatch.setattr(learners_folder, "shipped_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match="Install attn-lab again"):
        shipped_notebooks()


def test_the_home_is_the_learners_choice_or_beside_them(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ATTN_LAB_HOME", raising=False)
    assert learner_home() == tmp_path / "attn-lab-notebooks"
    monkeypatch.setenv("ATTN_LAB_HOME", "~/course")
    assert learner_home() == Path.home() / "course"


def test_inside_the_learners_folder_it_is_that_folder_and_no_second_one_in_it(home, monkeypatch):
    monkeypatch.chdir(home)
    monkeypatch.delenv("ATTN_LAB_HOME", raising=False)
    assert learner_home() == home
    assert folder_fact()[0].found == f"1 in {home}"


def test_a_folder_named_like_a_notebook_keeps_its_name_and_stops_no_other(tmp_path):
    (tmp_path / NAME).mkdir()
    both = {NAME: lesson("1"), "06_next.ipynb": lesson("2")}
    said = copy_notebooks(both, tmp_path)
    assert len(said) == 2 and said[1] == "Copied 06_next.ipynb."
    assert said[0].startswith(f"Left out {NAME}: {tmp_path / NAME} is a folder. Rename it, or set")
    assert copy_notebooks(both, tmp_path) == said[:1], "said again until it is mended"
    (tmp_path / NAME).rmdir()
    assert copy_notebooks(both, tmp_path) == [f"Copied {NAME}."]


def test_a_folder_where_the_offer_would_lie_is_passed_over(home):
    work_on(home)
    (home / "05_mask.new.ipynb").mkdir()
    copy_notebooks({NAME: lesson("2")}, home)
    assert (home / "05_mask.new-2.ipynb").read_text("utf-8") == lesson("2")


def test_a_folder_in_place_of_the_list_is_said(tmp_path):
    (tmp_path / SHIPPED_LAST).mkdir()
    said = copy_notebooks({NAME: lesson("1")}, tmp_path)
    assert said[0] == f"Copied {NAME}." and f"Left out {SHIPPED_LAST}: " in said[1]


@pytest.mark.parametrize("below", ["", "home"])
def test_a_file_in_place_of_the_folder_is_said_with_the_variable(tmp_path, below):
    (tmp_path / "a-file").write_text("mine")
    place = tmp_path / "a-file" / below
    with pytest.raises(ValueError, match=r"ATTN_LAB_HOME needs a folder.*a-file is a file\. Set"):
        copy_notebooks({NAME: lesson("1")}, place)
    assert (tmp_path / "a-file").read_text() == "mine"


def test_the_home_of_a_user_who_is_not_here_is_said(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_HOME", "~nosuch/x")
    with pytest.raises(
        ValueError, match=r"ATTN_LAB_HOME needs a path .* got '~nosuch/x'.*unset it"
    ):
        learner_home()
