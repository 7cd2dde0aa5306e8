import subprocess
import sys

import ipywidgets as widgets
import pytest

from attn_lab.explore.explorer import Explorer


class Counter(Explorer):
    """A smallest explorer: a button that counts, and one that fails."""

    name = "counter"

    def __init__(self):
        super().__init__()
        self.count = 0

    def controls(self):
        return [widgets.Button(description="one more")]

    def look(self):
        return f"count <{self.count}>", f"<p>{self.count}</p>"

    def more(self, event):
        self.count += 1
        self.redraw()

    def fail(self, event):
        raise ValueError("x needs <two> axes")


def test_nothing_is_built_before_it_is_displayed():
    explorer = Counter()
    assert explorer._view is None
    explorer._repr_mimebundle_()
    assert explorer._view is not None


def test_without_a_front_end_a_fixed_line_says_what_to_do():
    assert repr(Counter()) == "An explorer: run this cell in JupyterLab to move its controls."
    bundle = Counter()._repr_mimebundle_()
    assert bundle["text/plain"] == repr(Counter())
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_displaying_twice_shows_the_same_widgets():
    explorer = Counter()
    assert explorer.view() is explorer.view()


def test_the_root_carries_its_classes_and_one_mending_widget():
    view = Counter().view()
    assert {"attn-explore", "attn-counter"} <= set(view._dom_classes)
    assert view.children[-1].value.startswith("<style onload=")
    assert "attn-explore" in view.children[-1].value


def test_the_result_is_spoken_and_escaped(words):
    explorer = Counter()
    explorer.view()
    assert "attn-live" in explorer.said._dom_classes
    assert words(explorer.said.value) == "count <0>"


def test_a_handlers_error_is_shown_in_the_widget_and_goes_away_with_the_next_success(words):
    explorer = Counter()
    explorer.view()
    explorer.watched(explorer.fail)(None)
    assert words(explorer.problem.value) == (
        "x needs <two> axes Below is still the last setting that could be drawn."
    )
    explorer.watched(explorer.more)(None)
    assert explorer.problem.value == "" and "1" in explorer.shown.value


def test_the_picture_is_replaced_in_one_step():
    explorer = Counter()
    explorer.view()
    seen = []
    explorer.shown.observe(lambda change: seen.append(change["new"]), "value")
    explorer.more(None)
    assert seen == ["<p>1</p>"]


def test_the_base_itself_shows_nothing():
    with pytest.raises(NotImplementedError):
        Explorer().view()


def test_importing_attn_lab_loads_no_widgets():
    code = "import attn_lab, sys; print('ipywidgets' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
