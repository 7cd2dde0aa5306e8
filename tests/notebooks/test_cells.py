"""Cells are short, readably named and plain, so that they run the same everywhere."""

import ast
import re
from statistics import median

import pytest

from attn_lab.course.editions import Notebook
from tests.helpers.notebook_files import sources, with_code

READABLE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RANDOM = re.compile(r"[0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NBVAL_WORDS = re.compile(
    r"nbval[-_]|raises[-_]exception|PYTEST_VALIDATE_IGNORE_OUTPUT", re.IGNORECASE
)
# Each of these makes JupyterLab and nbval disagree about what a cell shows.
UNSTABLE = {"Output", "clear_output", "interact", "interactive", "display_id", "update_display"}


def ids_are_readable_and_unique(nb: Notebook) -> list[str]:
    ids = [cell.get("id", "") for cell in nb["cells"]]
    wrong = [id for id in ids if not READABLE.fullmatch(id) or RANDOM.fullmatch(id)]
    return wrong + [id for id in set(ids) if ids.count(id) > 1]


def code_cells_are_short(nb: Notebook) -> list[str]:
    lengths = {id: len(re.findall(r"^.*\S", source, re.M)) for id, source in sources(nb).items()}
    middle = median(lengths.values())
    long = [f"{id}: {length} lines" for id, length in lengths.items() if length > 12]
    return long + ([f"median {middle}"] if middle > 4 else [])


def the_first_code_cell_only_imports(nb: Notebook) -> list[str]:
    id, source = next(iter(sources(nb).items()))
    others = [each for each in ast.parse(source).body if not isinstance(each, IMPORTS)]
    return [id] if others else []


IMPORTS = (ast.Import, ast.ImportFrom)


def no_cell_ends_in_a_semicolon(nb: Notebook) -> list[str]:
    """JupyterLab is silenced by it, nbval is not."""
    return [id for id, source in sources(nb).items() if source.rstrip().endswith(";")]


def nothing_is_exempt_from_comparison(nb: Notebook) -> list[str]:
    tags = {cell["id"]: " ".join(cell["metadata"].get("tags", [])) for cell in nb["cells"]}
    return [id for id, source in sources(nb).items() if NBVAL_WORDS.search(f"{tags[id]} {source}")]


def nothing_shows_differently_under_nbval(nb: Notebook) -> list[str]:
    return [id for id, source in sources(nb).items() if UNSTABLE & names(source)]


def names(source: str) -> set[str]:
    """Every name that a source uses: variables, attributes, keywords, imports."""
    nodes = list(ast.walk(ast.parse(source)))
    found = {getattr(node, field, "") for node in nodes for field in ("id", "attr", "arg", "name")}
    return {name for name in found if isinstance(name, str)}


RULES = (
    ids_are_readable_and_unique,
    code_cells_are_short,
    the_first_code_cell_only_imports,
    no_cell_ends_in_a_semicolon,
    nothing_is_exempt_from_comparison,
    nothing_shows_differently_under_nbval,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps(rule, notebook):
    assert rule(notebook) == []


def test_the_small_notebook_keeps_every_rule(tiny):
    assert [rule(tiny) for rule in RULES] == [[]] * len(RULES)


@pytest.mark.parametrize(
    "id", ["title", "7f3c2a1b", "2b1e9f60-8d1c-4c0e-9a55-0c1d2e3f4a5b", "Two words", "a_b", ""]
)
def test_a_duplicate_random_or_unreadable_id_is_found(tiny, id):
    tiny["cells"][-1]["id"] = id
    assert ids_are_readable_and_unique(tiny) == [id]


def test_a_long_cell_and_a_long_median_are_found(tiny):
    assert code_cells_are_short(with_code(tiny, "x = 1\n\n" * 12)) == []
    assert code_cells_are_short(with_code(tiny, "x = 1\n" * 13)) == ["again: 13 lines"]
    for cell in tiny["cells"]:
        cell["source"] = ["x = 1\n"] * 5
    assert code_cells_are_short(tiny) == ["median 5.0"]


def test_a_first_cell_that_does_more_than_import_is_found(tiny):
    tiny["cells"][1]["source"].append("\nx = 1")
    assert the_first_code_cell_only_imports(tiny) == ["imports"]


def test_a_semicolon_at_the_end_is_found_and_one_inside_is_not(tiny):
    assert no_cell_ends_in_a_semicolon(with_code(tiny, "plot(x);\n")) == ["again"]
    assert no_cell_ends_in_a_semicolon(with_code(tiny, 'print("a;")')) == []


@pytest.mark.parametrize("tag", ["nbval-ignore-output", "nbval-skip", "raises-exception"])
def test_a_tag_that_exempts_a_cell_is_found(tiny, tag):
    tiny["cells"][-1]["metadata"]["tags"] = ["kept", tag]
    assert nothing_is_exempt_from_comparison(tiny) == ["again"]


@pytest.mark.parametrize("word", ["NBVAL_IGNORE_OUTPUT", "PYTEST_VALIDATE_IGNORE_OUTPUT"])
def test_a_comment_that_exempts_a_cell_is_found(tiny, word):
    assert nothing_is_exempt_from_comparison(with_code(tiny, f"# {word}\n1")) == ["again"]


@pytest.mark.parametrize(
    "source",
    ["with Output(): f()", "w.clear_output()", "interact(f)", "display(x, display_id=True)"],
)
def test_what_nbval_sees_differently_is_found(tiny, source):
    assert nothing_shows_differently_under_nbval(with_code(tiny, source)) == ["again"]
    assert nothing_shows_differently_under_nbval(with_code(tiny, 'print("Output")')) == []
