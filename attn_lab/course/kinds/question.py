"""What every question has, whatever its kind: its fields, its named answers, its verdict.

An answer is what JSON can hold: a key for a choice, a list of numbers, rows of 0 and 1 for
cells, a list of sizes (or one list for each label) for a shape. A kind is one file beside this
one: a subclass that says what differs for it. A `computed` value is one that a notebook worked
out; which answer is right is nowhere in the data.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from attn_lab.course.kinds.answer import frozen
from attn_lab.course.kinds.comparison import (
    HEAD,
    NONE,
    Listed,
    Marked,
    Pairs,
    Paper,
    Table,
    Verdict,
    sign,
    split,
)
from attn_lab.course.loading import Checked, FieldError, Positive

if TYPE_CHECKING:
    from attn_lab.course.kinds.near_misses import NearMiss

UNNAMED = "="  # begins the key of a group that has no name in the data
DEPTHS = ("class", "core", "extra")
_STATEMENT = re.compile(r"S([1-9]|[12]\d|30)")


@dataclass(frozen=True)
class Group:
    """Answers that count as one: `label` may be shown to the room, `meaning` only to the desk."""

    key: str
    label: str
    meaning: str = ""
    misconception: str | None = None


class Question(Checked, frozen=True, kw_only=True, tag_field="kind"):
    """One prediction: what is asked, how it is answered and what is said afterwards."""

    id: str
    prompt: str
    depth: str
    statements: tuple[str, ...]
    minutes: Positive
    explanation: str
    discuss: bool = False
    ask_next: str = ""
    picture: str = ""

    control: ClassVar[str]  # what it is answered with: "options", "fields" or "grid"
    closed: ClassVar[bool] = False  # whether all answers, the right one too, are in the data
    named_in: ClassVar[str]  # the tables of the data that hold its named answers

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth not in DEPTHS:
            raise FieldError("depth", f"one of {', '.join(DEPTHS)}", self.depth)
        for statement in self.statements:
            if not _STATEMENT.fullmatch(statement):
                raise FieldError("statements", "S1 to S30", statement)

    @property
    def kind(self) -> str:
        """The name of its kind, as the data has it."""
        return str(type(self).__struct_config__.tag)

    @property
    def notebook(self) -> str:
        """The number of its notebook, "05" for "05/first-row"."""
        return self.id.split("/")[0]

    @property
    def variable(self) -> str:
        """What a notebook calls it, `first_row` for "05/first-row"."""
        return self.id.split("/")[1].replace("-", "_")

    # what an answer is

    @property
    def form(self) -> str:
        """What an answer is, in words that complete "expected …"."""
        raise NotImplementedError

    def fits(self, answer: Any) -> bool:
        """Whether a value from a file or the wire is an answer, exactly as one is stored."""
        raise NotImplementedError

    def read(self, answer: Any) -> Any:
        """An answer in the form that is stored and compared.

        Takes tensors, arrays, lists, tuples, torch.Size and, for numbers and shapes, text.
        Raises: ValueError that says what was expected and what came.
        """
        raise NotImplementedError

    def read_computed(self, value: Any) -> Any:
        """A computed value in the same form; nan and infinity may come out of a computation.

        Raises: ValueError where the value does not fit the question.
        """
        return self.read(value)

    def places(self) -> list[str]:
        """The name of each place of an answer, in reading order."""
        return ["answer"]

    def parts(self, answer: Any) -> list[Any]:
        """What stands at each place of an answer."""
        return [answer]

    @property
    def has_steps(self) -> bool:
        """Whether an answer has several numbers, cells or a shape: a lone count has no steps."""
        return len(self.places()) > 1

    # how an answer is spelled

    def spelled(self, answer: Any) -> str:
        """An answer as one short line for a bar's label."""
        raise NotImplementedError

    def written(self, answer: Any) -> str:
        """An answer as one short line inside a sentence."""
        return self.spelled(answer)

    def in_words(self, answer: Any) -> str:
        """An answer as one line by the names of its places, as a report has it."""
        return self.spelled(answer)

    def in_data(self, answer: Any) -> Any:
        """An answer as every JSON can hold it, with the decimals that are printed."""
        return answer

    def pairs(self, answer: Any) -> list[tuple[str, str]]:
        """An answer as label and text for each place, a bare text with an empty label."""
        return list(zip(self.places(), map(str, self.parts(answer)), strict=True))

    def grid(self, answer: Any) -> Table | None:
        """An answer as a grid with its cells marked, where it is one."""
        return None

    def in_code(self) -> str:
        """An answer in code, its values left open."""
        return "[…]"

    def dots(self) -> str:
        """What stands for the dots in code: never an example, which could be the answer."""
        return ""

    def on_paper(self) -> Paper:
        """The room that an answer needs on paper."""
        return Paper(rows=tuple(self.places()))

    # named answers

    @property
    def named(self) -> tuple[Any, ...]:
        """The answers that the data names, each with its sentence and its misconception."""
        raise NotImplementedError

    def groups(self) -> list[Group]:
        """The named answers as groups, in the order of the data."""
        raise NotImplementedError

    def group_of(self, answer: Any) -> Group | None:
        """The named answer that this answer is; None is no wrong one, it only has no name."""
        raise NotImplementedError

    def aloud(self, group: Group) -> str:
        """A named answer as somebody says it."""
        return group.label.rstrip(".")

    def near_miss(self, answer: Any) -> NearMiss | None:
        """The known mistake that gives this answer, the nearest one within the tolerance."""
        return None

    def difference(self, one: Any, other: Any) -> float:
        """How far two answers are apart, in tolerances: up to 1 they count as the same."""
        return 0.0 if frozen(one) == frozen(other) else math.inf

    def rounded(self, answer: Any) -> Any:
        """An answer of which those that count as one, or nearly so, have the same."""
        return frozen(answer)

    def centres(self, answers: Iterable[Any]) -> dict[Any, Any]:
        """For each answer, frozen, the first among those before it that it counts as, or itself."""
        return {answer: answer for answer in answers}

    @property
    def sure_key(self) -> str | None:
        """The key of the one group that must be the computed answer, None where that is open."""
        return None

    # prediction and computation

    def compare(self, predicted: Any, computed: Any) -> Verdict:
        """The verdict on a prediction, both as `read` gives them."""
        if predicted == computed:
            return Verdict("same", agree=tuple(self.places()))
        near = self.near_miss(predicted)
        both = zip(self.parts(predicted), self.parts(computed), strict=True)
        agree, differ = split(self.places(), [one == other for one, other in both])
        return Verdict("named" if near else "different", agree, differ, near)

    def beside(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Table:
        """Both beside each other, place by place; None stands for no prediction."""
        rows = []
        after = self.parts(computed)
        before = [None] * len(after) if predicted is None else self.parts(predicted)
        for label, said, found in zip(self.places(), before, after, strict=True):
            text = NONE if said is None else str(said)
            rows.append((label, text, str(found), sign(said, said == found)))
        return Table(HEAD, rows)

    def drawn(
        self, predicted: Any, computed: Any, verdict: Verdict | None
    ) -> Table | Listed | Pairs | Marked:
        """Both as they are drawn for this kind; a table where nothing says more."""
        return self.beside(predicted, computed, verdict)

    def alone(self, computed: Any) -> Table:
        """The computed value by itself, as an answer key has it."""
        rows = [(label, found) for label, _, found, _ in self.beside(None, computed, None).rows]
        return Table(("", "computed"), rows)

    def legend(self, predicted: bool) -> str:
        """How the cells of `beside` are to be read, "" where its head says so."""
        return ""

    # what is said about a prediction

    def remark(self, predicted: Any) -> str:
        """What a prediction says against itself, "" where nothing."""
        return ""

    def sentence(self, predicted: Any, verdict: Verdict) -> str:
        """The sentence that the data has for this answer, "" where it has none."""
        raise NotImplementedError

    def misconception(self, predicted: Any, verdict: Verdict) -> str | None:
        """The id of the misconception that this answer stands for."""
        raise NotImplementedError

    # a class that is invented for a rehearsal

    def invented(self, draw: random.Random, popular: Any = None) -> Any:
        """An answer that somebody might give; `popular` is what most people give."""
        raise NotImplementedError
