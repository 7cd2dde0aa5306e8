"""A question may change after it was answered: the old answer is said, and nothing breaks."""

import pytest

from attn_lab.predict.exercise import FIRST, Exercise
from attn_lab.predict.looking_back import EMPTY, looking_back
from attn_lab.predict.view import Form
from attn_lab.record import Attempt, Reveal, open_store

from .conftest import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

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
