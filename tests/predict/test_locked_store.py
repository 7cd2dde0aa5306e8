"""A store that another program keeps locked: waited for once, said everywhere, nothing lost."""

import sqlite3
import sys
import threading
from types import SimpleNamespace

import pytest

from attn_lab.predict import ask
from attn_lab.predict.ask import FIRST
from attn_lab.predict.closing import looking_back, summary
from attn_lab.predict.form import Form
from attn_lab.record import Store, TaskResult, open_store
from attn_lab.record import store_file as module
from tests.helpers.panels import move, press, said

LOCKED = "another program keeps it locked"
ROW = [1, 0, 0, 0]


@pytest.fixture
def waits(monkeypatch):
    """How long each connection would wait for a lock; those that wait for none are left out."""
    found, real = [], module.connect

    def connect(path, patience):
        found.extend(filter(None, [patience]))
        return real(path, patience)

    monkeypatch.setattr(module, "PATIENCE", 0.05)
    monkeypatch.setattr(module, "connect", connect)
    return found


@pytest.fixture
def locked(own_store, waits):
    """A store with one answer in it, which another program then locks."""
    ask("05/hotter").commit([[0] * 4] * 4, confidence="guess")
    open_store()._file._patience = module.PATIENCE
    waits.clear()
    other = sqlite3.connect(own_store, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    yield other
    other.close()


def test_all_that_a_cell_does_waits_once_and_says_so(locked, waits, shown):
    asked = ask("05/first-row")
    form = asked._repr_mimebundle_()
    assert len(waits) == 1
    assert LOCKED in form["text/plain"]
    asked.commit(ROW, confidence="certain")
    asked.reveal(ROW)
    ask("05/third-row").reveal(ROW)
    ask("05/third-row").then()
    summary("05")
    looked = repr(looking_back())
    assert len(waits) == 1
    told = [repr(each) for each in shown[-6:]]
    committed, result, kept, unread, then, closed = told
    assert "Committed, round 1: " in committed and LOCKED in committed
    assert result.startswith("Your prediction beside") and LOCKED in kept
    assert unread.startswith(f"{FIRST}. ") and LOCKED in unread
    assert LOCKED in then and LOCKED in closed and LOCKED in looked


WAITING = "Another program is writing to your answers; waiting up to 2 s …"


@pytest.fixture
def soon(monkeypatch):
    """A store that says after a moment that it waits, and waits two seconds."""
    monkeypatch.setattr(module, "SOON", 0.05)
    monkeypatch.setattr(module, "PATIENCE", 2.0)
    open_store()._file._patience = 2.0


def test_a_cell_says_that_it_waits_while_it_does_and_then_no_more(locked, soon, monkeypatch):
    said = []

    def display(bundle, **named):
        said.append(bundle["text/plain"])
        locked.execute("ROLLBACK")
        return SimpleNamespace(update=display_again)

    def display_again(bundle, **named):
        said.append(bundle["text/plain"])

    notebook = SimpleNamespace(get_ipython=object, display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    assert [each.exercise for each in open_store().attempts()] == ["05/hotter"]
    assert said == [WAITING, ""]
    assert open_store().trouble == ""


def test_a_form_says_it_beside_its_button(locked, soon, own_store):
    panel = Form(ask("05/first-row")).panel
    told = []
    for place, entry in enumerate(ROW, start=1):
        move(panel, f"field {place}", str(entry))
    move(panel, "sure", "certain")
    open_store()._file._patience = 2.0
    panel.observe(lambda change: told.append(said(panel, "message")), "html")
    press(panel, "commit")
    assert WAITING in told and told[told.index(WAITING) + 1] == "" and LOCKED in told[-1]


def test_a_thread_waits_in_silence(locked, soon, monkeypatch):
    shown = []
    notebook = SimpleNamespace(get_ipython=object, display=SimpleNamespace(display=shown.append))
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    thread = threading.Thread(target=open_store().attempts)
    thread.start()
    thread.join()
    assert shown == []


def test_when_the_lock_is_gone_it_is_no_longer_said_and_a_new_one_is_waited_for(
    locked, waits, shown
):
    ask("05/first-row")._repr_mimebundle_()
    locked.execute("ROLLBACK")
    assert LOCKED not in ask("05/first-row")._repr_mimebundle_()["text/plain"]
    locked.execute("BEGIN EXCLUSIVE")
    waits.clear()
    assert LOCKED in ask("05/first-row")._repr_mimebundle_()["text/plain"]
    assert len(waits) == 1


def test_what_was_kept_in_memory_reaches_the_file_with_the_next_thing_saved(
    locked, own_store, shown
):
    asked = ask("05/first-row")
    asked.commit(ROW, confidence="certain")
    asked.reveal(ROW)
    locked.execute("ROLLBACK")
    open_store().add_task(TaskResult("04/causal-mask", True))
    kept = Store(own_store)
    assert [each.exercise for each in kept.attempts()] == ["05/hotter", "05/first-row"]
    assert [each.computed for each in kept.reveals()] == [ROW]
    assert open_store().trouble == ""
