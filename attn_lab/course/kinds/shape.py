"""The shape of a tensor, or of several: an answer is a list of sizes, or one for each label."""

from __future__ import annotations

from typing import Any, ClassVar

from attn_lab.course.kinds.answer import read_at, refusal, taken
from attn_lab.course.kinds.near_misses import Open
from attn_lab.show.entries import sizes

MOST_AXES = 12  # of a shape that a class takes


class Shape(Open, frozen=True, kw_only=True, tag="shape"):
    """A question that is answered by one shape, or by one for each of its labels."""

    labels: tuple[str, ...] = ("shape",)

    sums_to_one: ClassVar[bool] = False

    control: ClassVar[str] = "fields"

    @property
    def form(self) -> str:
        """A list of sizes, or how many of them."""
        return "a list of sizes" if self._one else f"{len(self.labels)} lists of sizes"

    @property
    def has_steps(self) -> bool:
        """A shape has several sizes."""
        return True

    @property
    def _one(self) -> bool:
        return len(self.labels) == 1

    def fits(self, answer: Any) -> bool:
        """Whether it is one list of sizes for each label."""
        return isinstance(answer, list) and (
            _is_shape(answer)
            if self._one
            else len(answer) == len(self.labels) and all(map(_is_shape, answer))
        )

    def read(self, answer: Any) -> list:
        """A list of sizes, also from text such as "2 × 8"; one such list for each label."""
        answer = taken(self, answer)
        if self._one:
            return read_at(self, "shape", sizes, answer)
        if not isinstance(answer, list) or len(answer) != len(self.labels):
            raise refusal(self, f"{len(self.labels)} shapes ({', '.join(self.labels)})", answer)
        return [
            read_at(self, label, sizes, each)
            for label, each in zip(self.labels, answer, strict=True)
        ]

    def places(self) -> list[str]:
        """The labels."""
        return list(self.labels)

    def parts(self, answer: list) -> list[Any]:
        """One shape for each label."""
        return [answer] if self._one else answer

    def spelled(self, answer: Any) -> str:
        """The sizes with × between them."""
        both = zip(self.labels, self.parts(answer), strict=True)
        return "; ".join(" × ".join(map(str, shape)) or "no axes" for _, shape in both)

    def written(self, answer: Any) -> str:
        """The shapes as Python writes them."""
        return "; ".join(map(str, self.parts(answer)))

    def in_code(self) -> str:
        """A list, or a list with a name for each shape."""
        return "[…]" if self._one else f"[{', '.join(self.labels)}]"

    def dots(self) -> str:
        """What a shape is."""
        return "A shape is a list of sizes."

    @property
    def asked(self) -> tuple[str, ...]:
        """What each field asks for."""
        return self.labels

    @property
    def placeholders(self) -> list[str]:
        """What each field takes."""
        return ["sizes with commas"] * len(self.labels)

    def read_entry(self, place: int, text: str) -> list[int]:
        """The sizes that were typed."""
        return sizes(text)

    def heard(self, place: int, text: str) -> str:
        """Nothing: sizes are read as they are written."""
        return ""

    def from_entries(self, found: list[Any]) -> Any:
        """One shape stands for itself."""
        return found[0] if self._one else found

    def entries(self, answer: Any) -> list[str]:
        """The shapes as Python writes them."""
        return [str(each) for each in self.parts(answer)]

    def stand_in(self) -> list:
        """A shape of two axes for each label."""
        return self.from_entries([[8, 64] for _ in self.labels])


def _is_shape(value: Any) -> bool:
    sizes = isinstance(value, list) and len(value) <= MOST_AXES
    return sizes and all(type(one) is int and one >= 0 for one in value)
