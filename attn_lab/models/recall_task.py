"""The recall task: four key-value pairs are read out, then one key is asked for its value.

A sequence has ten positions, `BOS k v k v k v k v q`, and the answer is the value that stood
after the asked key. Tokens are numbers: 0 is BOS, 1 to 8 are the keys A to H, and 9 to 16 are
the values a to h. The four keys of a sequence differ; its values may repeat.
"""

import torch

N_KEYS = 8
N_VALUES = 8
N_PAIRS = 4
PAIRS = tuple(range(1, N_PAIRS + 1))
BOS = 0
VOCABULARY = 1 + N_KEYS + N_VALUES
LENGTH = 2 + 2 * N_PAIRS
NAMES = ("BOS", *"ABCDEFGH", *"abcdefgh")


def draw(n: int, generator: torch.Generator) -> torch.Tensor:
    """n random sequences.

    Shapes: -> [n, 10] int64
    """
    keys = torch.rand(n, N_KEYS, generator=generator).argsort(-1)[:, :N_PAIRS] + 1  # all different
    values = torch.randint(N_VALUES, (n, N_PAIRS), generator=generator) + 1 + N_KEYS
    asked = torch.randint(N_PAIRS, (n,), generator=generator)
    tokens = torch.full((n, LENGTH), BOS)
    tokens[:, 1:-1:2] = keys
    tokens[:, 2:-1:2] = values
    tokens[:, -1] = keys[torch.arange(n), asked]
    return tokens


def is_held_out(tokens: torch.Tensor) -> torch.Tensor:
    """Which sequences training never sees: those whose tokens add up to a multiple of 5.

    Shapes: tokens [B, 10] -> [B] bool
    """
    return tokens.sum(-1) % 5 == 0


def sequences(n: int, *, seed: int, held_out: bool = True) -> torch.Tensor:
    """The first n sequences of a seed that are held out, or the first n that are not.

    Shapes: -> [n, 10] int64

    >>> sequences(2, seed=0).shape
    torch.Size([2, 10])
    """
    generator = torch.Generator().manual_seed(seed)
    found = torch.empty(0, LENGTH, dtype=torch.int64)
    while len(found) < n:
        drawn = draw(2 * n, generator)
        found = torch.cat([found, drawn[is_held_out(drawn) == held_out]])
    return found[:n]


def asked_pair(tokens: torch.Tensor) -> torch.Tensor:
    """Which pair each sequence asks about, counted from 1.

    Shapes: tokens [B, 10] -> [B]
    """
    return (tokens[:, 1:-1:2] == tokens[:, -1:]).int().argmax(-1) + 1


def answers(tokens: torch.Tensor) -> torch.Tensor:
    """The right answer of each sequence, as a token.

    Shapes: tokens [B, 10] -> [B]
    """
    return tokens[torch.arange(len(tokens)), 2 * asked_pair(tokens)]


def ask_about(tokens: torch.Tensor, pair: int) -> torch.Tensor:
    """The same sequences with the last token changed, so that they ask about `pair`.

    Shapes: tokens [B, 10] -> [B, 10]
    """
    if pair not in PAIRS:
        raise ValueError(f"pair: expected 1 to {N_PAIRS}, got {pair!r}; pairs count from 1.")
    changed = tokens.clone()
    changed[:, -1] = tokens[:, 2 * pair - 1]
    return changed


def lead(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """The right answer's logit minus the best other one; above 0 means answered right.

    Shapes: logits [B, 17], tokens [B, 10] -> [B]

    >>> lead(torch.eye(17)[[9]] * 3, torch.tensor([[0, 1, 9, 2, 10, 3, 11, 4, 12, 1]]))
    tensor([3.])
    """
    right = answers(tokens)[:, None]
    others = logits.scatter(-1, right, -torch.inf)
    return (logits.gather(-1, right) - others.max(-1, keepdim=True).values)[:, 0]


def accuracy(logits: torch.Tensor, tokens: torch.Tensor) -> float:
    """The share of sequences whose largest logit is the right answer's."""
    return (logits.argmax(-1) == answers(tokens)).double().mean().item()


def share_present(logits: torch.Tensor, tokens: torch.Tensor) -> float:
    """The share of answers that are one of the four values of their own sequence."""
    among = tokens[:, 2:-1:2] == logits.argmax(-1, keepdim=True)
    return among.any(-1).double().mean().item()


def spelled(tokens: torch.Tensor) -> list[str]:
    """The names of one sequence's tokens, for the axes of a picture.

    Shapes: tokens [10]

    >>> spelled(torch.tensor([0, 1, 9, 2, 10, 3, 11, 4, 12, 1]))
    ['BOS', 'A', 'a', 'B', 'b', 'C', 'c', 'D', 'd', 'A']
    """
    return [NAMES[token] for token in tokens.tolist()]
