"""A prediction's life in plain code: nothing shows before it is committed, then it stays."""

import pytest
import torch

from attn_lab.course.editions import REVEAL_MIME
from attn_lab.predict import ask
from attn_lab.predict.ask import AFTER, FIRST, Exercise
from attn_lab.predict.card import CHANGED, TITLE, UNCHANGED
from attn_lab.predict.computing import COMPUTING, STOPPED
from attn_lab.predict.wording import NOW
from attn_lab.record import open_store

from ..helpers.questions import NUMBERS

ROW = torch.tensor([1.0, 0.0, 0.0, 0.0])


def texts(shown):
    return [repr(each) for each in shown]


def test_without_a_prediction_reveal_says_one_line_and_touches_nothing(numbers, shown, own_store):
    class Explodes:
        def __getattr__(self, name):
            raise AssertionError("the computed value was looked at")

    numbers.reveal(Explodes(), "a picture")
    assert texts(shown) == [FIRST] == ["Write your prediction first"]
    assert shown[0].html == FIRST and shown[0].data == {}
    assert not own_store.exists()


def test_then_and_afterwards_wait_for_the_result(numbers, shown):
    numbers.then("a picture")
    numbers.afterwards("words")
    assert texts(shown)[0].startswith(AFTER) and len(shown) == 2
    assert "05/first-row" in texts(shown)[0] and "\n" not in texts(shown)[0]
    shown.clear()
    numbers.commit([1, 0, 0, 0], "guess")
    numbers.then("a picture")
    assert "a picture" not in shown, "committed, but not yet compared"
    numbers.afterwards("words")
    assert "Run the cell that compares first." in texts(shown)[-1]
    assert numbers.attempt.afterwards == ""


def test_a_committed_prediction_is_saved_said_and_shown_beside_the_result(numbers, shown):
    numbers.commit(["1/4", "0,25", 0.25, 0.25], "certain", " every key ")
    assert texts(shown) == [
        "Committed, round 1: 0.25, 0.25, 0.25, 0.25 (certain), because “every key”. Saved."
    ]
    shown.clear()
    picture = object()
    numbers.reveal(ROW, picture)
    assert texts(shown)[0].startswith(TITLE + "\n") and shown[1] is picture
    assert "An even share gives this." in texts(shown)[0]
    assert NOW in texts(shown)[0] and len(shown) == 2
    shown.clear()
    numbers.then(picture)
    assert texts(shown)[0] == AFTER == "Shown after your prediction" and shown[1] is picture


def test_a_commit_is_locked_and_running_its_cell_again_adds_nothing(numbers, shown):
    numbers.commit([1, 0, 0, 0], "guess")
    numbers.commit([0, 1, 0, 0], "certain")
    assert [each.answer for each in numbers.attempts] == [[1, 0, 0, 0]]
    assert "It stays as it is" in texts(shown)[1] and "again=True" in texts(shown)[1]


def test_predicting_again_keeps_the_first_and_knows_whether_the_result_was_seen(numbers, shown):
    numbers.commit([0.25] * 4, "guess")
    numbers.commit([0.5, 0.5, 0, 0], "guess", again=True)
    numbers.reveal(ROW)
    numbers.commit([1, 0, 0, 0], "certain", again=True)
    assert [(each.round, each.seen) for each in numbers.attempts] == [
        (1, False),
        (2, False),
        (3, True),
    ]
    shown.clear()
    numbers.reveal(ROW)
    assert "Round 1: 0.25, 0.25, 0.25, 0.25 (guess). Round 2:" in texts(shown)[0]
    assert "✓ as predicted" in texts(shown)[0] and len(shown) == 1


def test_a_changed_cell_is_said_and_the_explanation_speaks_of_the_notebook_as_it_came(
    numbers, shown
):
    numbers.commit([1, 0, 0, 0], "certain")
    numbers.reveal(ROW)
    assert "✓ as predicted" in texts(shown)[-1] and UNCHANGED not in texts(shown)[-1]
    shown.clear()
    numbers.reveal(torch.tensor([0.25, 0.25, 0.25, 0.25]))
    (only,) = texts(shown)
    assert CHANGED.format(first="1, 0, 0, 0") in only and "worth a second look" not in only
    assert f"{UNCHANGED}:\n{NUMBERS.explanation}" in only
    assert f'<summary data-lm-suppress-shortcuts="true">{UNCHANGED}' in shown[0].html
    shown.clear()
    numbers.commit([0.245, 0.665, 0.09, 0], "guess", again=True)
    numbers.reveal([0.245, 0.665, 0.09, 0])
    assert (
        "To check the reason" not in texts(shown)[-1] and "Without the root" not in texts(shown)[-1]
    )
    shown.clear()
    numbers.reveal([0.999, 0.001, 0, 0])  # as far off as another machine may be
    assert UNCHANGED not in texts(shown)[0]


