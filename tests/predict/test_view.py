"""The form without a browser: values are set, handlers are called, and errors are seen."""

from itertools import count

import ipywidgets as w
import pytest
import torch
from msgspec.structs import replace

from attn_lab.course.questions import question
from attn_lab.predict.ask import Exercise
from attn_lab.predict.reveal import Afterwards
from attn_lab.predict.view import Form, afterwards_line
from attn_lab.record import open_store
from tests.helpers.widgets import press

from ..helpers.questions import CHOICE, NUMBERS


def shows(form, widget):
    """Says whether a widget is on the page, anywhere below the form's root."""

    def below(one):
        return [one, *(deep for each in getattr(one, "children", ()) for deep in below(each))]

    return widget in below(form.root)


def all_widgets(one):
    return [one, *(deep for each in getattr(one, "children", ()) for deep in all_widgets(each))]


def fill(form, *entries):
    for field, entry in zip(form.inputs.fields, entries, strict=True):
        field.value = entry


def test_a_prediction_is_saved_then_locked_then_acknowledged(numbers, monkeypatch):
    form = Form(numbers)
    order = []
    store = open_store()
    add, lock = store.add, form.lock
    monkeypatch.setattr(store, "add", lambda attempt: (order.append("saved"), add(attempt))[1])
    monkeypatch.setattr(form, "lock", lambda all: (order.append("locked"), lock(all)))
    form.message.observe(lambda change: order.append(change["new"]), "value")
    numbers._forms.append(form)
    fill(form, "1/4", "0,25", ".25", "0.25")
    form.sure.value, form.because.value = "certain", "every key"
    press(form.commit)
    assert order[:2] == ["saved", "locked"] and "Saved." in order[-1]
    assert numbers.attempt.answer == [0.25] * 4 and numbers.attempt.because == "every key"
    assert not shows(form, form.commit) and shows(form, form.again)
    assert not any(isinstance(each, w.Text | w.ToggleButtons) for each in all_widgets(form.root))


def test_words_are_sent_while_they_are_typed_and_not_when_the_button_is_pressed(numbers):
    line = afterwards_line(numbers.question)
    typed = [each for each in all_widgets(line) if isinstance(each, w.Text)]
    assert all(each.continuous_update for each in [Form(numbers).because, *typed]) and typed


def test_what_is_missing_is_said_beside_each_field_and_nothing_is_saved(numbers, own_store):
    form = Form(numbers)
    fill(form, "1", "", "abc", "262,144")
    press(form.commit)
    notes = [each.value for each in form.inputs.notes]
    assert notes[0] == "" and "Empty is not zero" in notes[1]
    assert "got abc" in notes[2] and "two ways" in notes[3]
    assert "Choose one of the three" in form.sure_note.value
    assert not own_store.exists() and shows(form, form.commit)
    assert form.message.value == ""


def test_without_a_confidence_nothing_is_saved_and_only_that_is_said(numbers, own_store):
    form = Form(numbers)
    fill(form, "1", "0", "0", "0")
    press(form.commit)
    assert "Choose one of the three" in form.sure_note.value
    assert form.message.value == "" and not own_store.exists()
    assert [each.value for each in form.inputs.notes] == [""] * 4


def test_a_note_goes_when_its_field_is_mended(numbers):
    form = Form(numbers)
    press(form.commit)
    form.inputs.fields[1].value = "0.5"
    form.sure.value = "guess"
    assert form.inputs.notes[1].value == "" and form.sure_note.value == ""
    assert form.inputs.notes[0].value != ""


def test_a_row_of_shares_shows_its_running_sum(numbers):
    form = Form(numbers)
    assert form.inputs.sum.value == "They add to <b>0</b> (0 of 4 filled in)"
    form.inputs.fields[0].value = "1/3"
    form.inputs.fields[1].value = "x"
    assert form.inputs.sum.value == "They add to <b>0.3333</b> (1 of 4 filled in)"
    fill(form, "1/3", "1/3", "1/3", "0")
    assert form.inputs.sum.value == "They add to <b>1</b>"


def test_other_numbers_have_no_sum(shape, shapes):
    for exercise in (shape, shapes):
        form = Form(exercise)
        assert not shows(form, form.inputs.sum)


def test_nothing_is_chosen_beforehand(choice, cells):
    form = Form(choice)
    assert form.inputs.radio.value is None and form.sure.value is None
    assert form.because.value == "" and not any(cell.value for cell in Form(cells).inputs.cells)
    press(form.commit)
    assert "Choose one of the answers" in form.inputs.note.value and choice.attempt is None


