import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.explore.explorer import Explorer, typed_number
from attn_lab.widgets.parts import counter
from tests.helpers.panels import controls, move, press, problem, said


class Counter(Explorer):
    """A smallest explorer: a number to change, a button that counts, and one that fails."""

    name = "counter"

    def __init__(self):
        super().__init__()
        self.count = 0

    def controls(self):
        return [counter("count", "count", 9)]

    def values(self):
        return {"count": self.count}

    def moved(self, name, value):
        if value > 9:
            raise ValueError("count needs <at most> 9.")
        self.count = value

    def presets(self):
        return {"one more": ("", self.more)}

    def look(self):
        return f"count <{self.count}>", f"<p>{self.count}</p>"

    def more(self):
        self.count += 1


def test_nothing_is_built_before_it_is_displayed():
    explorer = Counter()
    assert explorer._panel is None
    explorer._repr_mimebundle_()
    assert explorer._panel is not None


def test_without_a_front_end_a_fixed_line_says_what_to_do():
    assert repr(Counter()) == "An explorer: run this cell in JupyterLab to move its controls."
    bundle = Counter()._repr_mimebundle_()
    assert bundle["text/plain"] == repr(Counter())
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_displaying_twice_shows_the_same_panel():
    explorer = Counter()
    assert explorer.panel() is explorer.panel()


def test_the_panel_carries_its_classes():
    assert Counter().panel().css == "attn-explore attn-counter"


def test_the_result_is_spoken_and_escaped():
    panel = Counter().panel()
    assert controls(panel)["said"]["live"] and panel.html["said"] == "count &lt;0&gt;"


def test_what_cannot_be_taken_over_is_said_and_goes_away_with_the_next_success():
    panel = Counter().panel()
    move(panel, "count", 10)
    assert problem(panel) == (
        "count needs <at most> 9. Below is still the last setting that could be drawn."
    )
    assert said(panel) == "count <0>"
    press(panel, "one more")
    assert problem(panel) == "" and said(panel) == "count <1>" and panel.values == {"count": 1}


def test_the_base_itself_shows_nothing():
    with pytest.raises(NotImplementedError):
        Explorer().panel()


def test_importing_attn_lab_loads_no_widgets():
    code = "import attn_lab, sys; print('ipywidgets' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.25", 0.25), ("1/4", 0.25), ("0,25", 0.25), (" 3 ", 3), ("−2", -2), ("-1/−4", 0.25)],
)
def test_the_usual_ways_to_write_a_number_are_understood(text, value):
    assert typed_number(text, "τ") == value


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        *((text, "such as 0.25") for text in ("abc", "1/2/3", "nan", "inf", "0.2.5", "1_000")),
        ("1e999", "finite"),
        ("1/0", "divides by zero. Write another number"),
        ("1,000", "can be read in two ways. Write 1000 or 1.000"),
    ],
)
def test_what_is_not_a_number_is_refused_with_what_to_write(text, advice):
    with pytest.raises(ValueError, match=f"^τ: .*{text}.*"):
        typed_number(text, "τ")
    with pytest.raises(ValueError, match=advice):
        typed_number(text, "τ")


def test_nothing_is_not_zero():
    with pytest.raises(ValueError, match="got nothing"):
        typed_number("  ", "τ")


@pytest.mark.parametrize("text", ["0", "-1", "0/3"])
def test_a_number_that_must_be_above_zero_is_refused_at_and_below_it(text):
    with pytest.raises(ValueError, match=f"τ needs a number above 0; got {text}"):
        typed_number(text, "τ", above=0)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_prints_is_read_back(value):
    assert math.isclose(typed_number(repr(value), "x"), value)
