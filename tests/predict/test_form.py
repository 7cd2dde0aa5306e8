"""The form without a browser: controls are moved, buttons pressed, and what it says is read."""

from itertools import count

import pytest
import torch
from msgspec.structs import replace

from attn_lab.course.questions import question
from attn_lab.predict.ask import Exercise
from attn_lab.predict.form import BUSY, Form
from attn_lab.record import open_store
from tests.helpers.panels import controls, move, press, problem, said

from ..helpers.questions import NUMBERS


class Learner:
    """A learner at one form, which follows commits as one on the page does."""

    def __init__(self, exercise):
        self.form = Form(exercise)
        self.panel = self.form.panel
        exercise._forms.append(self.form)

    def enter(self, *entries, sure=None, because=None):
        for place, entry in enumerate(entries, start=1):
            move(self.panel, f"field {place}", entry)
        if sure:
            move(self.panel, "sure", sure)
        if because:
            move(self.panel, "because", because)
        return self

    def commit(self):
        press(self.panel, "commit")
        return self

    def again(self):
        press(self.panel, "again")
        return self

    @property
    def entered(self):
        values = self.panel.values
        return [value for name, value in values.items() if name not in ("sure", "because")]

    @property
    def notes(self):
        return [self.panel.notes.get(f"field {place}", "") for place in (1, 2, 3, 4)]

    @property
    def message(self):
        return said(self.panel, "message")

    def sees(self, name):
        return name in controls(self.panel)


def test_a_prediction_is_saved_then_locked_then_acknowledged(numbers, monkeypatch):
    learner = Learner(numbers)
    order, store = [], open_store()
    add, lock = store.add, learner.form.lock
    monkeypatch.setattr(store, "add", lambda attempt: (order.append("saved"), add(attempt))[1])
    monkeypatch.setattr(learner.form, "lock", lambda *all: (order.append("locked"), lock(*all)))
    learner.panel.observe(lambda change: order.append(change["new"].get("message")), "html")
    learner.enter("1/4", "0,25", ".25", "0.25", sure="certain", because="every key")
    order.clear()
    learner.commit()
    assert order[0] == "saved" and order.index("locked") < order.index("Saved.")
    assert numbers.attempt.answer == [0.25] * 4 and numbers.attempt.because == "every key"
    assert learner.sees("again")
    assert not any(map(learner.sees, ("commit", "field 1", "sure", "because")))


def test_what_is_entered_goes_along_with_the_press_so_that_no_press_overtakes_it(numbers):
    learner = Learner(numbers).enter("1", "0", "0", sure="guess")
    press(learner.panel, "commit", **{"field 4": "0"})
    assert numbers.attempt.answer == [1, 0, 0, 0]


def test_what_is_missing_is_said_beside_each_field_and_nothing_is_committed(numbers):
    learner = Learner(numbers).enter("1", "", "abc", "262,144").commit()
    notes = learner.notes
    assert notes[0] == "" and "Empty is not zero" in notes[1]
    assert "got abc" in notes[2] and "two ways" in notes[3]
    assert "Choose one of the three" in learner.panel.notes["sure"]
    assert numbers.attempt is None and learner.sees("commit") and learner.message == ""


def test_without_a_confidence_nothing_is_committed_and_only_that_is_said(numbers):
    learner = Learner(numbers).enter("1", "0", "0", "0").commit()
    assert "Choose one of the three" in learner.panel.notes["sure"]
    assert learner.notes == [""] * 4 and numbers.attempt is None


def test_a_note_goes_when_its_field_is_mended(numbers):
    learner = Learner(numbers).commit()
    learner.enter("", "0.5", sure="guess")
    assert learner.notes[1] == learner.panel.notes["sure"] == ""
    assert learner.notes[2] != ""