def test_a_choice_is_committed_by_its_key_and_shown_as_its_text(choice):
    form = Form(choice)
    choice._forms.append(form)
    form.inputs.radio.value, form.sure.value = "same", "fairly sure"
    press(form.commit)
    assert choice.attempt.answer == "same" and choice.attempt.confidence == "fairly sure"
    assert "the `same`" in form.body.children[0].value


def test_cells_say_by_icon_and_name_whether_they_are_painted(cells):
    form = Form(cells)
    cell = form.inputs.cells[2]
    assert (cell.icon, cell.tooltip) == ("", "query 2 reads key 1: no")
    cell.value = True
    assert (cell.icon, cell.tooltip) == ("check", "query 2 reads key 1: yes")
    form.sure.value = "guess"
    press(form.commit)
    assert cells.attempt.answer == [[0, 0], [1, 0]]


def test_an_empty_grid_counts_only_when_it_is_meant(cells, monkeypatch):
    seconds = count()
    monkeypatch.setattr("attn_lab.predict.view.grid.monotonic", lambda: next(seconds))
    form = Form(cells)
    form.sure.value = "guess"
    press(form.commit)
    assert "press Commit once more" in form.inputs.note.value and cells.attempt is None
    form.inputs.cells[0].value = True
    form.inputs.cells[0].value = False
    press(form.commit)
    assert cells.attempt is None, "after painting it is asked again"
    press(form.commit)
    assert cells.attempt.answer == [[0, 0], [0, 0]]


def test_a_double_click_on_an_empty_grid_does_not_mean_none(cells, monkeypatch):
    monkeypatch.setattr("attn_lab.predict.view.grid.monotonic", lambda: 5.0)
    form = Form(cells)
    form.sure.value = "guess"
    press(form.commit)
    press(form.commit)
    assert "press Commit once more" in form.inputs.note.value and cells.attempt is None


@pytest.mark.parametrize("form_of", ["numbers", "choice", "cells"])
def test_running_the_cell_again_keeps_what_was_written_and_not_committed(form_of, request):
    exercise = request.getfixturevalue(form_of)
    before = Form(exercise)
    before.sure.value, before.because.value = "certain", "so"
    if form_of == "numbers":
        fill(before, "1/4", "what", "", "0")
    elif form_of == "choice":
        before.inputs.radio.value = before.inputs.radio.options[1][1]
    else:
        before.inputs.cells[2].value = True
    after = Form(Exercise(exercise.question))
    assert (after.sure.value, after.because.value) == ("certain", "so")
    values = [
        each.value
        for each in all_widgets(before.inputs.root)
        if not isinstance(each, w.HTML) and hasattr(each, "value")
    ]
    assert values == [
        each.value
        for each in all_widgets(after.inputs.root)
        if not isinstance(each, w.HTML) and hasattr(each, "value")
    ]


def test_what_was_committed_or_forgotten_since_is_no_draft(numbers):
    before = Form(numbers)
    fill(before, "1", "0", "0", "0")
    before.sure.value = "guess"
    press(before.commit)
    assert [each.value for each in Form(Exercise(numbers.question)).inputs.fields] == [""] * 4


@pytest.mark.parametrize("entry,answer", [("2, 8, 10, 10", [2, 8, 10, 10]), ("[]", [])])
def test_a_shape_may_have_any_number_of_sizes(shape, entry, answer):
    form = Form(shape)
    shape._forms.append(form)
    fill(form, entry)
    form.sure.value = "guess"
    press(form.commit)
    assert shape.attempt.answer == answer
    press(form.again)
    assert form.inputs.read() == answer


def test_several_shapes_have_a_field_each(shapes):
    form = Form(shapes)
    shapes._forms.append(form)
    fill(form, "5,5", "5 4")
    form.sure.value = "guess"
    press(form.commit)
    assert shapes.attempt.answer == [[5, 5], [5, 4]]
    press(form.again)
    assert form.inputs.read() == [[5, 5], [5, 4]]


def test_a_form_made_later_is_locked_with_what_was_committed(numbers):
    numbers.commit([1, 0, 0, 0], "certain", "<i>only</i> key 1")
    form = Form(numbers)
    words = form.body.children[0].value
    assert shows(form, form.again) and not shows(form, form.commit)
    assert "<b>certain</b>" in words and "key 1: <b>1</b>; key 2: <b>0</b>" in words
    assert "&lt;i&gt;only&lt;/i&gt;" in words and "Now run on, until you see" in words
    assert form.message.value == ""


