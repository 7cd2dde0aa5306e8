"""The sentences about a bank: 56 made of 7 patterns, each with 4 river words and 4 money words.

One *context word* decides which bank is meant, from 1 to 5 places before or after "bank". Every
pattern takes every context word once, so no other word tells the two banks apart.
"""

from typing import NamedTuple

import torch

RIVER = ("river", "mud", "sand", "lake")
MONEY = ("savings", "credit", "loan", "money")
PATTERNS = (  # the star is the context word's place
    "the * bank broke and was lost",
    "they found the * at the bank",
    "the * at the bank was lost",
    "the * was found near the bank",
    "near the bank the * was lost",
    "at the bank they found the *",
    "the bank broke and lost the *",
)
# In this order: a head's numbers are drawn word by word, so that one word more changes them all.
WORDS = (
    *("and", "at", "bank", "broke", "credit", "found", "lake", "loan", "lost", "money"),
    *("mud", "near", "river", "sand", "savings", "the", "they", "was"),
)


def word_numbers(text: str) -> torch.Tensor:
    """The number of each word of a text, its place in WORDS counted from 0.

    Shapes: -> [T] int64
    Raises: ValueError for a word that no sentence has.

    >>> word_numbers("the river bank broke")
    tensor([15, 12,  2,  3])
    """
    unknown = [word for word in text.split() if word not in WORDS]
    if unknown:
        raise ValueError(f"text: expected only words of {' '.join(WORDS)}; got {unknown[0]!r}.")
    return torch.tensor([WORDS.index(word) for word in text.split()])


class Sentences(NamedTuple):
    """Sentences of equal length and what is asked of them; places count from 0.

    Shapes: tokens [B, T]; at [B] the place of "bank"; meaning [B] 1 river, -1 money;
    context [B] the place of the context word; held_out [B] bool, never trained on
    """

    tokens: torch.Tensor
    at: torch.Tensor
    meaning: torch.Tensor
    context: torch.Tensor
    held_out: torch.Tensor

    def take(self, which: torch.Tensor) -> "Sentences":
        """Some of the sentences."""
        return Sentences(*(part[which] for part in self))


def sentences() -> Sentences:
    """All 56: one pattern after the other, a river word and a money word in turn.

    The context words that are held out differ from pattern to pattern, so that every word was met.

    >>> spelled(sentences().tokens[0])
    'the river bank broke and was lost'
    """
    pairs = [
        (pattern, word, meaning, n == p % 4)
        for p, pattern in enumerate(PATTERNS)
        for n in range(4)
        for word, meaning in ((RIVER[n], 1.0), (MONEY[n], -1.0))
    ]
    return Sentences(
        torch.stack([word_numbers(pattern.replace("*", word)) for pattern, word, *_ in pairs]),
        torch.tensor([pattern.split().index("bank") for pattern, *_ in pairs]),
        torch.tensor([meaning for _, _, meaning, _ in pairs]),
        torch.tensor([pattern.split().index("*") for pattern, *_ in pairs]),
        torch.tensor([held_out for *_, held_out in pairs]),
    )


def ordered_sentences() -> Sentences:
    """56 with two context words, of which the one directly before "bank" decides.

    With their context words exchanged the 32 that have one of each kind mean the other bank, yet
    the words are the same: only their order tells. Both of such a pair are held out, or neither.

    >>> spelled(ordered_sentences().tokens[3])
    'they lost the savings at the river bank'
    """
    words = [*RIVER, *MONEY]
    pairs = [(near, far) for near in range(8) for far in range(8) if near != far]
    texts = [f"they lost the {words[far]} at the {words[near]} bank" for near, far in pairs]
    return Sentences(
        torch.stack([word_numbers(text) for text in texts]),
        torch.full((56,), 7),
        torch.tensor([1.0 if near < 4 else -1.0 for near, _ in pairs]),
        torch.full((56,), 6),
        torch.tensor([(near + far) % 4 == 0 for near, far in pairs]),
    )


def spelled(tokens: torch.Tensor) -> str:
    """The words of one sentence.

    Shapes: tokens [T]

    >>> spelled(torch.tensor([15, 12, 2, 3]))
    'the river bank broke'
    """
    return " ".join(WORDS[number] for number in tokens.tolist())
