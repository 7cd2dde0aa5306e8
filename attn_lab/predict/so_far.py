"""How many predictions of a notebook agreed with the computation, as the record has it."""

from attn_lab.course.questions import notebook
from attn_lab.predict.evidence import compared
from attn_lab.predict.exercise import always
from attn_lab.record import open_store


def agreed_so_far(number: str) -> int:
    """Returns how many predictions of a notebook agreed when their result was first shown.

    Answers made after the result had been seen do not count. While results are always shown the
    record is not read, and the count is 0.
    Raises: ValueError for a notebook that has no questions.
    """
    ids = {question.id for question in notebook(number).questions}
    if always():
        return 0
    store = open_store()
    found = compared(store.attempts(), store.reveals())
    return sum(each.agrees for each in found if each.attempt.exercise in ids)
