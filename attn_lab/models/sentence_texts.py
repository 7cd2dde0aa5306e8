"""Two little Englishes for tiny models, which read a text and say the next word: a verb.

    subject   the dogs near the old bell behind the cats often ...            bark
    asked     the big clock behind the wet cat near the quiet boat what is wet ...   purrs

Every noun has a verb of its own, so an answer names a noun: the subject, which comes first, or the
thing whose adjective is asked for at the end. A text is its word numbers, places in WORDS.
"""

from typing import Literal, get_args

import torch

Kind = Literal["subject", "asked"]
KINDS: tuple[Kind, ...] = get_args(Kind)
NOUNS = ("dog", "cat", "bird", "bell", "clock", "star", "boat", "frog", "baby", "fire")
PLURALS = ("dogs", "cats", "birds", "bells", "clocks", "stars", "boats", "frogs", "babies", "fires")
ONE = ("barks", "purrs", "sings", "rings", "ticks", "shines", "floats", "jumps", "cries", "burns")
MANY = ("bark", "purr", "sing", "ring", "tick", "shine", "float", "jump", "cry", "burn")
ADJECTIVES = ("old", "small", "red", "big", "quiet", "wet")
PREPOSITIONS = ("near", "behind", "beside", "above")
ADVERBS = ("often", "always", "never")
WORDS = (
    *("the", "what", "is"),
    *(word for pair in zip(NOUNS, PLURALS, strict=True) for word in pair),
    *(*ADJECTIVES, *PREPOSITIONS, *ADVERBS),
    *(word for pair in zip(ONE, MANY, strict=True) for word in pair),
)
THINGS = (1, 2, 3)  # each text names three things
LENGTHS: dict[Kind, int] = {"subject": 10, "asked": 14}

_THE, _WHAT, _IS, _NOUN = 0, 1, 2, 3  # places in WORDS
_ADJECTIVE, _PREPOSITION, _ADVERB, _VERB = map(WORDS.index, ("old", "near", "often", "barks"))
_PLACES = torch.tensor([2, 6, 10])  # of the nouns of "asked"; each adjective stands one before


def draw(kind: Kind, n: int, generator: torch.Generator) -> torch.Tensor:
    """n random texts; their three nouns differ, and so do their adjectives.

    Shapes: -> [n, T] int64, T is 10 for "subject" and 14 for "asked"
    Raises: ValueError for another kind.
    """
    if kind not in KINDS:
        raise ValueError(f"kind: expected one of {', '.join(KINDS)}, got {kind!r}.")
    nouns = _NOUN + 2 * _different(n, len(NOUNS), generator)  # [n, 3]
    adjectives = _ADJECTIVE + _different(n, len(ADJECTIVES), generator)
    prepositions = _PREPOSITION + _different(n, len(PREPOSITIONS), generator)
    the = torch.full((n,), _THE)
    if kind == "asked":
        asked = torch.randint(3, (n, 1), generator=generator)
        words = [
            part
            for thing in range(3)
            for part in (prepositions[:, thing], the, adjectives[:, thing], nouns[:, thing])
        ]
        words += [the + _WHAT, the + _IS, adjectives.gather(1, asked)[:, 0]]
        return torch.stack(words[1:], dim=1)
    nouns = nouns + torch.randint(2, (n, 3), generator=generator)  # one or many
    adverb = _ADVERB + torch.randint(len(ADVERBS), (n,), generator=generator)
    first, second, third = nouns.T
    words = [the, first, prepositions[:, 0], the, second, prepositions[:, 1], the, third, adverb]
    before = torch.randint(3, (n,), generator=generator)  # this noun gets an adjective
    described = [
        torch.stack([*words[:place], adjectives[:, 0], *words[place:]], dim=1)
        for place in (1, 4, 7)
    ]
    return torch.stack(described)[before, torch.arange(n)]


def is_held_out(tokens: torch.Tensor) -> torch.Tensor:
    """Which texts training never sees: those whose word numbers add up to a multiple of 5.

    Shapes: tokens [B, T] -> [B] bool
    """
    return tokens.sum(-1) % 5 == 0


def texts(kind: Kind, n: int, *, seed: int, held_out: bool = True) -> torch.Tensor:
    """The first n texts of a seed that are held out, or the first n that are not.

    Shapes: -> [n, T] int64

    >>> spelled(texts("asked", 1, seed=8)[0])[-3:-1]
    ['what', 'is']
    """
    generator = torch.Generator().manual_seed(seed)
    found = torch.empty(0, LENGTHS[kind], dtype=torch.int64)
    while len(found) < n:
        drawn = draw(kind, 2 * n, generator)
        found = torch.cat([found, drawn[is_held_out(drawn) == held_out]])
    return found[:n]


