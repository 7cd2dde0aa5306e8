"""A handout is written as a whole, and over no file that is not a handout's."""

from pathlib import Path

import pytest

from attn_lab import cli
from attn_lab.commands.handout.rendering import filled
from attn_lab.commands.handout.writing import MARK, write_pages

THEIRS = "<title>my own site</title>"


def files(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def test_a_site_of_somebody_elses_is_left_alone_in_words(tmp_path, monkeypatch, capsys):
    (tmp_path / "index.html").write_text(THEIRS)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["handout", "."]) == 1
    said = capsys.readouterr().err
    assert "index.html is no page of a handout. Nothing was written." in said
    assert "Name another folder" in said
    assert files(tmp_path) == {"index.html": THEIRS}


def test_its_own_pages_are_replaced_each_of_which_carries_the_mark(tmp_path, pages):
    assert [name for name, page in pages.items() if MARK not in page] == []
    before = filled("page.html", title="before", kind="index", body="")
    write_pages(tmp_path, {"index.html": before, "teaching/a.html": before})
    write_pages(tmp_path, {"index.html": f"{MARK}2", "teaching/a.html": f"{MARK}3"})
    assert files(tmp_path) == {"index.html": f"{MARK}2", "teaching/a.html": f"{MARK}3"}


def test_a_folder_of_a_pages_name_is_in_the_way_too(tmp_path):
    (tmp_path / "b.html").mkdir()
    with pytest.raises(ValueError, match=r"b\.html is no page of a handout"):
        write_pages(tmp_path, {"a.html": MARK, "b.html": MARK})
    assert files(tmp_path) == {}


def test_a_disk_that_is_full_halfway_leaves_every_page_as_it_was(tmp_path, monkeypatch):
    write_pages(tmp_path, {"a.html": f"{MARK}1", "b.html": f"{MARK}1"})
    real = Path.write_text

    def full(path, *given, **named):
        if "b.html" in path.name:
            raise OSError(28, "No space left on device")
        return real(path, *given, **named)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_pages(tmp_path, {"a.html": f"{MARK}2", "b.html": f"{MARK}2"})
    assert files(tmp_path) == {"a.html": f"{MARK}1", "b.html": f"{MARK}1"}