def test_predicting_again_begins_with_the_answer_but_not_with_the_confidence(numbers):
    form = Form(numbers)
    numbers._forms.append(form)
    fill(form, "1/3", "0.25", "0", "0")
    form.sure.value, form.because.value = "certain", "so"
    press(form.commit)
    press(form.again)
    assert [each.value for each in form.inputs.fields] == ["0.3333333333333333", "0.25", "0", "0"]
    assert form.sure.value is None and form.because.value == ""
    assert "kept beside the first one" in form.message.value
    assert "practice" not in form.message.value
    form.inputs.fields[0].value = "0.5"
    form.sure.value = "guess"
    press(form.commit)
    assert [each.round for each in numbers.attempts] == [1, 2]
    assert numbers.attempts[0].answer[0] == 1 / 3


@pytest.mark.parametrize("entry", ["0.00001", "-1e-9", "12345678.5", "1e22", "1e308", "2/3"])
def test_predicting_again_begins_with_the_same_number_whatever_its_size(numbers, entry):
    form = Form(numbers)
    numbers._forms.append(form)
    fill(form, entry, "0", "0", "0")
    form.sure.value = "certain"
    press(form.commit)
    committed = numbers.attempt.answer
    press(form.again)
    assert form.inputs.read() == committed


def test_numbers_whose_sum_is_too_large_are_no_error(numbers):
    form = Form(numbers)
    fill(form, "1e308", "1e308", "0", "0")
    assert "They add to <b>∞</b>" in form.inputs.sum.value


def test_predicting_again_after_the_result_is_called_practice(numbers):
    numbers.commit([1, 0, 0, 0], "certain")
    numbers.reveal(torch.tensor([1.0, 0, 0, 0]))
    form = Form(numbers)
    assert "Its result has been shown." in form.body.children[0].value
    press(form.again)
    assert "practice" in form.message.value


def test_keeping_the_last_one_locks_again(numbers):
    numbers.commit([1, 0, 0, 0], "certain")
    form = Form(numbers)
    press(form.again)
    press(form.keep)
    assert shows(form, form.again) and len(numbers.attempts) == 1


def test_predicting_again_after_all_was_forgotten_opens_the_form_as_new(numbers):
    numbers.commit([1, 0, 0, 0], "certain")
    form = Form(numbers)
    open_store().forget()  # as `attn-lab forget` does in a terminal
    press(form.again)
    assert shows(form, form.commit) and not shows(form, form.keep) and form.message.value == ""
    assert [each.value for each in form.inputs.fields] == [""] * 4


def test_every_form_of_an_exercise_follows_a_commit(numbers, shown):
    first, second = (numbers._repr_mimebundle_(), numbers._repr_mimebundle_())
    assert first["text/plain"] == second["text/plain"]
    numbers.commit([1, 0, 0, 0], "guess")
    assert all(shows(form, form.again) for form in numbers._forms)


def test_a_double_click_on_commit_makes_one_attempt(numbers):
    form = Form(numbers)
    numbers._forms.append(form)
    fill(form, "1", "0", "0", "0")
    form.sure.value = "guess"
    press(form.commit)
    press(form.commit)
    assert len(numbers.attempts) == 1 and "Saved." in form.message.value
    press(form.again)
    form.sure.value = "certain"
    press(form.commit)
    press(form.commit)
    assert [each.round for each in numbers.attempts] == [1, 2]


def test_a_form_left_open_shows_what_was_committed_elsewhere_and_adds_nothing(numbers):
    form = Form(numbers)
    numbers._forms.append(form)
    fill(form, "1", "0", "0", "0")
    form.sure.value = "guess"
    numbers_elsewhere = type(numbers)(numbers.question)
    numbers_elsewhere.commit([0.25] * 4, "certain")
    press(form.commit)
    assert [each.answer[0] for each in numbers.attempts] == [0.25]
    assert "round 1" in form.body.children[0].value and "0.25" in form.body.children[0].value
    assert "not saved" in form.message.value and shows(form, form.again)


def test_an_error_in_a_handler_is_shown_in_the_form(numbers, monkeypatch):
    form = Form(numbers)
    fill(form, "1", "0", "0", "0")
    form.sure.value = "guess"

    def fails(*args):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(open_store(), "add", fails)
    press(form.commit)
    assert "a fault of ours" in form.message.value and "nothing was saved" in form.message.value
    assert shows(form, form.commit) and form.inputs.fields[0].value == "1"