def places_of_nouns(tokens: torch.Tensor) -> torch.Tensor:
    """Where the three nouns stand, counted from 0.

    Shapes: tokens [B, T] -> [B, 3]
    """
    nouns = (tokens >= _NOUN) & (tokens < _ADJECTIVE)
    return nouns.int().argsort(dim=-1, descending=True, stable=True)[:, :3]


def named_thing(tokens: torch.Tensor) -> torch.Tensor:
    """Which thing the answer names, counted from 1: the one asked for, else the first.

    Shapes: tokens [B, T] -> [B]
    """
    nouns = places_of_nouns(tokens)
    asked = tokens.gather(1, nouns - 1) == tokens[:, -1:]
    return asked.int().argmax(-1) + 1


def verbs(tokens: torch.Tensor) -> torch.Tensor:
    """The verb of each of the three nouns, as a word number: the answers that name one of them.

    Shapes: tokens [B, T] -> [B, 3]
    """
    return tokens.gather(1, places_of_nouns(tokens)) - _NOUN + _VERB


def answers(tokens: torch.Tensor) -> torch.Tensor:
    """The right next word of each text, as its number.

    Shapes: tokens [B, T] -> [B]
    """
    return verbs(tokens).gather(1, named_thing(tokens)[:, None] - 1)[:, 0]


def ask_about(tokens: torch.Tensor, thing: int) -> torch.Tensor:
    """The same texts of "asked" with the last word changed, so that they ask for `thing`.

    Shapes: tokens [B, 14] -> [B, 14]
    Raises: ValueError for a thing that does not exist.
    """
    if thing not in THINGS:
        raise ValueError(f"thing: expected 1 to {len(THINGS)}, got {thing!r}; things count from 1.")
    changed = tokens.clone()
    changed[:, -1] = tokens[:, _PLACES[thing - 1] - 1]
    return changed


def exchange_noun(tokens: torch.Tensor, things: torch.Tensor, *, seed: int) -> torch.Tensor:
    """The same texts with the noun of one thing made another that the text does not have.

    Shapes: tokens [B, T], things [B] counted from 1 -> [B, T]
    """
    generator = torch.Generator().manual_seed(seed)
    places = places_of_nouns(tokens)
    numbers = tokens.gather(1, places) - _NOUN
    free = torch.ones(len(tokens), len(NOUNS)).scatter(1, numbers // 2, 0.0)
    new = 2 * torch.multinomial(free, 1, generator=generator)
    thing = things[:, None] - 1
    return tokens.scatter(1, places.gather(1, thing), _NOUN + new + numbers.gather(1, thing) % 2)


def exchange_adjectives(tokens: torch.Tensor, first: int, second: int) -> torch.Tensor:
    """The same texts of "asked" with the adjectives of two things exchanged; their nouns stay.

    Shapes: tokens [B, 14] -> [B, 14]
    """
    one, other = (int(_PLACES[thing - 1]) - 1 for thing in (first, second))
    changed = tokens.clone()
    changed[:, [one, other]] = tokens[:, [other, one]]
    return changed


def lead(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """The right word's logit minus the best other one; above 0 means answered right.

    Shapes: logits [B, 56], tokens [B, T] -> [B]
    """
    right = answers(tokens)[:, None]
    others = logits.scatter(-1, right, -torch.inf)
    return (logits.gather(-1, right) - others.max(-1, keepdim=True).values)[:, 0]


def accuracy(logits: torch.Tensor, tokens: torch.Tensor) -> float:
    """The share of texts whose largest logit is the right word's."""
    return (logits.argmax(-1) == answers(tokens)).double().mean().item()


def share_present(logits: torch.Tensor, tokens: torch.Tensor) -> float:
    """The share of answers that are the verb of one of the three things of their own text."""
    among = verbs(tokens) == logits.argmax(-1, keepdim=True)
    return among.any(-1).double().mean().item()


def spelled(tokens: torch.Tensor) -> list[str]:
    """The words of one text.

    Shapes: tokens [T]

    >>> spelled(torch.tensor([0, 4, 36]))
    ['the', 'dogs', 'barks']
    """
    return [WORDS[token] for token in tokens.tolist()]


def _different(n: int, many: int, generator: torch.Generator) -> torch.Tensor:
    """Three different numbers below `many`, n times.

    Shapes: -> [n, 3]
    """
    return torch.rand(n, many, generator=generator).argsort(-1)[:, :3]
