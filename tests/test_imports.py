"""Imports go one way through the house, and the light parts load nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "attn_lab"

# part of the house: the other parts that it may import, or the one module of them
MAY_IMPORT = {
    "core": set(),
    "show": {"core"},
    "widgets": {"show.as_written"},
    "course": {"core", "show.printed_numbers", "show.entries"},  # to spell an answer
    "models": {"core"},
    "record": set(),
    "predict": {"course", "record", "show", "widgets", "classroom.client", "classroom.wire"},
    "explore": {"core", "show", "models", "widgets"},
    "grade": {"core", "show", "course", "record"},
    "classroom": {"course", "show.as_written", "show.figure_text"},
    "classroom.client": {"record", "classroom.wire", "classroom.join_string"},
    "commands": {
        *("core", "course", "record", "classroom", "widgets"),
        *("show.prose", "show.as_written"),
    },
    "cli": {"commands", "show.as_written"},
    "earlier_names": set(),
    "__init__": {"earlier_names"},
}
# part of the house: what it may import from outside, beside the standard library
OUTSIDE = {
    "core": {"torch"},
    "show": {"torch", "numpy", "matplotlib"},
    "widgets": {"anywidget", "traitlets"},
    "course": {"torch", "numpy", "msgspec"},
    "models": {"torch", "numpy"},
    "record": {"platformdirs"},
    "predict": {"torch", "numpy", "IPython"},
    "explore": {"torch", "numpy", "IPython"},
    "grade": {"torch", "numpy", "IPython"},
    "classroom.client": {"msgspec"},
    "classroom": {"msgspec", "tornado", "sqlalchemy", "platformdirs", "matplotlib"},
    "commands": {
        *(
            "torch",
            "IPython",
            "jupyter_client",
            "jupyter_core",
            "packaging",
            "tornado",
            "sqlalchemy",
        ),
        *("nbconvert", "nbformat", "pygments", "mistune", "jinja2", "markupsafe"),
    },
    "cli": set(),
    "earlier_names": set(),
    "__init__": set(),
}
HEAVY = ("torch", "matplotlib", "ipywidgets", "anywidget", "numpy", "IPython")
LIGHT_PARTS = (
    "attn_lab",
    "attn_lab.record",
    "attn_lab.course",
    "attn_lab.show.as_written",
    "attn_lab.show.printed_numbers",
    "attn_lab.show.entries",
    "attn_lab.classroom",
    "attn_lab.cli",
)


def part_of(file: Path) -> str:
    """The part of the house that a file belongs to: its folder, or its own name."""
    room, *below = file.relative_to(PACKAGE).with_suffix("").parts
    inner = f"{room}.{below[0]}" if below else room
    return inner if inner in MAY_IMPORT else room


def imported(source: str, package: str = "attn_lab") -> set[str]:
    """Every module that a source names in an import, wherever the import stands."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = f"{above}.{node.module or ''}".strip(".")
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def wrong_ways(part: str, source: str) -> list[str]:
    """The imports that a source of this part of the house must not have."""
    wrong = []
    for name in sorted(imported(source, f"attn_lab.{part}")):
        top, *below = name.split(".")
        if top == "attn_lab":
            target = below[0] if below else "__init__"
            module = ".".join(below[:2])
            allowed = {target, module} & (MAY_IMPORT[part] | {part, "__version__"})
        else:
            allowed = top in sys.stdlib_module_names or top in OUTSIDE[part]
        if not allowed:
            wrong.append(name)
    return wrong


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_go_one_way(file):
    assert wrong_ways(part_of(file), file.read_text("utf-8")) == []


def test_every_part_of_the_house_has_a_rule():
    assert {part_of(file) for file in FILES} <= MAY_IMPORT.keys() == OUTSIDE.keys()


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("core", "from attn_lab.show import heatmap"),
        ("core", "import matplotlib.pyplot"),
        ("core", "def f():\n    from attn_lab import show"),
        ("record", "from attn_lab.course.questions import question"),
        ("record", "import torch"),
        ("record", "from attn_lab.classroom.join_string import plain"),
        ("predict", "from attn_lab.classroom.server.room import Room"),
        ("classroom.client", "from attn_lab.classroom.server.room import Room"),
        ("classroom.client", "import tornado"),
        ("predict", "from attn_lab.core.masks import causal_mask"),
        ("explore", "import attn_lab.classroom.server"),
        ("show", "from attn_lab import attention"),
        ("course", "from . import forms\nfrom .. import predict"),
        ("course", "from ..predict import ask"),
        ("course", "from attn_lab.show.heatmaps import heatmap"),
    ],
)
def test_the_rule_refuses_an_import_against_the_way(part, source):
    assert wrong_ways(part, source) != []


def test_the_rule_lets_the_way_itself_pass():
    source = "import json\nfrom attn_lab.core.masks import causal_mask\nfrom . import colours\n"
    assert wrong_ways("show", source + "import matplotlib as mpl") == []


def loaded_by(statement: str) -> set[str]:
    """The heavy packages that a fresh interpreter holds after a statement."""
    code = f"import sys\n{statement}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("module", LIGHT_PARTS)
def test_a_light_part_loads_nothing_heavy(module):
    assert loaded_by(f"import {module}") == set()


def test_that_check_sees_what_is_loaded():
    assert "torch" in loaded_by("import attn_lab\nattn_lab.causal_mask")
    assert {"matplotlib", "ipywidgets"} <= loaded_by("import matplotlib, ipywidgets")


def test_a_name_is_there_at_first_use():
    assert loaded_by("from attn_lab import causal_mask\nassert callable(causal_mask)") >= {"torch"}
