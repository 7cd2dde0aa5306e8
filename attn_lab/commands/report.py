"""`attn-lab report`: the learner's own predictions and tasks, and what came of them."""

import argparse
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attn_lab.show.as_written import visible

if TYPE_CHECKING:
    from attn_lab.course.kinds import Question
    from attn_lab.course.questions import Notebook
    from attn_lab.record import Attempt, Store

NAME = "report"
HELP = "print your own predictions, what was computed beside them, and how your tasks went"
VERDICTS = {
    "same": "the same",
    "close": "close: within what counts as the same",
    "pattern": "the order agrees, the sizes do not",
    "named": "not the same; yours is what a known mistake gives",
    "different": "not the same",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the notebook's number, to read about one notebook only."""
    parser.add_argument("notebook", nargs="?", help="a notebook's number, such as 05")


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    from attn_lab.course.questions import notebook, notebook_numbers
    from attn_lab.record import open_store
    from attn_lab.record.location import trouble_making

    store, one = open_store(), number_of(arguments.notebook)
    chosen = [notebook(number) for number in ([one] if one else notebook_numbers())]
    print(f"Your predictions, from {store.path}")
    with store.one_action():
        lines, unread = list(report_lines(chosen, store, f"{one}/" if one else "")), store.trouble
    print(*map(visible, lines), sep="\n")
    for trouble in filter(None, (store.notice, unread or trouble_making(store.path))):
        print(trouble)
    return 0


def number_of(given: str | None) -> str:
    """A notebook's number as its files have it, "" where none was given.

    >>> number_of("5"), number_of("05"), number_of(None)
    ('05', '05', '')
    """
    return given.zfill(2) if given else ""


def report_lines(notebooks: "list[Notebook]", store: "Store", only: str) -> Iterator[str]:
    """All lines about exercises and tasks whose names begin with `only`."""
    attempts = [each for each in store.attempts() if each.exercise.startswith(only)]
    for notebook in notebooks:
        own = {each.id: each for each in notebook.questions}
        done = [each for id in own for each in attempts if each.exercise == id]
        open_ones = [id for id in own if id not in {each.exercise for each in done}]
        predicted = f"{len(own) - len(open_ones)} of {len(own)} predicted"
        yield f"\n{notebook.number} {notebook.title}: {predicted}"
        for attempt in done:
            yield from attempt_lines(attempt, store, own[attempt.exercise])
        if done and open_ones:
            yield f"  not yet: {', '.join(open_ones)}"
    known = {each.id for one in notebooks for each in one.questions}
    gone = [each for each in attempts if each.exercise not in known]
    if gone:
        yield "\nNo longer in the course:"
    for attempt in gone:
        yield from attempt_lines(attempt, store)
    yield from task_lines(store, only)


def task_lines(store: "Store", only: str) -> Iterator[str]:
    """The lines about the code that graders were given: the way, and what is left to do."""
    from attn_lab.course.tasks import NOT_YET, tasks, verdict_line
    from attn_lab.record.history import made

    done = [each for each in made(store.tasks()) if each.task.startswith(only)]
    for each in done:
        yield f"\nTask {each.task}, {day(each.last.time)}: {each.way}"
        if not each.passed:
            said = each.last.message.removeprefix(verdict_line(each.task, NOT_YET)).strip()
            yield from (f"    {line}" for line in said.splitlines() if line)
    tried = {each.task for each in done}
    open_ones = [id for id in tasks() if id.startswith(only) and id not in tried]
    if done and open_ones:
        yield f"\nTasks not tried yet: {', '.join(open_ones)}"


def attempt_lines(
    attempt: "Attempt", store: "Store", asked: "Question | None" = None
) -> Iterator[str]:
    """The lines about one attempt: the answer, the reason, and what stood beside it."""
    practice = ", after seeing the result" if attempt.seen else ""
    yield f"  {attempt.exercise}, round {attempt.round}, {day(attempt.time)}{practice}"
    yield f"    {in_words(attempt.answer, asked)} ({attempt.confidence})"
    if attempt.because:
        yield f"    because {attempt.because}"
    beside = [each for each in store.reveals(attempt.exercise) if each.attempt == attempt.id]
    for reveal in beside[-1:]:
        verdict = VERDICTS.get(reveal.verdict, reveal.verdict)
        yield f"    computed: {in_words(reveal.computed, asked)} ({verdict})"
    if attempt.afterwards:
        yield f"    now you would say: {attempt.afterwards}"


def day(time: str) -> str:
    """The day and minute of a stored time, on this computer's clock.

    >>> len(day("2026-11-29T15:31:00+00:00"))
    16
    """
    return datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M")


def in_words(answer: Any, asked: "Question | None" = None) -> str:
    """An answer as one line: an option's words, marked cells by name, or its numbers.

    Without a question, or with one that has changed since, the stored answer stands as it is.

    >>> in_words([1, 0.25, [0, 1]])
    '[1, 0.25, [0, 1]]'
    """
    if asked is None:
        return _as_stored(answer)
    try:
        return asked.in_words(answer)
    except (TypeError, ValueError):
        return _as_stored(answer)


def _as_stored(answer: Any) -> str:
    if isinstance(answer, list):
        return f"[{', '.join(map(_as_stored, answer))}]"
    return f"{answer:.4g}" if isinstance(answer, float) else str(answer)
