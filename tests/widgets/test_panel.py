"""The panel without a browser: what a front end reports, and what the kernel makes of it."""

import pytest

from attn_lab.widgets.panel import MOVES, Panel
from tests.helpers.panels import move, press, problem


@pytest.fixture
def seen():
    return []


@pytest.fixture
def panel(seen):
    parts = [{"kind": "field", "name": name, "label": name} for name in ("one", "other")]
    return Panel(
        parts,
        {"one": "", "other": ""},
        css="attn-test",
        changed=lambda name, value: seen.append((name, value)),
        pressed=lambda name, value: seen.append((name, value)),
        text="a panel",
        still="<p>still</p>",
        data={"application/json": {"id": "x"}},
    )


def test_what_a_learner_moves_is_told_and_what_the_kernel_writes_is_not(panel, seen):
    move(panel, "one", "1")
    panel.put(values={"other": "2"}, html={"said": "so"}, notes={"one": "why"})
    assert seen == [("one", "1")]
    assert panel.values == {"one": "1", "other": "2"}
    assert (panel.html, panel.notes) == ({"said": "so"}, {"one": "why"})


def test_only_what_was_moved_counts_of_what_comes_along(panel, seen):
    """A slider's message may have been written before the kernel's last value of a field came."""
    panel.put(values={"other": "new"})
    panel.values = {"one": "1", "other": "old", MOVES: {"one": 1}}
    assert seen == [("one", "1")] and panel.values["other"] == "new"
    panel.values = {"one": "1", "other": "old", MOVES: {"one": 1, "other": 2}}
    assert seen[1:] == [("other", "old")]


def test_a_press_is_answered_after_what_was_entered_with_it(panel, seen, monkeypatch):
    answers = []
    monkeypatch.setattr(panel, "send", answers.append)
    press(panel, "commit", one="1")
    assert seen == [("one", "1"), ("commit", None)] and answers == [{"done": 1}]


def test_what_a_handler_raises_is_shown_and_goes_with_the_next_success(panel, seen):
    def fails(name, value):
        raise {"a": ValueError("Expected 1; got 2."), "b": KeyError("a fault of ours")}[value]

    panel.changed = fails
    move(panel, "one", "a")
    assert problem(panel) == "Expected 1; got 2."
    move(panel, "one", "b")
    assert "nothing was saved" in problem(panel) and "a fault of ours" in problem(panel)
    panel.changed = lambda name, value: None
    move(panel, "one", "c")
    assert problem(panel) == ""


def test_a_notebook_gets_the_view_the_text_the_still_html_and_the_data(panel):
    bundle = panel._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == panel.model_id
    assert bundle["text/plain"] == repr(panel) == "a panel"
    assert bundle["text/html"] == "<p>still</p>" and bundle["application/json"] == {"id": "x"}


def test_it_is_fresh_until_somebody_has_looked(panel):
    assert panel.fresh is True and "fresh" in panel.keys
