"""What the files of the first edition import is still there, wherever it stands now."""

import subprocess
import sys

import pytest

from attn_lab.earlier_names import GONE, MOVED

# every import line of the notebooks as they were first given out
LINES = """
from attn_lab import attention
from attn_lab import attention, causal_mask
from attn_lab import attention, causal_mask, masked_softmax, padding_mask, scaled_scores
from attn_lab import attention, causal_mask, masked_softmax, scaled_scores
from attn_lab import attention, project, scaled_scores
from attn_lab import attention, scaled_scores, tiled_attention
from attn_lab import causal_mask, merge_heads, scaled_scores, split_heads
from attn_lab import grade
from attn_lab import setup_check
from attn_lab.course.conventions import COLUMNS, MASKS
from attn_lab.course.in_tiles import in_tiles
from attn_lab.course.interventions import HOWS, Cell, head_cells
from attn_lab.course.interventions import run as run_changed
from attn_lab.course.links import losses_by_question, without_asked_link
from attn_lab.course.tensors import one_row
from attn_lab.course.tensors import places
from attn_lab.course.three_models import answers_turned, in_every_model, last_row_effects
from attn_lab.course.workbench import workbench
from attn_lab.explore import heads
from attn_lab.explore import influence
from attn_lab.explore import mask_and_temperature
from attn_lab.explore import mask_editor
from attn_lab.explore import tiles
from attn_lab.explore.this_machine import measured
from attn_lab.explore.this_machine import versions
from attn_lab.predict import ask, summary
from attn_lab.predict.looking_back import looking_back
from attn_lab.predict.so_far import agreed_so_far
from attn_lab.show import bars, curve, heatmap, places_map, row_steps, side_by_side
from attn_lab.show.numbers import number, three
""".strip().splitlines()
# what a Hub's configuration and a JupyterLab's save hook name
LINES += [
    "from attn_lab.labconfig.starting import lab_environment",
    "from attn_lab.labconfig.saving import strip_widgets",
]


@pytest.mark.parametrize("line", LINES)
def test_an_import_line_of_the_first_notebooks_still_runs(line):
    exec(line, {})


def test_a_name_that_never_was_is_still_refused():
    with pytest.raises(ModuleNotFoundError, match=r"attn_lab\.course\.nowhere"):
        exec("from attn_lab.course.nowhere import anything", {})


@pytest.mark.parametrize("name", GONE)
def test_a_copy_whose_model_was_replaced_is_told_how_to_get_the_new_notebook(name):
    with pytest.raises(ImportError, match=r"reads sentences\. Run `attn-lab copy`"):
        exec(f"from {name} import sequences", {})


def in_a_fresh_interpreter(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_without_the_earlier_names_a_moved_module_is_not_found():
    line = "from attn_lab.course.workbench import workbench"
    assert in_a_fresh_interpreter(line).returncode == 0
    without = in_a_fresh_interpreter(f"import attn_lab.earlier_names as e\ne.MOVED.clear()\n{line}")
    assert "No module named 'attn_lab.course.workbench'" in without.stderr


def test_both_names_are_one_module_and_nothing_of_it_is_loaded_before():
    code = (
        "import sys, attn_lab\n"
        "assert 'attn_lab.models' not in sys.modules\n"
        "import attn_lab.course.workbench as earlier\n"
        "from attn_lab.models import workbench as now\n"
        "assert earlier is now and earlier.__name__ == 'attn_lab.models.workbench'\n"
    )
    found = in_a_fresh_interpreter(code)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("now", sorted(set(MOVED.values())))
def test_what_stands_under_an_earlier_name_is_a_module_of_today(now):
    exec(f"import {now}", {})
    assert now not in MOVED


def test_the_cell_that_prints_the_loop_over_tiles_still_prints_it():
    code = (
        "import inspect\n"
        "from attn_lab.course.in_tiles import in_tiles\n"
        "source = inspect.getsource(in_tiles)\n"
        "print(source[source.index('    maximum =') :])\n"
    )
    found = in_a_fresh_interpreter(code)
    assert "factor = " in found.stdout and "yield" in found.stdout, found.stderr