def test_a_store_that_cannot_be_written_is_said_in_the_form(numbers, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "file" / "predictions.sqlite"))
    form = Form(numbers)
    numbers._forms.append(form)
    fill(form, "1", "0", "0", "0")
    form.sure.value = "guess"
    press(form.commit)
    assert "will not be remembered" in form.message.value and "Saved" not in form.message.value
    assert shows(form, form.again)


def test_a_damaged_store_is_said_in_the_form(numbers, own_store):
    own_store.write_bytes(bytes(68) + b"Attn" + b"no database" * 999)  # our mark, and no more
    assert "set aside, not deleted" in Form(numbers).message.value


def test_while_results_are_always_shown_nothing_is_kept(numbers, always, own_store):
    form = Form(numbers)
    numbers._forms.append(form)
    fill(form, "1", "0", "0", "0")
    form.sure.value = "guess"
    press(form.commit)
    assert "Nothing is recorded" in form.message.value and not own_store.exists()


@pytest.mark.parametrize("kind", ["numbers", "choice", "cells", "shape", "shapes"])
def test_every_control_has_a_name_and_no_null_title(kind, request):
    form = Form(request.getfixturevalue(kind))
    named = (w.Text, w.RadioButtons, w.ToggleButtons, w.ToggleButton, w.Button)
    controls = [each for each in all_widgets(form.root) if isinstance(each, named)]
    assert len(controls) >= 3
    for each in controls:
        assert each.tooltip is not None, "JupyterLab would write title='null'"
        assert each.description or each.tooltip
    assert not any(isinstance(each, w.Output) for each in all_widgets(form.root))
    assert not any(isinstance(each, w.FloatText) for each in all_widgets(form.root))


def test_fields_report_when_they_are_left(numbers, shapes):
    for exercise in (numbers, shapes):
        form = Form(exercise)
        texts = [each for each in all_widgets(form.inputs.root) if isinstance(each, w.Text)]
        assert len(texts) >= 2 and not any(each.continuous_update for each in texts)


def test_the_root_can_be_found_by_its_classes(numbers):
    form = Form(numbers)
    assert {"attn-predict", "attn-id-05-first-row"} <= set(form.root._dom_classes)
    assert "attn-commit" in form.commit._dom_classes and "attn-again" in form.again._dom_classes
    assert "<style onload=" in form.root.children[0].value
    assert "Prediction 05/first-row" in form.head.value and "0 &lt; T" in form.head.value


def test_the_cell_shows_the_widget_and_keeps_a_friendly_text(numbers):
    bundle = numbers._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
    text = "Run this cell to answer here, or to see what you committed. In code:\nfirst_row.commit("
    assert text in bundle["text/plain"]


def test_shares_are_suggested_only_where_shares_are_asked_for(numbers, shape):
    count = Exercise(
        replace(NUMBERS, labels=("predictions that agreed",), sums_to_one=False, near_misses=())
    )
    several = Exercise(replace(NUMBERS, sums_to_one=False))
    for exercise, text, width in (
        (numbers, "0.25 or 1/4", "18em"),
        (count, "a number", "22em"),
        (several, "a number", "15em"),
        (shape, "sizes with commas", "15em"),
    ):
        (field, *_) = Form(exercise).inputs.fields
        assert (field.placeholder, field.layout.width) == (text, width)


def test_a_field_for_a_weight_asks_for_the_weight_of_its_key(numbers):
    fields = Form(numbers).inputs.fields
    assert [each.description for each in fields][:2] == ["weight of key 1", "weight of key 2"]


def test_a_count_refuses_beside_its_field_and_says_how_a_percentage_was_read():
    form = Form(Exercise(question("00/which-bank")))
    (field,), (beside,) = form.inputs.fields, form.inputs.notes
    field.value = "101"
    assert form.inputs.read() is None and "a whole number from 0 to 100; got 101" in beside.value
    field.value = "50 %"
    assert "Read as 50 of 100." in beside.value and form.inputs.read() == [50]
    field.value = "50"
    assert beside.value == ""


def test_the_line_afterwards_keeps_what_is_written(choice):
    choice.commit("smaller", "guess", "first")
    choice.reveal("same")
    root = afterwards_line(CHOICE)
    field = next(each for each in all_widgets(root) if isinstance(each, w.Text))
    keep = next(each for each in all_widgets(root) if isinstance(each, w.Button))
    assert field.description == "In one sentence, what would you say now?"
    field.value = "one factor"
    press(keep)
    assert choice.attempt.afterwards == "one factor"
    assert "Kept beside your first words" in root.children[-1].value
    assert "application/vnd.jupyter.widget-view+json" in Afterwards(CHOICE)._repr_mimebundle_()