def test_a_row_of_shares_shows_its_running_sum(numbers):
    learner = Learner(numbers)
    assert said(learner.panel, "sum").split() == "They add to 0 (0 of 4 filled in)".split()
    learner.enter("1/3", "x")
    assert said(learner.panel, "sum").split() == "They add to 0.3333 (1 of 4 filled in)".split()
    learner.enter("1/3", "1/3", "1/3", "0")
    assert said(learner.panel, "sum").split() == "They add to 1".split()
    learner.enter("1e308", "1e308", "0", "0")
    assert "∞" in said(learner.panel, "sum")


def test_other_numbers_have_no_sum(shape, shapes):
    for exercise in (shape, shapes):
        assert not Learner(exercise).sees("sum")


def test_nothing_is_chosen_beforehand(choice, cells):
    learner = Learner(choice)
    assert learner.panel.values == {"answer": None, "sure": None, "because": ""}
    assert Learner(cells).panel.values["cells"] == [[0, 0], [0, 0]]
    learner.commit()
    assert "Choose one of the answers" in learner.panel.notes["answer"] and choice.attempt is None


def test_a_choice_is_committed_by_its_key_and_shown_as_its_text(choice):
    learner = Learner(choice)
    move(learner.panel, "answer", "same")
    learner.enter(sure="fairly sure").commit()
    assert choice.attempt.answer == "same" and choice.attempt.confidence == "fairly sure"
    assert "the `same`" in said(learner.panel, "committed")


def test_cells_are_named_and_committed_as_they_are_painted(cells):
    learner = Learner(cells)
    grid = controls(learner.panel)["cells"]
    assert (grid["rows"], grid["cell"], grid["columns"]) == (
        ["query 1", "query 2"],
        "reads",
        ["key 1", "key 2"],
    )
    move(learner.panel, "cells", [[0, 0], [1, 0]])
    learner.enter(sure="guess").commit()
    assert cells.attempt.answer == [[0, 0], [1, 0]]


def test_an_empty_grid_counts_only_when_it_is_meant(cells, monkeypatch):
    seconds = count()
    monkeypatch.setattr("attn_lab.predict.inputs.monotonic", lambda: next(seconds))
    learner = Learner(cells).enter(sure="guess").commit()
    assert "press Commit once more" in learner.panel.notes["cells"] and cells.attempt is None
    move(learner.panel, "cells", [[1, 0], [0, 0]])
    move(learner.panel, "cells", [[0, 0], [0, 0]])
    learner.commit()
    assert cells.attempt is None, "after painting it is asked again"
    learner.commit()
    assert cells.attempt.answer == [[0, 0], [0, 0]]


def test_a_double_click_on_an_empty_grid_does_not_mean_none(cells, monkeypatch):
    monkeypatch.setattr("attn_lab.predict.inputs.monotonic", lambda: 5.0)
    learner = Learner(cells).enter(sure="guess").commit().commit()
    assert "press Commit once more" in learner.panel.notes["cells"] and cells.attempt is None


@pytest.mark.parametrize("kind", ["numbers", "choice", "cells"])
def test_a_draft_is_there_again_in_a_new_kernel_and_gone_once_committed(kind, request):
    exercise = request.getfixturevalue(kind)
    before = Learner(exercise)
    entered = {
        "numbers": {"field 1": "1/4", "field 2": "what", "field 4": "0"},
        "choice": {"answer": "same"},
        "cells": {"cells": [[0, 0], [1, 0]]},
    }[kind]
    for name, value in {**entered, "sure": "certain", "because": "so"}.items():
        move(before.panel, name, value)
    open_store.__globals__["_store_at"].cache_clear()
    after = Learner(Exercise(exercise.question))
    assert after.panel.values == before.panel.values
    move(after.panel, "field 2", "1/4")
    move(after.panel, "field 3", "0.5")
    after.commit()
    assert after.sees("again")
    after.again()
    assert after.panel.values["sure"] is None and after.panel.values["because"] == ""
    assert Learner(Exercise(exercise.question)).sees("again")


def test_what_was_forgotten_since_is_no_draft(numbers):
    Learner(numbers).enter("1", "0", "0", "0", sure="guess")
    open_store().forget()
    assert Learner(Exercise(numbers.question)).entered == [""] * 4