def test_a_value_that_is_no_number_is_the_same_value_when_it_comes_again(numbers, shown):
    nan = torch.tensor([float("nan"), 0, 0, 0])
    numbers.commit([0.25] * 4, "guess")
    numbers.reveal(nan)
    numbers.reveal(nan)
    assert not any(UNCHANGED in text for text in texts(shown))


def test_what_was_revealed_is_noted_before_it_is_shown(numbers, monkeypatch):
    numbers.commit([0.25] * 4, "guess")

    def killed(thing):
        assert [each.verdict for each in open_store().reveals()] == ["named"]
        assert open_store().reveals()[0].computed == [1, 0, 0, 0]
        raise KeyboardInterrupt

    monkeypatch.setattr("IPython.display.display", killed)
    with pytest.raises(KeyboardInterrupt):
        numbers.reveal(ROW)


def test_another_kernel_finds_the_prediction(numbers, shown):
    numbers.commit([0.25] * 4, "guess", "so")
    open_store.__globals__["_store_at"].cache_clear()
    again = Exercise(NUMBERS)
    assert again.attempt.because == "so"
    assert "Committed, round 1: 0.25, 0.25, 0.25, 0.25 (guess), because “so”." in repr(again)
    assert "commit(" not in repr(again)


def test_a_matching_prediction_is_not_asked_for_other_words(choice, shown):
    choice.commit("same", "guess")
    choice.reveal("same")
    assert not any(NOW in text for text in texts(shown))


def test_words_said_afterwards_are_kept_and_not_asked_for_twice(choice, shown):
    choice.commit("smaller", "guess", "first words")
    choice.reveal("same")
    assert repr(shown[-1]).endswith(f'{NOW} minus_max.afterwards("…")')
    choice.afterwards("  ")
    assert "nothing was kept" in repr(shown[-1]) and choice.attempt.afterwards == ""
    choice.afterwards(" one factor ")
    assert choice.attempt.afterwards == "one factor" and choice.attempt.because == "first words"
    shown.clear()
    choice.reveal("same")
    assert "“one factor”" in texts(shown)[0] and len(shown) == 1


def test_always_shows_the_result_and_neither_reads_nor_writes_the_store(
    numbers, shown, own_store, monkeypatch
):
    numbers.commit([0.25] * 4, "guess", "secret")
    before = own_store.read_bytes()
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")
    monkeypatch.setattr("attn_lab.record.store.Store.attempts", None)
    monkeypatch.setattr("attn_lab.record.store.Store.reveals", None)
    shown.clear()
    picture = object()
    numbers.reveal(ROW, picture)
    numbers.then(picture)
    numbers.commit([1, 0, 0, 0], "guess")
    numbers.afterwards("words")
    assert shown[1] is picture and shown[3] is picture and len(shown) == 6
    assert "no prediction" in texts(shown)[0] and "secret" not in "".join(texts(shown))
    assert "Nothing is recorded" in texts(shown)[4] and "Nothing is recorded" in texts(shown)[5]
    assert "secret" not in repr(numbers) and "commit([key 1" in repr(numbers)
    assert own_store.read_bytes() == before


def test_any_other_value_of_the_variable_hides(numbers, shown, monkeypatch):
    for value in ("", "1", "never", "Always"):
        monkeypatch.setenv("ATTN_LAB_REVEAL", value)
        numbers.reveal(ROW)
    assert texts(shown) == [FIRST] * 4


@pytest.mark.parametrize(
    "answer,confidence,words",
    [
        ([1, 0, 0], "guess", "expected 4 numbers"),
        ([1, "", 0, 0], "guess", "key 2: Empty is not zero"),
        ([1, 0, 0, 0], "", 'confidence: expected one of "guess", "fairly sure", "certain"; got'),
        ([1, 0, 0, 0], "sure", "got 'sure'"),
    ],
)
def test_a_commit_that_does_not_fit_is_refused_and_nothing_is_saved(
    numbers, answer, confidence, words, own_store
):
    with pytest.raises(ValueError) as refused:
        numbers.commit(answer, confidence)
    assert words in str(refused.value)
    assert not own_store.exists()


def test_a_computed_value_that_does_not_fit_is_refused_and_not_noted(numbers):
    numbers.commit([1, 0, 0, 0], "guess")
    with pytest.raises(ValueError, match="expected 4 numbers"):
        numbers.reveal(torch.zeros(3))
    assert not numbers.revealed


