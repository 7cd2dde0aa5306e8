"""Short codes for one answer, to call out or to paste into a chat where no network is shared.

A code says the exercise, the answer's group, the confidence and the round, and no name. It looks
like `K7Q2-MXA`: one character of noise, so that equal answers do not look equal in the chat; two
for the exercise; two for the answer; two more where the answer has no name in the course; two of
checksum. The checksum covers the exercise's whole id and the group's key, so that a typing error,
or a course in which the options have moved, makes a code unreadable instead of wrong.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from attn_lab.course.kinds import UNNAMED, Group, Question

ALPHABET = "23456789ABCDEFGHJKMNPQRTVWXYZ"  # no 0 O, 1 I L, S (5), U (V)
CONFIDENCES = ("guess", "fairly sure", "certain")
_PAIR = len(ALPHABET) ** 2
_LOOKS_LIKE = re.compile(
    rf"(?<![\w-])([{ALPHABET}]{{4}})([-–—]?)([{ALPHABET}]{{5}}|[{ALPHABET}]{{3}})(?![\w-])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Decoded:
    """What one code says; `code` is how it is written."""

    exercise: str
    group: Group
    confidence: str
    round: int
    code: str = field(default="", compare=False)


def encode(question: Question, answer: Any, confidence: str, round: int, *, noise: str) -> str:
    """The code of one answer; the same `noise` (the attempt's id) gives the same code.

    Raises: ValueError for a confidence that is not one of the three.
    """
    if confidence not in CONFIDENCES:
        raise ValueError(f"confidence: expected one of {CONFIDENCES}, got {confidence!r}.")
    group = question.group_of(answer)
    keys = [named.key for named in question.groups()]
    place = 0 if group is None else 1 + keys.index(group.key)
    key = group.key if group else UNNAMED + fingerprint(question, answer)
    said = (place * len(CONFIDENCES) + CONFIDENCES.index(confidence)) * 2 + min(round, 2) - 1
    start = ALPHABET[_hash(noise) % len(ALPHABET)]
    body = start + _exercise(question.id) + _pair(said + _hash(start, question.id))
    if group is None:
        body += _pair(_unpair(key[1:]) + _hash(start, question.id, "answer"))
    code = body + _pair(_hash(body, question.id, key))
    return f"{code[:4]}-{code[4:]}"


def decode(code: str, questions: Iterable[Question]) -> Decoded | None:
    """What a code says, or None where it fits no question of the course."""
    code = re.sub(r"[-–—\s]", "", code).upper()
    if len(code) not in (7, 9) or set(code) - set(ALPHABET):
        return None
    start, exercise, body = code[0], code[1:3], code[:-2]
    found = []
    for question in questions:
        if _exercise(question.id) != exercise:
            continue
        said = (_unpair(code[3:5]) - _hash(start, question.id)) % _PAIR
        place, sure = divmod(said // 2, len(CONFIDENCES))
        groups = question.groups()
        if place > len(groups) or (place == 0) != (len(code) == 9):
            continue
        if place:
            group = groups[place - 1]
        else:
            mark = _pair(_unpair(code[5:7]) - _hash(start, question.id, "answer"))
            group = Group(UNNAMED + mark, f"another answer ({mark})")
        if _pair(_hash(body, question.id, group.key)) == code[-2:]:
            found.append(Decoded(question.id, group, CONFIDENCES[sure], said % 2 + 1, code))
    return found[0] if len(found) == 1 else None


def codes_in(text: str) -> list[str]:
    """Everything in a pasted chat that looks like a code, in order, repeats included."""
    return [f"{a}-{b}".upper() for a, _, b in _LOOKS_LIKE.findall(text)]


def read_chat(text: str, questions: Iterable[Question]) -> Iterator[tuple[str, Decoded | None]]:
    """What the codes of a chat say, None where one cannot be read, each after what led to it.

    That is the text before it in its line, other codes left out, below the line above if there is
    no code in that. Without its dash a code looks like a word of seven letters: only its checksum
    makes it a code.
    """
    course, above = list(questions), ""
    for line in text.splitlines():
        begins, before, found = 0, "", False
        for match in _LOOKS_LIKE.finditer(line):
            said = decode(match[1] + match[3], course)
            if said or match[2]:
                before += line[begins : match.start()]
                begins, found = match.end(), True
                yield f"{above}\n{before}", said
        if line.strip():
            above = "" if found else line


def fingerprint(question: Question, answer: Any) -> str:
    """Two characters that answers rounded to the same numbers share."""
    return _pair(_hash(question.id, repr(question.rounded(answer))))


@cache
def _exercise(id: str) -> str:
    return _pair(_hash(id))


def _hash(*parts: str) -> int:
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:6], "big")


def _pair(number: int) -> str:
    first, second = divmod(number % _PAIR, len(ALPHABET))
    return ALPHABET[first] + ALPHABET[second]


def _unpair(pair: str) -> int:
    return ALPHABET.index(pair[0]) * len(ALPHABET) + ALPHABET.index(pair[1])
