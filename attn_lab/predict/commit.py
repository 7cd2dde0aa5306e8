"""From a prediction to the store: read, saved, said; in the always mode nothing is touched.

A question may change after it was answered: an answer to an earlier edition of it is kept and
said, and never compared with this one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attn_lab.course.kinds import Question
from attn_lab.predict import in_class
from attn_lab.predict.shown import always
from attn_lab.record import CONFIDENCES, Attempt, Draft, Reveal, Store, open_store
from attn_lab.record.attempts import as_json
from attn_lab.show.entries import quoted

NOT_KEPT = "Nothing is recorded while ATTN_LAB_REVEAL=always is set."


@dataclass(frozen=True)
class Standing:
    """What the store holds of a question, all of it read at one moment.

    `attempts` are those at this edition, first to last; `earlier` is said about others where there
    are none, and `store` is what a learner should know about the store.
    """

    attempts: tuple[Attempt, ...] = ()
    revealed: bool = False
    earlier: str = ""
    store: str = ""

    @property
    def attempt(self) -> Attempt | None:
        """The attempt that counts now, the last one."""
        return self.attempts[-1] if self.attempts else None


def standing(question: Question) -> Standing:
    """How a question stands; while results are always shown, the store is not read."""
    if always():
        return Standing(revealed=True)
    store = open_store()
    with store.one_action():
        stored, revealed = store.attempts(question.id), store.was_revealed(question.id)
    attempts = tuple(each for each in stored if fits(question, each))
    earlier = "" if attempts else " ".join(_earlier(question, each) for each in stored)
    return Standing(attempts, revealed, earlier, _says(store))


def draft_of(question: Question, now: Standing) -> dict[str, Any]:
    """What was entered since the last commit and not committed, by control; {} where nothing."""
    kept = open_store().draft(question.id)
    return dict(kept.entered) if kept and kept.after == len(now.attempts) else {}


def save_draft(question: Question, entered: dict[str, Any]) -> None:
    """Keep what is entered in an open form, so that a reload or a restart loses nothing."""
    store = open_store()
    with store.one_action():
        store.keep_draft(Draft(question.id, entered, len(attempts_at(question))))


def attempts_at(question: Question) -> tuple[Attempt, ...]:
    """Every attempt at this edition, first to last; none while results are always shown."""
    if always():
        return ()
    return tuple(each for each in open_store().attempts(question.id) if fits(question, each))


def was_revealed(question: Question) -> bool:
    """Whether its result has ever been shown."""
    return always() or open_store().was_revealed(question.id)


def trouble() -> str:
    """Why the store could not be used just now, "" where it could or is left alone."""
    return "" if always() else open_store().trouble


def save(
    question: Question, answer: Any, confidence: str, because: str, *, again: bool
) -> tuple[str, Standing]:
    """Save an attempt and say so: "Saved.", or why it will not last; gives how it stands now.

    What has been committed stays, unless `again` adds another: then "" is said.
    Raises: ValueError for an answer or a confidence that does not fit the question.
    """
    if always():
        _attempt(question, answer, confidence, because)
        return NOT_KEPT, standing(question)
    store = open_store()
    with store.one_action():
        before = attempts_at(question)
        if before and not again:
            return "", standing(question)
        attempt = _attempt(question, answer, confidence, because)
        saved = store.add(in_class.addressed(attempt))
    said = " ".join(filter(None, [store.trouble or "Saved.", store.notice]))
    return said, Standing((*before, saved), saved.seen, store=_says(store))


def _attempt(question: Question, answer: Any, confidence: str, because: str) -> Attempt:
    read = question.read(answer)
    if confidence not in CONFIDENCES:
        steps = ", ".join(f'"{each}"' for each in CONFIDENCES)
        raise ValueError(f"confidence: expected one of {steps}; got {confidence!r}.")
    return Attempt(question.id, read, confidence, words(because, "because"))


def note_reveal(question: Question, attempts: Sequence[Attempt], noted: Reveal) -> str:
    """Note what is about to be shown; gives what was shown first where that was something else.

    A cell that the learner changed computes another value, and what the data says of the question
    no longer speaks of it.
    """
    store, ids = open_store(), {each.id for each in attempts}
    with store.one_action():
        store.add_reveal(noted)
        first = next(each for each in store.reveals(question.id) if each.attempt in ids).computed
    if as_json(first) == as_json(noted.computed) or question.compare(first, noted.computed).agrees:
        return ""
    return question.written(first).removesuffix(".")


def save_afterwards(question: Question, text: str) -> str:
    """Save what the learner would say now; gives the sentence that acknowledges it."""
    if always():
        return NOT_KEPT
    now, store = standing(question), open_store()
    if now.attempt is None or not now.revealed:
        return "These words come after the comparison. Run the cell that compares first."
    said = words(text, "afterwards")
    if not said:
        return "Still empty: nothing was kept."
    store.say_afterwards(now.attempt, said)
    return " ".join(filter(None, [f"Kept beside your first words: “{said}”", store.trouble]))


def words(written: Any, name: str) -> str:
    """What a learner wrote, without the space around it; None is nothing written.

    Half a character, which some programs leave when they cut a text, becomes "�".
    Raises: ValueError for anything that is not text.

    >>> words(" only key 1 ", "because"), words(None, "because")
    ('only key 1', '')
    """
    if written is None:
        return ""
    if not isinstance(written, str):
        raise ValueError(f'{name}: expected text, such as {name}="…"; got {quoted(repr(written))}.')
    whole = written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.strip()


def fits(question: Question, attempt: Attempt) -> bool:
    """Whether a stored answer is one that the question would take today."""
    try:
        return question.read(attempt.answer) == attempt.answer
    except ValueError:
        return False


def _earlier(question: Question, attempt: Attempt) -> str:
    because = f", because “{attempt.because}”" if attempt.because else ""
    return (
        f"Committed to an earlier edition of this question: {_spelled(question, attempt)} "
        f"({attempt.confidence}){because}. It is kept, and not compared."
    )


def _spelled(question: Question, attempt: Attempt) -> str:
    try:
        return question.written(attempt.answer)
    except (TypeError, ValueError):  # an answer of another kind stands as it is stored
        return str(attempt.answer)


def _says(store: Store) -> str:
    return " ".join(filter(None, [store.trouble, store.notice]))
