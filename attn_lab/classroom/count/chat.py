"""The codes of a chat that is pasted as often as the instructor likes, each counted once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from attn_lab.course.codes import Decoded, read_chat
from attn_lab.course.kinds import Question

MOST_CODES = 2000
NONE_OPENED: Mapping[str, int] = {}
_TIME = re.compile(r"^[\W\d_]*([AaPp]\.?[Mm]\b)?[\W\d_]*")


class Chat:
    """The codes read so far. Who wrote which is known while this runs, and never written down.

    From one name a code counts once. Codes without a name count as often as they stand in one
    paste: two who answer alike may have the same code.
    A code holds its learner's own round; `codes` hold the room's, in which it counts.
    """

    def __init__(self, codes: Iterable[Decoded] = ()) -> None:
        self.codes = list(codes)
        # those that an earlier process read: when they come again, they are these
        self._unclaimed = Counter(code.code for code in self.codes)
        self._known: Counter[tuple[str, str]] = Counter()
        self._last: dict[tuple[str, str], str] = {}  # by name and exercise, how it was written

    def paste(
        self, text: str, questions: Iterable[Question], opened: Mapping[str, int] = NONE_OPENED
    ) -> dict[str, int]:
        """Read a part of the chat: how many codes it holds, are new, unreadable, and too many.

        `opened` says which vote was opened last, by exercise; where none was, the learner's own
        round stands.
        """
        told = {"read": 0, "new": 0, "unreadable": 0, "left_out": 0}
        here: Counter[tuple[str, str]] = Counter()
        for before, said in read_chat(text, questions):
            if said is None:
                told["unreadable"] += 1
                continue
            told["read"] += 1
            key = (name_in(before), said.code)
            here[key] += 1
            if self._known[key] >= (1 if key[0] else here[key]):
                continue
            self._known[key] += 1
            claims = self._unclaimed[said.code] > 0
            round = min(said.round, opened.get(said.exercise, 2))
            if claims:
                round = self.codes[self._written().index(said.code)].round
            self._correct(key[0], said, again=said.round > round)
            if claims:
                self._unclaimed[said.code] -= 1
            elif len(self.codes) >= MOST_CODES:
                told["left_out"] += 1
            else:
                self.codes.append(replace(said, round=round))
                told["new"] += 1
        return told

    def _correct(self, name: str, said: Decoded, *, again: bool) -> None:
        """Take out the answer of before where its owner has answered `again` in the same vote."""
        who = (name, said.exercise)
        before = self._last.get(who)
        if again and name and before in self._written():
            del self.codes[self._written().index(before)]
        self._last[who] = said.code

    def _written(self) -> list[str]:
        return [each.code for each in self.codes]


def name_in(before: str) -> str:
    """Who wrote a code, from what stands before it: in its line, or alone in the line above.

    >>> name_in("12:03 Ann: mine is "), name_in("12:04:11 From Bo to Everyone:\\n\\t"), name_in("")
    ('ann', 'from bo to everyone', '')
    """
    *above, line = before.split("\n")
    for text in (line, *above[-1:]):
        name = _TIME.sub("", text).partition(":")[0]
        name = re.sub(r"[\W\d_]+", " ", name).strip().casefold()
        if name:
            return name
    return ""
