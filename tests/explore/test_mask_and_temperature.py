import math
import re

import pytest
import torch

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places
from attn_lab.explore.mask_and_temperature import STEPS, Setting, mask_and_temperature, result
from tests.helpers.panels import click, controls, move, press, problem, said


@pytest.fixture
def explorer():
    explorer = mask_and_temperature(*places())
    return explorer


def test_row_two_under_the_mask_is_the_row_worked_by_hand():
    sentence, html = result(*places(), Setting(row=1))
    assert sentence == (
        "Row 2, mask on, τ = 1: weights 0.67 0.33 – –, sum 1.00. The weights meet at (6.70, 6.60)."
    )
    assert html.count("<table") == 2 and html.count("<svg") == 1


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("temperature", [0.05, 1.0, 50.0])
def test_what_is_said_is_what_attention_computes(masked, temperature):
    q, k, v = places()
    allowed = causal_mask(4) if masked else None
    output, _ = attention(q, k, v, allowed=allowed, temperature=temperature)
    for row in range(4):
        sentence, _ = result(q, k, v, Setting(row, masked, temperature))
        east, north = (f"{x:.2f}" for x in output[row])
        assert sentence.endswith(f"The weights meet at ({east}, {north}).")


def test_the_slider_moves_the_entry_and_the_picture(explorer):
    before = explorer.panel().html["shown"]
    move(explorer.panel(), "slider", STEPS.index(4.0))
    assert explorer.panel().values["typed"] == "4"
    assert "τ = 4:" in said(explorer.panel()) and explorer.panel().html["shown"] != before


def test_the_entry_takes_any_number_and_the_slider_goes_to_the_nearest_step(explorer):
    move(explorer.panel(), "typed", "1/3")
    assert explorer.setting.temperature == pytest.approx(1 / 3)
    assert STEPS[explorer.panel().values["slider"]] == 0.35
    assert "τ = 0.333333:" in said(explorer.panel())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("abc", "τ: Expected a number such as 0.25, 0,25 or 1/4; got abc."),
        ("0", "τ needs a number above 0; got 0."),
        ("-2", "τ needs a number above 0; got -2."),
        ("", "τ needs a number above 0; got nothing."),
    ],
)
def test_a_wrong_entry_is_said_and_changes_nothing(explorer, text, why):
    before = explorer.panel().html["shown"], said(explorer.panel())
    move(explorer.panel(), "typed", text)
    assert problem(explorer.panel()).startswith(why)
    assert (explorer.panel().html["shown"], said(explorer.panel())) == before
    move(explorer.panel(), "typed", "2")
    assert problem(explorer.panel()) == "" and "τ = 2:" in said(explorer.panel())


def test_the_mask_and_the_row_can_be_chosen(explorer):
    move(explorer.panel(), "mask", False)
    move(explorer.panel(), "row", 0)
    assert said(explorer.panel()).startswith("Row 1, mask off, τ = 1: weights 0.27 0.13 0.54")


def test_each_preset_moves_every_control_and_draws_once(explorer):
    panel, drawn = explorer.panel(), []
    panel.observe(lambda change: drawn.append(change["new"]["shown"]), "html")
    names = [
        "row 3, mask on, τ = 4",
        "row 3, mask on, τ = 0.05",
        "row 1, mask on, τ = 10",
        "row 4, mask off, τ = 1",
    ]
    assert [name for name, each in controls(panel).items() if each["kind"] == "button"] == names
    for i, name in enumerate(names, start=1):
        press(panel, name)
        assert said(panel).lower().startswith(name)
        assert len(set(drawn)) == i
    assert panel.values == {"slider": STEPS.index(1.0), "typed": "1", "mask": False, "row": 3}


def test_row_one_under_the_mask_is_the_same_at_every_step():
    q, k, v = places()
    sentences = {result(q, k, v, Setting(0, True, step))[0].split(":")[1] for step in STEPS}
    assert sentences == {" weights 1.00 – – –, sum 1.00. The weights meet at (10.00, 0.00)."}


def test_an_error_while_drawing_is_shown(explorer, monkeypatch):
    explorer.panel()
    monkeypatch.setattr(explorer, "look", lambda: 1 / 0)
    move(explorer.panel(), "slider", STEPS.index(2.0))
    assert problem(explorer.panel()).startswith(
        "This did not work, and nothing was saved by it. ZeroDivisionError"
    )


def test_values_that_are_no_places_are_shown_without_a_map():
    v = torch.ones(4, 3, dtype=torch.float64)
    sentence, html = result(places().q, places().k, v, Setting(3))
    assert "meet" not in sentence and "<svg" not in html


def test_one_position_and_sixteen_positions_work():
    for count in (1, 16):
        x = torch.randn(count, 2, generator=torch.Generator().manual_seed(count))
        explorer = mask_and_temperature(x, x, x)
        move(explorer.panel(), "row", 0)
        assert "Row 1, mask on" in said(explorer.panel())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": torch.ones(1, 4, 2)}, r"q needs two axes.*\[1, 4, 2\].*q\[0\]"),
        ({"q": torch.ones(3, 2)}, "same positions, for a causal mask; got 3 queries and 4 keys"),
        ({"k": torch.ones(4, 3)}, "k needs the width of q"),
        ({"v": torch.ones(17, 2)}, r"v needs at most 16 positions.*got 17.*v\[:16\]"),
    ],
)
def test_tensors_that_do_not_fit_are_refused_before_anything_is_drawn(change, message):
    tensors = places()._asdict() | change
    with pytest.raises(ValueError, match=message):
        mask_and_temperature(**tensors)


def trail(explorer):
    """The points of the dotted line on the map."""
    found = re.search(r'<polyline points="([^"]*)"', explorer.panel().html["shown"])
    return [tuple(map(float, point.split(","))) for point in found[1].split()]


def meeting(explorer):
    """Where the mark of the meeting point stands on the map."""
    x, y = re.search(r'<path d="M([\d.]+) ([\d.]+)L', explorer.panel().html["shown"]).groups()
    return float(x), float(y) + 9


def test_the_trail_goes_from_the_coldest_to_the_hottest_that_was_set(explorer):
    start = meeting(explorer)
    assert trail(explorer) == [start]
    move(explorer.panel(), "slider", STEPS.index(10.0))
    hot = meeting(explorer)
    assert (trail(explorer)[0], trail(explorer)[-1]) == (start, hot)
    move(explorer.panel(), "typed", "0.3")
    cold = meeting(explorer)
    assert (trail(explorer)[0], trail(explorer)[-1]) == (cold, hot)
    move(explorer.panel(), "slider", STEPS.index(1.0))
    assert (trail(explorer)[0], trail(explorer)[-1]) == (cold, hot)
    nearest = min(math.dist(start, point) for point in trail(explorer))
    assert meeting(explorer) == start and nearest < 5  # the path leads through where it was


@pytest.mark.parametrize(("name", "value"), [("row", 1), ("mask", False)])
def test_another_row_or_mask_begins_another_trail(explorer, name, value):
    move(explorer.panel(), "slider", STEPS.index(10.0))
    move(explorer.panel(), name, value)
    assert trail(explorer) == [meeting(explorer)]


def test_a_row_is_picked_by_a_click_on_the_map_or_its_name(explorer):
    click(explorer.panel(), "cell", 1, 2)
    assert said(explorer.panel()).startswith("Row 2, mask on") and explorer.setting.row == 1
    click(explorer.panel(), "cell", 0, -1)
    assert explorer.panel().values["row"] == 0


def test_each_preset_asks_something(explorer):
    assert all(why.endswith("?") for why, _ in explorer.presets().values())