@pytest.mark.parametrize("entry,answer", [("2, 8, 10, 10", [2, 8, 10, 10]), ("[]", [])])
def test_a_shape_may_have_any_number_of_sizes(shape, entry, answer):
    learner = Learner(shape).enter(entry, sure="guess").commit()
    assert shape.attempt.answer == answer
    learner.again()
    assert learner.form.inputs.read(learner.panel.values)[0] == answer


def test_several_shapes_have_a_field_each(shapes):
    learner = Learner(shapes).enter("5,5", "5 4", sure="guess").commit()
    assert shapes.attempt.answer == [[5, 5], [5, 4]]
    learner.again()
    assert learner.form.inputs.read(learner.panel.values)[0] == [[5, 5], [5, 4]]


def test_a_form_made_later_is_locked_with_what_was_committed(numbers):
    numbers.commit([1, 0, 0, 0], "certain", "<i>only</i> key 1")
    learner = Learner(numbers)
    words = learner.panel.html["committed"]
    assert learner.sees("again") and not learner.sees("commit")
    assert "<b>certain</b>" in words and "key 1: <b>1</b>; key 2: <b>0</b>" in words
    assert "&lt;i&gt;only&lt;/i&gt;" in words and "Now run on, until you see" in words
    assert learner.message == ""


def test_predicting_again_begins_with_the_answer_but_not_with_the_confidence(numbers):
    learner = Learner(numbers).enter("1/3", "0.25", "0", "0", sure="certain", because="so")
    learner.commit().again()
    assert learner.entered == ["0.3333333333333333", "0.25", "0", "0"]
    assert learner.panel.values["sure"] is None and learner.panel.values["because"] == ""
    assert "kept beside the first one" in learner.message and "practice" not in learner.message
    learner.enter("0.5", sure="guess").commit()
    assert [each.round for each in numbers.attempts] == [1, 2]
    assert numbers.attempts[0].answer[0] == 1 / 3


@pytest.mark.parametrize("entry", ["0.00001", "-1e-9", "12345678.5", "1e22", "1e308", "2/3"])
def test_predicting_again_begins_with_the_same_number_whatever_its_size(entry):
    numbers = Exercise(replace(NUMBERS, sums_to_one=False, near_misses=()))
    learner = Learner(numbers).enter(entry, "0", "0", "0", sure="certain").commit()
    committed = numbers.attempt.answer
    learner.again()
    assert learner.form.inputs.read(learner.panel.values)[0] == committed


def test_predicting_again_after_the_result_is_called_practice(numbers):
    numbers.commit([1, 0, 0, 0], "certain")
    numbers.reveal(torch.tensor([1.0, 0, 0, 0]))
    learner = Learner(numbers)
    assert "Its result has been shown." in said(learner.panel, "committed")
    assert "practice" in learner.again().message


def test_keeping_the_last_one_locks_again(numbers):
    numbers.commit([1, 0, 0, 0], "certain")
    learner = Learner(numbers).again()
    press(learner.panel, "keep")
    assert learner.sees("again") and len(numbers.attempts) == 1


def test_predicting_again_after_all_was_forgotten_opens_the_form_as_new(numbers):
    numbers.commit([1, 0, 0, 0], "certain")
    learner = Learner(numbers)
    open_store().forget()  # as `attn-lab forget` does in a terminal
    learner.again()
    assert learner.sees("commit") and not learner.sees("keep") and learner.message == ""
    assert learner.entered == [""] * 4


def test_every_form_of_an_exercise_follows_a_commit(numbers, shown):
    first, second = (numbers._repr_mimebundle_(), numbers._repr_mimebundle_())
    assert first["text/plain"] == second["text/plain"]
    numbers.commit([1, 0, 0, 0], "guess")
    assert len(numbers._forms) == 2
    assert all("again" in controls(form.panel) for form in numbers._forms)


def test_a_double_click_on_commit_makes_one_attempt(numbers):
    learner = Learner(numbers).enter("1", "0", "0", "0", sure="guess").commit().commit()
    assert len(numbers.attempts) == 1 and "Saved." in learner.message
    learner.again().enter(sure="certain").commit().commit()
    assert [each.round for each in numbers.attempts] == [1, 2]


