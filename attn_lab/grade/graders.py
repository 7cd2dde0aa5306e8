"""The graders by name: each takes the learner's function and returns one verdict."""

import os
from collections.abc import Callable
from typing import Any

from attn_lab.course.tasks import task
from attn_lab.grade.graders_attention import ATTENTION
from attn_lab.grade.graders_entry import Grader
from attn_lab.grade.graders_heads import MULTI_HEAD, SPLIT_MERGE_HEADS
from attn_lab.grade.graders_masks import CAUSAL_MASK, PADDING_AND_CAUSAL
from attn_lab.grade.graders_rows import ONLINE_SOFTMAX, SOFTMAX_ROW
from attn_lab.grade.grading import as_functions, grade
from attn_lab.grade.results import Result, result, with_note
from attn_lab.record import TaskResult, open_store

GRADERS: dict[str, Grader] = {
    "softmax_row": SOFTMAX_ROW,
    "causal_mask": CAUSAL_MASK,
    "attention": ATTENTION,
    "padding_and_causal": PADDING_AND_CAUSAL,
    "split_merge_heads": SPLIT_MERGE_HEADS,
    "multi_head": MULTI_HEAD,
    "online_softmax": ONLINE_SOFTMAX,
}


def check(name: str, fn: Any) -> Result:
    """Returns a grader's verdict on a function, without keeping it.

    Raises: ValueError for a name that no grader has.

    >>> import torch
    >>> check("softmax_row", lambda scores: torch.tensor(scores).exp()).mistake
    'not_normalised'
    """
    if name not in GRADERS:
        raise ValueError(f"name must be one of {', '.join(GRADERS)}; got {name!r}.")
    grader = GRADERS[name]
    needed = len(grader.right)
    functions = as_functions(fn, needed)
    if len(functions) != needed:
        raise ValueError(
            f"fn: {name} grades a pair of functions, (split, merge); got {len(functions)}. "
            "Pass both."
        )
    return result(grade(grader, functions), task(grader.task))


def softmax_row(fn: Callable[..., Any]) -> Result:
    """Grades fn(scores) -> weights: a list of numbers in, a list or tensor of weights out."""
    return _kept("softmax_row", fn)


def causal_mask(fn: Callable[..., Any]) -> Result:
    """Grades fn(T_q, T_k) -> allowed, bool [T_q, T_k], with query 1 at key 1."""
    return _kept("causal_mask", fn)


def attention(fn: Callable[..., Any]) -> Result:
    """Grades fn(q, k, v) -> (output, weights).

    A function that takes `allowed` is graded with masks as well: a row with nothing to read
    gives zeros, or a ValueError. One that takes `temperature` is graded with temperatures.
    """
    return _kept("attention", fn)


def padding_and_causal(fn: Callable[..., Any]) -> Result:
    """Grades fn(lengths, T) -> allowed, bool [B, T, T], with the padding at the end."""
    return _kept("padding_and_causal", fn)


def split_merge_heads(split: Any, merge: Callable[..., Any] | None = None) -> Result:
    """Grades split(x, n_heads) and merge(heads), as two arguments or as a pair."""
    return _kept("split_merge_heads", split if merge is None else (split, merge))


def multi_head(fn: Callable[..., Any]) -> Result:
    """Grades fn(x, w_q, w_k, w_v, w_o, n_heads, allowed) -> (output, weights)."""
    return _kept("multi_head", fn)


def online_softmax(fn: Callable[..., Any]) -> Result:
    """Grades fn(tiles) -> output [d_v], where tiles is a list of pairs (scores, values)."""
    return _kept("online_softmax", fn)


def _kept(name: str, fn: Any) -> Result:
    """The verdict, kept in the store; a stub that is still as it was is no attempt."""
    one = check(name, fn)
    if os.environ.get("ATTN_LAB_REVEAL") == "always" or not one.begun:
        return one
    store = open_store()
    told = (one.mistake, one.message, one.mistake_name)
    store.add_task(TaskResult(GRADERS[name].task, one.passed, *told))
    return with_note(one, store.trouble) if store.trouble else one
