"""What is committed reaches the store whole or not at all, and outlives a changed question."""

import pytest

from attn_lab.predict.ask import FIRST, Exercise
from attn_lab.predict.closing import EMPTY, looking_back
from attn_lab.predict.commit import words
from attn_lab.predict.view import Form
from attn_lab.record import Attempt, Reveal, open_store

from ..course.kinds.samples import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

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
    assert says in form.message.value and "so it was" in form.message.value
    assert form.commit in form.body.children[3].children
    assert says in repr(exercise) and "In code:" in repr(exercise)
    exercise.reveal(new)
    assert repr(shown[0]).startswith(f"{FIRST}. C{says}") and len(shown) == 1
    exercise.commit(new, "guess")
    exercise.reveal(new)
    assert "Same as computed" in repr(shown[2]) and says not in repr(exercise)
    assert store.attempts(question.id)[0] == kept and len(store.attempts(question.id)) == 2
    assert says not in Form(exercise).message.value


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
