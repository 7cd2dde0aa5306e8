"""A grid whose cells are painted or not: an answer is rows of 0 and 1."""

from __future__ import annotations

from typing import Any, ClassVar

from attn_lab.course.kinds.answer import refusal, taken
from attn_lab.course.kinds.comparison import NONE, Marked, Paper, Table, Verdict, sign
from attn_lab.course.kinds.near_misses import Open
from attn_lab.course.kinds.question import Group

_YES = ("no", "yes")


class Cells(Open, frozen=True, kw_only=True, tag="cells"):
    """A question that is answered by painting cells; "query 1 reads key 2" names one of them."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: str = "reads"

    control: ClassVar[str] = "grid"

    @property
    def form(self) -> str:
        """How many rows of how many cells."""
        return f"{len(self.rows)} rows of {len(self.columns)} cells, each 0 or 1"

    def fits(self, answer: Any) -> bool:
        """Whether it is rows of the whole numbers 0 and 1."""
        return self._is_grid(answer) and all(type(one) is int for row in answer for one in row)

    def read(self, answer: Any) -> list[list[int]]:
        """Rows of 0 and 1, also from Booleans, and from a plain list for a single row or column."""
        answer = taken(self, answer)
        table = answer if isinstance(answer, list) else [answer]
        if not any(isinstance(row, list) for row in table):
            table = [table] if len(self.rows) == 1 else [[one] for one in table]
        if not self._is_grid(table):
            raise refusal(self, f"{self.form} (or False and True)", answer)
        return [[int(one) for one in row] for row in table]

    def _is_grid(self, table: Any) -> bool:
        return (
            isinstance(table, list)
            and len(table) == len(self.rows)
            and all(isinstance(row, list) and len(row) == len(self.columns) for row in table)
            and all(one in (0, 1) for row in table for one in row)
        )

    @property
    def has_steps(self) -> bool:
        """Even a single cell is one of a map."""
        return True

    def places(self) -> list[str]:
        """The name of each cell, row by row."""
        return [f"{row} {self.cell} {column}" for row in self.rows for column in self.columns]

    def parts(self, answer: list[list[int]]) -> list[int]:
        """The cells, row by row."""
        return [one for row in answer for one in row]

    def spelled(self, answer: Any) -> str:
        """The grid in one line, its rows with a stroke between them."""
        return " / ".join("".join("■" if cell else "□" for cell in row) for row in answer)

    def in_words(self, answer: list[list[int]]) -> str:
        """The marked cells; by rows alone where there is one column, by columns for one row."""
        by_row = [
            (row, [name for name, cell in zip(self.columns, cells, strict=True) if cell])
            for row, cells in zip(self.rows, answer, strict=True)
        ]
        if len(self.columns) == 1:
            return ", ".join(row for row, marked in by_row if marked) or "none marked"
        if len(self.rows) == 1:
            return ", ".join(by_row[0][1]) or "none marked"
        return "; ".join(f"{row}: {', '.join(marked) or 'none'}" for row, marked in by_row)

    def aloud(self, group: Group) -> str:
        """Its meaning: squares cannot be said."""
        return group.meaning

    def grid(self, answer: list[list[int]]) -> Table:
        """The grid with yes and no, the painted cells marked."""
        rows = [
            [name, *(_YES[one] for one in line)]
            for name, line in zip(self.rows, answer, strict=True)
        ]
        painted = {(r, c) for r, line in enumerate(answer) for c, one in enumerate(line) if one}
        return Table(["", *self.columns], rows, frozenset(painted))

    def in_code(self) -> str:
        """One list for each row."""
        return f"[{', '.join(['[…]'] * len(self.rows))}]"

    def dots(self) -> str:
        """What the rows and the columns are."""
        rows, columns = ", ".join(self.rows), ", ".join(self.columns)
        return f"Rows: {rows}. In each row 0 or 1 for: {columns}. {self.meaning}"

    @property
    def meaning(self) -> str:
        """What a mark says: that it works, that it fails, that it changes."""
        return f"Mark a cell where it is so. In the first one a mark says: {self.places()[0]}."

    def on_paper(self) -> Paper:
        """An empty grid with its names."""
        return Paper(rows=self.rows, columns=self.columns, caption=self.meaning)

    def beside(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Table:
        """One grid: in each cell the prediction, the sign and what was computed."""
        rows, marked = [], set()
        for r, (name, line) in enumerate(zip(self.rows, computed, strict=True)):
            cells = [name]
            for c, after in enumerate(line):
                if predicted is None:
                    cells.append(_YES[after])
                    continue
                before = predicted[r][c]
                cells.append(f"{_YES[before]} {sign(before, before == after)} {_YES[after]}")
                if before != after:
                    marked.add((r, c))
            rows.append(cells)
        return Table(["", *self.columns], rows, frozenset(marked))

    def drawn(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Marked:
        """One grid with both in each cell."""
        before = predicted or [[None] * len(self.columns) for _ in self.rows]
        cells = [
            [
                (one if one is None else bool(one), bool(other))
                for one, other in zip(*both, strict=True)
            ]
            for both in zip(before, computed, strict=True)
        ]
        return Marked(self.rows, self.columns, cells)

    def alone(self, computed: list[list[int]]) -> Table:
        """The grid with yes and no."""
        return self.beside(None, computed, None)

    def legend(self, predicted: bool) -> str:
        """What stands in a cell."""
        said = "prediction, then computed" if predicted else f"computed; {NONE}"
        return f"In each cell: {said}. In the first one yes says: {self.places()[0]}."

    def stand_in(self) -> list[list[int]]:
        """The lower triangle."""
        return [
            [int(column <= row) for column in range(len(self.columns))]
            for row in range(len(self.rows))
        ]
