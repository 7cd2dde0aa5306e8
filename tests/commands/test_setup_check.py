"""The check in the first notebook says "setup complete" or what to do, and stores no detail."""

import pytest

from attn_lab.commands.check import Fact
from attn_lab.commands.setup_check import LOOKING, WITHOUT_WIDGETS, SetupCheck, setup_check

WELL = Fact("python", "3.12.1 in /opt/<env>")
ILL = Fact("store", "/read/only", "Set ATTN_LAB_STORE to a folder that can be written.")


def test_all_well_says_setup_complete_and_lists_what_was_found():
    html = SetupCheck([WELL]).html()
    assert "setup complete" in html
    assert "python: 3.12.1 in /opt/&lt;env&gt;" in html


def test_one_thing_to_mend_is_said_with_what_to_do_and_nothing_else():
    html = SetupCheck([WELL, ILL]).html()
    assert "setup complete" not in html and "not complete yet" in html
    assert ILL.advice in html and "python" not in html


@pytest.fixture
def events(monkeypatch):
    """What is displayed, and what it then says, in their order."""
    seen = []

    def display(panel):
        seen.extend([panel, panel.html["told"]])
        panel.observe(lambda change: seen.append(change["new"]["told"]), "html")

    monkeypatch.setattr("IPython.display.display", display)
    return seen


def test_it_says_that_it_looks_before_it_looks(events, monkeypatch):
    look = lambda: events.append("looked") or [WELL]  # noqa: E731
    monkeypatch.setattr("attn_lab.commands.setup_check.FACTS", [look])
    check = setup_check()
    check._ipython_display_()
    assert events[1:] == [LOOKING, "looked", check.html()]


def test_the_stored_text_holds_no_version_and_no_path(events):
    SetupCheck([WELL, ILL])._ipython_display_()
    shown = events[0]._repr_mimebundle_()
    assert shown["text/plain"] == WITHOUT_WIDGETS == repr(SetupCheck([WELL]))
    assert "attn-lab check" in WITHOUT_WIDGETS
    assert set(shown) == {"text/plain", "application/vnd.jupyter.widget-view+json"}


def test_nothing_is_looked_up_before_the_check_is_shown():
    check = setup_check()
    assert check._facts is None
    assert {fact.name for fact in check.facts()} >= {"python", "torch", "store"}
