"""One exercise: its question asked, committed to, revealed; as text where there are no widgets."""

from typing import Any

from attn_lab.course.kinds import Question
from attn_lab.course.questions import question
from attn_lab.predict import in_class
from attn_lab.predict.card import card, is_drawn, together
from attn_lab.predict.commit import (
    Standing,
    attempts_at,
    note_reveal,
    save,
    save_afterwards,
    standing,
    trouble,
    was_revealed,
)
from attn_lab.predict.computing import called
from attn_lab.predict.shown import always, has_widgets, line, show
from attn_lab.record import CONFIDENCES, Attempt, Reveal
from attn_lab.show.as_written import visible

FIRST = "Write your prediction first"
AFTER = "Shown after your prediction"
# Read where a notebook was reopened, too: an answer that was committed is not lost.
RUN = "Run this cell to answer here, or to see what you committed."


def ask(id: str) -> "Exercise":
    """The exercise with this id; as the last expression of a cell it asks its question.

    Raises: ValueError for an id that the course does not have.
    """
    found = Exercise(question(id))
    in_class.asked(id)
    return found


class Exercise:
    """A question and what was committed to it; the store holds that, not this object."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self._forms: list[Any] = []  # those on the page, so that they follow a commit in code

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Every attempt at this edition of the question; none while results are always shown."""
        return attempts_at(self.question)

    @property
    def attempt(self) -> Attempt | None:
        """The attempt that counts now, the last one."""
        return self.attempts[-1] if self.attempts else None

    @property
    def revealed(self) -> bool:
        """Whether its result has ever been shown."""
        return was_revealed(self.question)

    def commit(
        self, answer: Any, confidence: str = "", because: str = "", *, again: bool = False
    ) -> None:
        """Commit a prediction in code; a committed one stays unless `again` adds another.

        Raises: ValueError for an answer or a confidence that does not fit the question.
        """
        said, now = save(self.question, answer, confidence, because, again=again)
        stands = f"{committed(self.question, now.attempt)}. " if now.attempt else ""
        if not said:
            more = f"To add another attempt: {how(self.question, again=True)}"
            show(line(f"{stands}It stays as it is. {more}"))
            return
        show(line(f"{stands}{said}"))
        self.committed(now)

    def committed(self, now: Standing) -> None:
        """Bring every form of this exercise that is on the page to this, then have it sent."""
        for form in self._forms:
            form.refresh(now)
        if now.attempt:
            in_class.send(now.attempt)

    def reveal(self, computed: Any, *pictures: Any) -> None:
        """Show the computed value beside the prediction, then each picture.

        Without a prediction it shows one line, so that Run All gives nothing away. What takes
        time is given as one function that returns the value and its pictures, as a decorator
        perhaps: it is called only where there is a prediction.
        Takes tensors, arrays and lists; Booleans for cells; an option's key for a choice; a shape.
        Raises: ValueError where the computed value does not fit the question.
        """
        now = standing(self.question)
        attempts = now.attempts
        if not attempts and not always():
            self._wait(". ".join(filter(None, [FIRST, now.earlier, now.store])))
            return
        shown, place = [computed, *pictures], None
        if callable(computed):
            shown, place = called(computed)
        computed, *rest = shown
        value = self.question.read_computed(computed)
        verdict = self.question.compare(attempts[-1].answer, value) if attempts else None
        changed = ""
        if verdict:  # noted before it is shown: a kernel killed in between has shown nothing
            noted = Reveal(self.question.id, attempts[-1].id, value, verdict.outcome)
            changed = note_reveal(self.question, attempts, noted)
        on_it = [each for each in rest if is_drawn(each)]
        done = changed or not verdict or verdict.agrees or attempts[-1].afterwards
        asks = not done
        shows: Any = card(self.question, value, attempts, verdict, on_it, changed, asks=asks)
        if verdict and has_widgets():
            from attn_lab.predict.panels import live_card

            shows = live_card(self.question, shows, asks=asks)
        show(shows, *(each for each in rest if not is_drawn(each)), instead=place)
        if said := trouble():
            show(line(said))

    def then(self, *pictures: Any) -> None:
        """Show pictures about this answer in a later cell, once its result has been shown.

        What takes time is given as one function that returns them, called only then.
        """
        if self.revealed:
            place, shown = None, list(pictures)
            if len(pictures) == 1 and callable(pictures[0]):
                shown, place = called(pictures[0])
            on_it = [each for each in shown if is_drawn(each)]
            shows: Any = together(AFTER, on_it)
            if on_it and has_widgets():
                from attn_lab.predict.panels import live_pictures

                shows = live_pictures(shows)
            show(shows, *(each for each in shown if not is_drawn(each)), instead=place)
        else:
            todo = f"{AFTER}: commit {self.question.id}, then run the cell that compares it"
            self._wait(". ".join(filter(None, [todo, trouble()])))

    def _wait(self, said: str) -> None:
        """Say in one line what has to come first."""
        shows: Any = line(said)
        if has_widgets():
            from attn_lab.predict.panels import gate

            shows = gate(self.question, said)
        show(shows)

    def afterwards(self, words: str) -> None:
        """Keep, beside the first words, what the learner would say now that it was shown."""
        show(line(save_afterwards(self.question, words)))

    def __repr__(self) -> str:
        return visible(as_text(self.question, standing(self.question)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from attn_lab.predict.form import Form  # widgets only where they are shown

        form = Form(self, repr(self))
        self._forms.append(form)
        return form.panel._repr_mimebundle_()


def as_text(question: Question, now: Standing) -> str:
    """The question as text; what has been committed stands under it, else how to commit."""
    parts = [f"Prediction {question.id}", question.prompt]
    if now.attempt:
        stands = [f"{committed(question, now.attempt)}.", in_class.stands(now.attempt)]
        return "\n\n".join(filter(None, [*parts, *stands]))
    parts += [now.earlier, now.store, f"{RUN} In code:\n{how(question)}"]
    parts += [question.dots(), f"confidence is one of: {', '.join(CONFIDENCES)}"]
    return "\n\n".join(filter(None, parts))


def how(question: Question, *, again: bool = False) -> str:
    """The line of code that commits an answer, its values left open."""
    more = ", again=True" if again else ""
    return (
        f"{question.variable}.commit({question.in_code()}, "
        f'confidence="{CONFIDENCES[0]}", because="…"{more})'
    )


def committed(question: Question, attempt: Attempt) -> str:
    """What was committed, as one line."""
    because = f", because “{attempt.because}”" if attempt.because else ""
    return (
        f"Committed, round {attempt.round}: {question.written(attempt.answer)} "
        f"({attempt.confidence}){because}"
    )
