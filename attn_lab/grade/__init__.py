"""Checks learners' own code, and names the mistake where it is a known one.

Rule: every wrong implementation of `mistakes/` that fits a task is refused under its own name,
right ones pass however they are written, and no message holds the solution. Only the
learner's function runs guarded; the bank is ours, and is called as it is.
"""

from attn_lab.grade.graders import (
    attention,
    causal_mask,
    check,
    multi_head,
    online_softmax,
    padding_and_causal,
    softmax_row,
    split_merge_heads,
)
from attn_lab.grade.hints import hints
from attn_lab.grade.verdict import Result

__all__ = [
    "Result",
    "attention",
    "causal_mask",
    "check",
    "hints",
    "multi_head",
    "online_softmax",
    "padding_and_causal",
    "softmax_row",
    "split_merge_heads",
]
