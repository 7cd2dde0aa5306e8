"""What is committed reaches the store whole or not at all, and outlives a changed question."""

import sqlite3
import threading

import pytest

from attn_lab.classroom.client import outbox
from attn_lab.predict import commit
from attn_lab.predict.ask import FIRST, Exercise
from attn_lab.predict.closing import EMPTY, looking_back
from attn_lab.predict.commit import words
from attn_lab.predict.form import Form
from attn_lab.record import Attempt, Membership, Reveal, open_store
from tests.helpers.panels import controls, move, said

from ..helpers.questions import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

OLD = [
    (CHOICE, "gone-key", "same"),
    (CHOICE, [1, 2], "same"),
    (NUMBERS, [0.5, 0.5], [1, 0, 0, 0]),
    (NUMBERS, "gone-key", [1, 0, 0, 0]),
    (CELLS, [[1, 0, 1]], [[1, 0], [0, 1]]),
    (CELLS, [1, 0], [[1, 0], [0, 1]]),
    (CELLS, "gone-key", [[1, 0], [0, 1]]),
    (SHAPE, [[5, 5], [5, 4]], [2, 8]),
    (SHAPES, [5, 4], [[5, 5], [5, 4]]),
    (SHAPES, [[5, 5]], [[5, 5], [5, 4]]),
]


@pytest.mark.parametrize("question,old,new", OLD)
def test_an_answer_to_an_earlier_edition_is_said_kept_and_not_compared(question, old, new, shown):
    store = open_store()
    kept = store.add(Attempt(question.id, old, "certain", "so it was"))
    exercise = Exercise(question)
    says = "ommitted to an earlier edition of this question: "
    form = Form(exercise)
    assert says in said(form.panel, "message") and "so it was" in said(form.panel, "message")
    assert "commit" in controls(form.panel)
    assert says in repr(exercise) and "In code:" in repr(exercise)
    exercise.reveal(new)
    assert repr(shown[0]).startswith(f"{FIRST}. C{says}") and len(shown) == 1
    exercise.commit(new, "guess")
    exercise.reveal(new)
    assert "✓ as predicted" in repr(shown[2]) and says not in repr(exercise)
    assert store.attempts(question.id)[0] == kept and len(store.attempts(question.id)) == 2
    assert says not in said(Form(exercise).panel, "message")


def test_an_answer_to_an_earlier_edition_is_not_looked_back_at():
    store = open_store()
    kept = store.add(Attempt("05/first-row", "gone-key", "certain"))
    store.add_reveal(Reveal("05/first-row", kept.id, "another-key", "different"))
    assert EMPTY in repr(looking_back())


EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'


def test_half_a_character_is_marked_and_the_rest_is_kept(numbers, shown):
    numbers.commit([1, 0, 0, 0], "guess", "key \ud800 one 🙂")
    assert numbers.attempt.because == "key \ufffd one 🙂" and "Saved." in repr(shown[0])
    assert open_store().trouble == ""
    numbers.reveal([1.0, 0.0, 0.0, 0.0])
    numbers.afterwards("so \udc00")
    assert numbers.attempt.afterwards == "so \ufffd"


def test_none_is_no_reason(numbers, shown):
    numbers.commit([1, 0, 0, 0], "guess", None)
    assert numbers.attempt.because == ""
    numbers.reveal([1.0, 0.0, 0.0, 0.0])
    numbers.afterwards(None)
    assert "Still empty" in repr(shown[-1])


def test_what_is_no_text_is_refused_and_nothing_saved(numbers):
    with pytest.raises(ValueError, match=r"because: expected text.*got 5"):
        numbers.commit([1, 0, 0, 0], "guess", 5)
    assert numbers.attempt is None


@pytest.mark.parametrize("text", ["", " one line ", "naïve – 中文 🙂"])
def test_ordinary_text_keeps_every_character(text):
    assert words(text, "because") == text.strip()