def test_a_form_left_open_shows_what_was_committed_elsewhere_and_adds_nothing(numbers):
    learner = Learner(numbers).enter("1", "0", "0", "0", sure="guess")
    type(numbers)(numbers.question).commit([0.25] * 4, "certain")
    learner.commit()
    assert [each.answer[0] for each in numbers.attempts] == [0.25]
    words = said(learner.panel, "committed")
    assert "round 1" in words and "0.25" in words
    assert "not saved" in learner.message and learner.sees("again")


def test_an_error_in_a_handler_is_shown_in_the_form(numbers, monkeypatch):
    learner = Learner(numbers).enter("1", "0", "0", "0", sure="guess")

    def fails(*args):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(open_store(), "add", fails)
    learner.commit()
    assert "a fault of ours" in problem(learner.panel)
    assert "nothing was saved" in problem(learner.panel)
    assert learner.sees("commit") and learner.entered[0] == "1"


def test_a_store_that_cannot_be_written_is_said_in_the_form(numbers, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "file" / "predictions.sqlite"))
    learner = Learner(numbers).enter("1", "0", "0", "0", sure="guess").commit()
    assert "will not be remembered" in learner.message and "Saved" not in learner.message
    assert learner.sees("again")


def test_a_damaged_store_is_said_in_the_form(numbers, own_store):
    own_store.write_bytes(bytes(68) + b"Attn" + b"no database" * 999)  # our mark, and no more
    assert "set aside, not deleted" in Learner(numbers).message


def test_while_results_are_always_shown_nothing_is_kept(numbers, always, own_store):
    learner = Learner(numbers).enter("1", "0", "0", "0", sure="guess").commit()
    assert "Nothing is recorded" in learner.message and not own_store.exists()


@pytest.mark.parametrize("kind", ["numbers", "choice", "cells", "shape", "shapes"])
def test_every_control_has_a_label(kind, request):
    found = controls(Learner(request.getfixturevalue(kind)).panel)
    named = [each for each in found.values() if each["kind"] not in ("html", "button")]
    assert len(named) >= 3 and all(each["label"] for each in named)


def test_commit_says_what_happens_while_the_kernel_computes(numbers):
    assert controls(Learner(numbers).panel)["commit"]["busy"] == BUSY


def test_its_classes_stay_and_its_id_is_shown_in_a_class_alone(numbers):
    panel = Learner(numbers).panel
    assert panel.css == "attn-predict attn-id-05-first-row"
    assert "0 &lt; T" in panel.html["question"] and "05/first-row" not in panel.html["question"]


def test_the_cell_shows_the_panel_and_keeps_a_friendly_text(numbers):
    bundle = numbers._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    text = "Run this cell to answer here, or to see what you committed. In code:\nfirst_row.commit("
    assert text in bundle["text/plain"]


def test_shares_are_suggested_only_where_shares_are_asked_for(numbers, shape):
    several = Exercise(replace(NUMBERS, sums_to_one=False))
    for exercise, text in (
        (numbers, "0.25 or 1/4"),
        (several, "a number"),
        (shape, "sizes with commas"),
    ):
        assert controls(Learner(exercise).panel)["field 1"]["hint"] == text


def test_a_field_for_a_weight_asks_for_the_weight_of_its_key(numbers):
    found = controls(Learner(numbers).panel)
    assert found["field 1"]["label"] == "weight of key 1"
    assert found["field 2"]["label"] == "weight of key 2"


def test_a_count_refuses_beside_its_field_and_says_how_a_percentage_was_read():
    learner = Learner(Exercise(question("00/which-bank"))).enter("101").commit()
    assert "a whole number from 0 to 100; got 101" in learner.notes[0]
    learner.enter("50 %")
    assert "Read as 50 of 100." in learner.notes[0]
    assert learner.form.inputs.read(learner.panel.values)[0] == [50]
    learner.enter("50")
    assert learner.notes[0] == ""
