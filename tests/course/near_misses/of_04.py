"""The near misses of notebook 04: four positions, with one rule of the mask done otherwise."""

import torch

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places
from attn_lab.models.bank_sentences import sentences

Q, K, V = places()
LEGAL = torch.ones(4, 4, dtype=torch.bool).tril()
FILLED = (Q @ K.T / 2**0.5).masked_fill(~LEGAL, 0.0).softmax(dim=-1)


def flat_row(run):
    """Row 3 when all scores are equal, because all queries are 0."""
    return run(Q * 0, K, V, allowed=LEGAL).weights[2]


def reached(reads):
    """Who is reached by a new token 1 and by a new token 4, when row i reads key j."""
    return torch.stack([reads[:, 0], reads[:, 3]], dim=1).int()


ITSELF, ALL = torch.eye(4, dtype=torch.bool), torch.ones_like(LEGAL)

BANK_SENTENCES = sentences()
LATER = BANK_SENTENCES.take(BANK_SENTENCES.context > BANK_SENTENCES.at)


def right_by_what_may_be_read():
    """One answer for all sentences that are equal up to "bank": right for half of each group."""
    said = [tuple(row[: at + 1].tolist()) for row, at in zip(LATER.tokens, LATER.at, strict=True)]
    by_start = {
        start: [m for s, m in zip(said, LATER.meaning, strict=True) if s == start] for start in said
    }
    return [sum(max(meant.count(1.0), meant.count(-1.0)) for meant in by_start.values())]


RIGHT = {
    "04/bank-masked": right_by_what_may_be_read,
    "04/legal": lambda: LEGAL.int(),
    "04/flat-row": lambda: flat_row(attention),
    "04/ripple": lambda: reached(LEGAL),
    "04/zero-not-inf": lambda: FILLED[1],
    "04/next-token": lambda: [1, 1 / 8],
}
BANK = {
    "04/legal": lambda run: run(4, 4).int(),
    "04/flat-row": flat_row,
    "04/zero-not-inf": lambda run: run(Q, K, V, allowed=LEGAL).weights[1],
}
NEAR_MISSES = {
    "04/bank-masked": {
        "the mask costs nothing": lambda: [len(LATER.tokens)],
        "all of them lost": lambda: [len(LATER.tokens) - len(LATER.tokens)],
    },
    "04/ripple": {
        "columns exchanged": lambda: reached(LEGAL.T),
        "token 4 reaches nobody": lambda: reached(LEGAL & (torch.arange(4) < 3)),
        "each its own": lambda: reached(ITSELF),
        "everything changes": lambda: reached(ALL),
    },
    "04/zero-not-inf": {
        "a score of 0 as blocked": lambda: attention(Q, K, V, allowed=causal_mask(4)).weights[1],
        "zeroed after the softmax": lambda: FILLED[1] * LEGAL[1],
    },
    "04/next-token": {
        "the mask costs nothing": lambda: [1, 1],
        "nothing to notice": lambda: [1 / 8, 1 / 8],
        "never right with the mask": lambda: [1, 0],
    },
}
