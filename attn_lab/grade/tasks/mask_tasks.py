"""Inputs and known mistakes of the tasks about masks."""

import torch
from torch import Tensor

from attn_lab.core.masks import causal_mask, padding_mask
from attn_lab.grade.mistakes import in_group
from attn_lab.grade.mistakes.wrong_masks import JOINED
from attn_lab.grade.tasks.task_entry import Case, Grader, Part, known

MASK = Part("mask", ("query", "key"), "truth")


def _square(trying: str, T_q: int, T_k: int) -> Case:
    return Case(trying, {"T_q": T_q, "T_k": T_k})


CAUSAL_MASK = Grader(
    task="04/causal-mask",
    parts=((MASK,),),
    cases=(
        _square("as many keys as queries", 2, 2),
        _square("as many keys as queries", 3, 3),
        _square("more keys than queries", 2, 4),
        _square("more queries than keys", 4, 2),
    ),
    right=(lambda T_q, T_k: causal_mask(T_q, T_k, align="upper_left"),),
    mistakes=tuple(map(known, in_group("mask"))),
)


def _batch(trying: str, lengths: list[int], T: int) -> Case:
    return Case(trying, {"lengths": lengths, "T": T})


def _both(lengths: list[int], T: int) -> Tensor:
    return torch.logical_and(padding_mask(lengths, T), causal_mask(T))


PADDING_AND_CAUSAL = Grader(
    task="06/padding-and-causal",
    parts=((MASK,),),
    cases=(
        _batch("one sequence of two tokens and one of padding", [2], 3),
        _batch("one sequence of one token and two of padding", [1], 3),
        _batch("a batch of three sequences", [4, 1, 2], 4),
        _batch("a batch with an empty sequence", [2, 0], 3),
    ),
    right=(_both,),
    mistakes=tuple(map(known, JOINED)),
)
