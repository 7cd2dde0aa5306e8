"""An answer of each kind: read from a learner or a computation, and written for people.

Whatever it was, it becomes what JSON can hold: a key for a choice, a list of numbers, rows of
0 and 1 for cells, a list of sizes (or one list for each label) for a shape.
"""

from collections.abc import Callable
from typing import Any

from attn_lab.course.questions import Question
from attn_lab.show.entries import number, quoted, sizes


def read_answer(question: Question, answer: Any) -> Any:
    """Returns an answer in the form that is stored and compared.

    Takes tensors, arrays, lists, tuples, torch.Size and, for numbers and shapes, text.
    Raises: ValueError that says what was expected and what came.
    """
    return _READ[question.kind](question, _plain(question, answer))


def read_computed(question: Question, value: Any) -> Any:
    """Returns a computed value in the same form; nan and infinity may come out of a computation.

    Raises: ValueError where the value does not fit the question.
    """
    if question.kind == "numbers":
        return _numbers(question, _plain(question, value), float)
    return read_answer(question, value)


def plain(value: Any) -> Any:
    """Returns tensors and arrays as lists of Python numbers, also where they lie in lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


def _plain(question: Question, value: Any) -> Any:
    try:
        return plain(value)
    except RuntimeError:  # a sparse tensor, or one on "meta", which holds no numbers at all
        raise refusal(question, "a value whose numbers can be listed", value) from None


def places(question: Question) -> list[str]:
    """Returns the name of each place of an answer, in reading order."""
    if question.kind == "cells":
        return [
            f"{row} {question.cell} {column}"
            for row in question.rows
            for column in question.columns
        ]
    return list(question.labels) or ["answer"]


def refusal(question: Question, expected: str, got: Any) -> ValueError:
    """Returns the error for an answer that does not fit its question."""
    return ValueError(f"{question.id}: expected {expected}; got {quoted(repr(got))}.")


def _choice(question: Question, answer: Any) -> str:
    keys = [option.key for option in question.options]
    if answer not in keys:
        raise refusal(question, "one of " + ", ".join(f'"{key}"' for key in keys), answer)
    return answer


def _numbers(question: Question, answer: Any, read: Callable[[Any], float] = number) -> list[float]:
    count = len(question.labels)
    values = answer if isinstance(answer, list) else [answer]
    if len(values) == 1 and isinstance(values[0], list):  # a matrix of one row
        values = values[0]
    if len(values) != count:
        raise refusal(question, f"{count} numbers ({', '.join(question.labels)})", answer)
    return [
        _named(read, value, question, label)
        for label, value in zip(question.labels, values, strict=True)
    ]


def _cells(question: Question, answer: Any) -> list[list[int]]:
    rows, columns = len(question.rows), len(question.columns)
    table = answer if isinstance(answer, list) else [answer]
    if not any(isinstance(row, list) for row in table):  # a single row, or a single column
        table = [table] if rows == 1 else [[one] for one in table]
    fits = len(table) == rows and all(
        isinstance(row, list) and len(row) == columns and all(one in (0, 1) for one in row)
        for row in table
    )
    if not fits:
        form = f"{rows} rows of {columns} cells, each 0 or 1 (or False and True)"
        raise refusal(question, form, answer)
    return [[int(one) for one in row] for row in table]


def _shape(question: Question, answer: Any) -> list:
    if len(question.labels) <= 1:
        return _named(sizes, answer, question, "shape")
    if not isinstance(answer, list) or len(answer) != len(question.labels):
        form = f"{len(question.labels)} shapes ({', '.join(question.labels)})"
        raise refusal(question, form, answer)
    return [
        _named(sizes, each, question, label)
        for label, each in zip(question.labels, answer, strict=True)
    ]


def _named(read: Callable[[Any], Any], value: Any, question: Question, label: str) -> Any:
    try:
        return read(value)
    except OverflowError:
        raise ValueError(f"{question.id}, {label}: the number is too large to be kept.") from None
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{question.id}, {label}: {problem}") from None


_READ: dict[str, Callable[[Question, Any], Any]] = {
    "choice": _choice,
    "numbers": _numbers,
    "cells": _cells,
    "shape": _shape,
}
