"""A build stores what a run shows, hides nothing that failed, and repeats to the byte."""

import importlib.util
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

SOURCES = [
    "import os\nimport ipywidgets",
    'print(os.environ["ATTN_LAB_REVEAL"])\nprint("again")',
    'ipywidgets.HTML("a widget")',
    'os.path.basename(os.environ["ATTN_LAB_STORE"])',
]


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The build script, loaded from the file beside this one."""
    spec = importlib.util.spec_from_file_location("build", Path(__file__).with_name("build.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(path: Path, sources: list[str]) -> Path:
    cells = [
        nbformat.v4.new_code_cell(source, id=f"cell-{number}")
        for number, source in enumerate(sources)
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_a_second_build_gives_the_same_bytes(build, tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", "/the/learners/own/store.db")
    path = write(tmp_path / "tiny.ipynb", SOURCES)
    assert "updated" in build.build(path)
    first = path.read_bytes()
    assert "unchanged" in build.build(path)
    assert path.read_bytes() == first


def test_a_build_reveals_and_uses_a_scratch_store_and_keeps_no_widget(build, tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", "/the/learners/own/store.db")
    path = write(tmp_path / "tiny.ipynb", SOURCES)
    build.build(path)
    nb = nbformat.read(path, as_version=4)
    assert nb.cells[1].outputs[0].text == "always\nagain\n"
    assert nb.cells[3].outputs[0].data["text/plain"] == "'store.db'"
    assert "widgets" not in nb.metadata
    assert list(nb.cells[2].outputs[0].data) == ["text/plain"]


def test_a_notebook_that_fails_is_left_as_it_was_and_said(build, tmp_path, capsys):
    path = write(tmp_path / "broken.ipynb", ["1 / 0"])
    before = path.read_bytes()
    assert build.main([str(path)]) == 1
    assert path.read_bytes() == before
    assert "broken.ipynb: left as it was" in capsys.readouterr().err