def test_a_store_that_cannot_be_written_is_said_and_the_exercise_works(
    numbers, shown, monkeypatch, tmp_path
):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "file" / "predictions.sqlite"))
    numbers.commit([0.25] * 4, "guess")
    assert "will not be remembered" in texts(shown)[0] and "Saved." not in texts(shown)[0]
    numbers.reveal(ROW)
    assert texts(shown)[1].startswith(TITLE)


def test_ask_takes_an_id_of_the_course():
    assert ask("01/zero-score").question.kind == "choice"
    with pytest.raises(ValueError, match="question id"):
        ask("01/nothing")


def test_the_text_asks_the_question_and_gives_no_example_that_could_be_the_answer(
    numbers, choice, cells, shape, shapes
):
    assert (
        'first_row.commit([key 1, key 2, key 3, key 4], confidence="guess", because="…")'
        in repr(numbers)
    )
    assert '"smaller": both smaller' in repr(choice) and 'minus_max.commit("…"' in repr(choice)
    assert "hotter.commit([[…], […]]" in repr(cells)
    assert "Rows: query 1, query 2. In each row 0 or 1 for: key 1, key 2." in repr(cells)
    assert "split_shape.commit([…]" in repr(shape) and "A shape is a list of sizes." in repr(shape)
    assert "shapes.commit([scores S, output O]" in repr(shapes)
    for exercise in (numbers, choice, cells, shape, shapes):
        assert exercise.question.prompt in repr(exercise)
        assert "confidence is one of: guess, fairly sure, certain" in repr(exercise)


def test_in_plain_python_the_text_is_printed(tmp_path):
    import subprocess
    import sys

    code = (
        "from attn_lab.predict import ask\n"
        "import sys\n"
        "ex = ask('01/zero-score')\n"
        "ex.reveal('third')\n"
        "ex.commit('none', 'guess')\n"
        "ex.reveal('third')\n"
        "assert 'ipywidgets' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.split("\n")
    assert lines[0] == FIRST and lines[1].startswith("Committed, round 1: none of it (guess)")
    assert TITLE in lines and "third" in done.stdout


def test_every_question_of_the_course_can_be_asked():
    from attn_lab.course.questions import questions

    for question in questions():
        exercise = Exercise(question)
        assert question.id in repr(exercise) and exercise._repr_mimebundle_()


def test_a_closed_gate_never_calls_the_function_that_it_is_given(numbers, shown):
    called = []

    @numbers.reveal
    def measured():
        called.append(1)
        return ROW, "a picture"

    numbers.then(lambda: called.append(1))
    numbers.commit([1, 0, 0, 0], "guess")
    numbers.then(lambda: called.append(1))
    assert called == []
    numbers.reveal(lambda: (called.append(1) or ROW, "a picture"))
    assert called == [1] and shown[-1] == "a picture"
    assert shown[-2].data[REVEAL_MIME]["computed"] == [1, 0, 0, 0]
    numbers.then(lambda: "another")
    assert shown[-1] == "another"


def test_a_function_may_return_a_shape_alone_which_is_no_tuple_of_pictures(shape, shown, always):
    shape.reveal(lambda: torch.zeros(2, 8, 10, 10).shape)
    assert shown[0].data[REVEAL_MIME]["computed"] == [2, 8, 10, 10] and len(shown) == 1


def test_a_function_that_takes_long_says_so_at_once_and_its_result_replaces_the_line(
    numbers, shown, monkeypatch
):
    numbers.commit([1, 0, 0, 0], "guess")
    places = []

    class Place:
        def __init__(self, thing):
            self.now = thing
            places.append(self)

        def update(self, thing):
            self.now = thing

    monkeypatch.setattr(
        "IPython.display.display",
        lambda thing, display_id=None: Place(thing) if display_id else shown.append(thing),
    )

    def measured():
        assert repr(places[-1].now) == COMPUTING
        return ROW, "a picture"

    shown.clear()
    numbers.reveal(measured)
    assert repr(places[0].now).startswith(TITLE) and shown == ["a picture"]
    numbers.then(lambda: "another")
    assert repr(places[1].now) == AFTER and shown == ["a picture", "another"]
    with pytest.raises(ZeroDivisionError):
        numbers.reveal(lambda: 1 / 0)
    assert repr(places[2].now) == STOPPED


def test_a_function_that_returns_nothing_is_told_how_to_end(numbers, always):
    def measured():
        pass

    with pytest.raises(TypeError, match=r"measured: expected .* got None .* End it with return"):
        numbers.reveal(measured)