def test_numbers_too_large_are_refused_when_committed_and_when_compared(numbers, shown):
    for huge in (10**400, 10**5000):
        with pytest.raises(ValueError, match=r"05/first-row, key 1: .*too large to be kept"):
            numbers.commit([huge] * 4, "guess")
    assert numbers.attempt is None
    numbers.commit([1, 0, 0, 0], "guess")
    with pytest.raises(ValueError, match=r"05/first-row, key 1: .*too large to be kept"):
        numbers.reveal([10**400] * 4)


def test_words_and_options_are_text_in_the_page(numbers, choice, shown):
    numbers.commit([0, 1, 0, 0], "guess", EVIL)
    numbers.reveal([1.0, 0.0, 0.0, 0.0])
    numbers.afterwards(EVIL)
    choice.commit("odd", "guess", EVIL)
    choice.reveal("same")
    pages = [each.html for each in shown if hasattr(each, "html")]
    assert sum("&lt;script&gt;" in page for page in pages) >= 4
    assert "odd &lt;b &amp; c" in pages[-1]
    assert not any("<script" in page or "<img" in page or "<b>odd" in page for page in pages)


def test_what_is_no_text_is_quoted_by_its_beginning():
    with pytest.raises(ValueError) as refused:
        words([0] * 10_000, "because")
    assert len(str(refused.value)) < 150


FAR = "http://127.0.0.1:9"  # the port that discards


class Asked:
    """What this thread asks of SQLite: connections to files, and statements on them."""

    def __init__(self, monkeypatch):
        self.opened, self.statements = [], []
        self.connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", self)

    def __call__(self, *args, **kwargs):
        connection = self.connect(*args, **kwargs)
        if threading.current_thread() is threading.main_thread():
            self.opened.append(args[0])
            connection.set_trace_callback(self.statements.append)
        return connection

    def is_frugal(self):
        reads = [each for each in self.statements if each.startswith("SELECT")]
        return len(self.opened) == 1 and len(reads) <= 3


@pytest.fixture
def asked(monkeypatch, choice, shown):
    choice.commit("odd", "guess")  # there is a file, with its tables
    return Asked(monkeypatch)


def test_a_commit_takes_one_connection_and_at_most_three_reads(numbers, shown, asked):
    numbers.commit([1, 0, 0, 0], "guess")
    assert asked.is_frugal() and len(open_store().attempts()) == 2


def test_so_does_a_commit_that_a_form_follows_and_one_that_a_form_makes(numbers, cells, shown):
    numbers._forms.append(Form(numbers))
    form = Form(cells)
    cells._forms.append(form)
    move(form.panel, "cells", [[1, 0], [0, 1]])
    move(form.panel, "sure", "guess")
    for press in (lambda: numbers.commit([1, 0, 0, 0], "guess"), form.committed):
        with pytest.MonkeyPatch.context() as patch:
            asked = Asked(patch)
            press()
            assert asked.is_frugal()
    assert form._locked and numbers._forms[0]._locked


def test_so_does_a_commit_in_a_class(numbers, shown, asked, monkeypatch):
    woken = []
    monkeypatch.setattr(outbox._sender, "wake", lambda: woken.append("woken"))
    open_store().add_membership(Membership(FAR, "KX7Q-2MWD"))
    numbers._forms.append(Form(numbers))
    asked.opened.clear()
    asked.statements.clear()
    numbers.commit([1, 0, 0, 0], "guess")
    assert asked.is_frugal() and woken and numbers.attempt.sent == "waiting"


def test_that_count_sees_one_read_more(numbers, shown, asked, monkeypatch):
    save = commit.save

    def reads_again(*given, **more):
        with open_store().one_action():
            found = save(*given, **more)
            open_store().attempts("05/first-row")
        return found

    monkeypatch.setitem(numbers.commit.__func__.__globals__, "save", reads_again)
    numbers.commit([1, 0, 0, 0], "guess")
    assert len(asked.opened) == 1 and not asked.is_frugal()
    asked.statements.clear()
    assert numbers.attempt and not asked.is_frugal(), "a second connection is seen too"
