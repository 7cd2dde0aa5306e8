"""The bank of wrong implementations, by name.

Tests must kill each of them, questions recompute their near misses from them, and graders use
them to name what a learner's code does. `mistake_entry` says what `run` takes in each group.
"""

from attn_lab.grade.mistakes.mistake_entry import Mistake
from attn_lab.grade.mistakes.wrong_heads import HEADS
from attn_lab.grade.mistakes.wrong_masking import MASKING
from attn_lab.grade.mistakes.wrong_masks import CAUSAL, PADDING
from attn_lab.grade.mistakes.wrong_tiles import TILES
from attn_lab.grade.mistakes.wrong_weights import SCORES, WEIGHTS

__all__ = ["BANK", "GROUPS", "Mistake", "in_group", "mistake"]

BANK = (*SCORES, *MASKING, *WEIGHTS, *CAUSAL, *PADDING, *HEADS, *TILES)
GROUPS = tuple(dict.fromkeys(entry.group for entry in BANK))


def mistake(name: str) -> Mistake:
    """The entry of that name.

    Raises: ValueError for a name that the bank does not hold.

    >>> import torch
    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> mistake("no_scale").run(q, k, torch.eye(2)).weights
    tensor([[0.7311, 0.2689]])
    """
    for entry in BANK:
        if entry.name == name:
            return entry
    names = ", ".join(entry.name for entry in BANK)
    raise ValueError(f"no wrong implementation is called {name!r}; the bank holds {names}.")


def in_group(group: str) -> tuple[Mistake, ...]:
    """The entries that stand in for the same function.

    Raises: ValueError for a group that does not exist.
    """
    if group not in GROUPS:
        raise ValueError(f"group must be one of {', '.join(GROUPS)}; got {group!r}.")
    return tuple(entry for entry in BANK if entry.group == group)
