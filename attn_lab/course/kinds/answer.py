"""An answer as it is given: tensors and arrays become lists, and what does not fit is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from attn_lab.show.entries import quoted

if TYPE_CHECKING:
    from attn_lab.course.kinds.question import Question

T = TypeVar("T")


def as_lists(value: Any) -> Any:
    """Tensors and arrays as lists of Python numbers, also where they lie in lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [as_lists(each) for each in value]
    return value


def taken(question: Question, value: Any) -> Any:
    """A value given to a question, its tensors and arrays as lists.

    Raises: ValueError for one that holds no numbers that can be listed.
    """
    try:
        return as_lists(value)
    except RuntimeError:  # a sparse tensor, or one on "meta", which holds no numbers at all
        raise refusal(question, "a value whose numbers can be listed", value) from None


def read_at(question: Question, label: str, read: Callable[[Any], T], value: Any) -> T:
    """One part of an answer.

    Raises: ValueError that names the question and the part.
    """
    try:
        return read(value)
    except OverflowError:
        raise ValueError(f"{question.id}, {label}: the number is too large to be kept.") from None
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{question.id}, {label}: {problem}") from None


def refusal(question: Question, expected: str, got: Any) -> ValueError:
    """The error for an answer that does not fit its question."""
    return ValueError(f"{question.id}: expected {expected}; got {quoted(repr(got))}.")


def frozen(answer: Any) -> Any:
    """An answer as a value that can be counted: its lists as tuples."""
    return tuple(map(frozen, answer)) if isinstance(answer, list | tuple) else answer
