"""One row's whole calculation: dot, score, allowed, exp, weight, sum, worked out and laid out."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
import torch

from attn_lab.core.attention import attention
from attn_lab.core.checks.arguments import check_count
from attn_lab.show.arrays import as_allowed, as_features, as_labels
from attn_lab.show.heat_value import BLOCKED_STYLE, Scale, cell
from attn_lab.show.picture import Picture, paper_table
from attn_lab.show.printed_numbers import BLOCKED, number, plain, row, three
from attn_lab.show.tables import TABLE, caption, corner, frame, scroll, td, text_table, th

_MOST_FEATURES = 4
_MOST_KEYS_SAID = 8
_FOOT = "border-top:1px solid var(--jp-border-color1,#9e9e9e);font-weight:600"


@dataclass(frozen=True)
class RowSteps:
    """The steps of one query, one entry per key; output is their sum."""

    index: int
    dot: np.ndarray
    scale: float
    divisor: float | None  # what dots are divided by, None where a scale was passed
    scaled: np.ndarray
    temperature: float | None
    tempered: np.ndarray
    allowed: np.ndarray
    masked: bool  # a mask was passed, whatever it allows
    shifted: bool
    exps: np.ndarray
    weights: np.ndarray
    values: np.ndarray
    products: np.ndarray
    output: np.ndarray

    @property
    def empty(self) -> bool:
        return not self.allowed.any()


def work_out(
    q: Any,
    k: Any,
    v: Any,
    row: int,
    allowed: Any,
    temperature: float | None,
    scale: float | None,
    shift: bool,
) -> RowSteps:
    """The steps of row `row`, an index from 0; weights and output are `attention`'s.

    Shapes: q [T_q, d_k], k [T_k, d_k], v [T_k, d_v], allowed [T_q, T_k].
    """
    queries, keys, values = (as_features(x, name) for x, name in ((q, "q"), (k, "k"), (v, "v")))
    row = _index(row, len(queries))
    legal = as_allowed(allowed, (len(queries), len(keys)))[row]
    tau = 1.0 if temperature is None else temperature
    found = attention(
        *(torch.from_numpy(x) for x in (queries[row : row + 1], keys, values)),
        allowed=torch.from_numpy(legal[None, :]),
        scale=scale,
        temperature=tau,
        fully_masked="zero",
    )
    output, weights = cast("tuple[torch.Tensor, torch.Tensor]", found)  # weights are asked for
    dot = (queries[row] * keys).sum(axis=1)
    factor = queries.shape[1] ** -0.5 if scale is None else scale
    tempered = dot * factor / tau
    top = float(tempered[legal].max()) if legal.any() else 0.0
    shifted = shift or top > math.log(1e6)  # beyond a million the column would not fit
    exps = np.exp(np.where(legal, tempered - (top if shifted else 0.0), -np.inf))
    shares = weights[0].numpy()
    return RowSteps(
        row,
        dot,
        factor,
        math.sqrt(queries.shape[1]) if scale is None else None,
        dot * factor,
        temperature,
        tempered,
        legal,
        allowed is not None,
        shifted,
        exps,
        shares,
        values,
        shares[:, None] * values,
        output[0].numpy(),
    )


def _index(row: Any, count: int) -> int:
    with suppress(TypeError, ValueError):
        if (index := check_count("row", row, at_least=0)) < count:
            return index
    raise ValueError(
        f"row needs an index from 0 to {count - 1}, one of q's {count} rows; got {row!r}. "
        "Query 1 is row 0."
    )


def row_steps(
    q: Any,
    k: Any,
    v: Any,
    *,
    row: int = 0,
    allowed: Any = None,
    temperature: float | None = None,
    scale: float | None = None,
    shift: bool = False,
    keys: Sequence[object] | None = None,
    title: str | None = None,
) -> Picture:
    """One query's whole calculation as a table, one line per key and the sums below.

    Shapes: q [T_q, d_k], k [T_k, d_k], v [T_k, d_v], allowed [T_q, T_k]. row counts from 0, like
    an index. temperature and allowed add their columns; shift subtracts the largest allowed score
    before exp.
    Raises: ValueError for shapes that do not fit and for a row that q does not have.

    >>> row_steps([[1, 0]], [[1, 0], [0, 1]], [[10, 0], [0, 20]])
    Query 1 (index 0): weights 0.670 0.330, output 6.698 6.605.
    key      dot  ÷ 1.414 = score    exp  weight  value  weight × value
    key 1  1.000            0.707  2.028   0.670  10, 0    6.698, 0.000
    key 2  0.000            0.000  1.000   0.330  0, 20    0.000, 6.605
    sum                            3.028   1.000           6.698, 6.605
    """
    steps = work_out(q, k, v, row, allowed, temperature, scale, shift)
    names = as_labels(keys, len(steps.dot), "keys", "key")
    sentence = _sentence(steps)
    head, lines, foot = _head(steps), _lines(steps, names), _foot(steps)
    name = title or f"How query {row + 1} (index {row}) reads {len(names)} keys"
    html = frame(sentence, scroll(_html(name, head, lines, foot, steps), name))
    text = f"{sentence}\n{text_table(head, [*lines, foot])}"
    return Picture(sentence, html, text, partial(paper_table, name, head, [*lines, foot]))


def _sentence(steps: RowSteps) -> str:
    who = f"Query {steps.index + 1} (index {steps.index})"
    if steps.empty:
        return f"{who} may read no key: its sum is 0, and 0 ÷ 0 is not defined."
    few = slice(_MOST_KEYS_SAID)
    weights = row(steps.weights[few], 3, allowed=steps.allowed[few])
    weights += " …" if len(steps.weights) > _MOST_KEYS_SAID else ""
    return f"{who}: weights {weights}, output {_vector(steps.output, 3, ' ')}."


def _head(steps: RowSteps) -> list[str]:
    by_temperature = [] if steps.temperature is None else [f"÷ τ = {plain(steps.temperature, 4)}"]
    return [
        "key",
        "dot",
        f"{_scaling(steps)} = score",
        *by_temperature,
        *(["allowed"] if steps.masked else []),
        "exp(s − max)" if steps.shifted else "exp",
        "weight",
        "value",
        "weight × value",
    ]


def _scaling(steps: RowSteps) -> str:
    """The step from dot to score, as the text says it: a division, unless a factor was passed."""
    return f"× {three(steps.scale)}" if steps.divisor is None else f"÷ {plain(steps.divisor, 4)}"


def _lines(steps: RowSteps, names: list[str]) -> list[list[str]]:
    lines = []
    for j, name in enumerate(names):
        legal = bool(steps.allowed[j])
        tempered = [] if steps.temperature is None else [three(steps.tempered[j])]
        shares = [three(steps.exps[j]), three(steps.weights[j])] if legal else [BLOCKED, BLOCKED]
        values = _plain_vector(steps.values[j])
        product = _vector(steps.products[j], 3) if legal else BLOCKED
        scores = [three(steps.dot[j]), three(steps.scaled[j]), *tempered]
        mask = ["yes" if legal else "no, −∞"] if steps.masked else []
        lines.append([name, *scores, *mask, *shares, values, product])
    return lines


def _foot(steps: RowSteps) -> list[str]:
    gap = [""] * (2 + (steps.temperature is not None) + steps.masked)
    sums = [three(steps.exps.sum()), three(steps.weights.sum())]
    output = BLOCKED if steps.empty else _vector(steps.output, 3)
    return ["sum", *gap, *sums, "", output]


def _html(
    name: str, head: list[str], lines: list[list[str]], foot: list[str], steps: RowSteps
) -> str:
    rows = ["<tr>" + corner(head[0]) + "".join(th(h, "col") for h in head[1:]) + "</tr>"]
    at = head.index("weight")
    for j, line in enumerate(lines):
        legal = bool(steps.allowed[j])
        cells = []
        for i, text in enumerate(line[1:], start=1):
            style = ""
            if i == at and legal:
                style = cell(float(steps.weights[j]), True, Scale(0.0, 1.0), True).style
            elif text == BLOCKED:
                style = BLOCKED_STYLE
            cells.append(td(text, style))
        rows.append("<tr>" + th(line[0], "row") + "".join(cells) + "</tr>")
    last = th(foot[0], "row", _FOOT) + "".join(td(text, _FOOT) for text in foot[1:])
    return f'<table style="{TABLE}">{caption(name)}{"".join(rows)}<tr>{last}</tr></table>'


def _vector(x: Any, places: int, between: str = ", ") -> str:
    """A vector's numbers; of a long one, the first few."""
    shown = between.join(number(value, places) for value in x[:_MOST_FEATURES])
    return shown + (f"{between}…" if len(x) > _MOST_FEATURES else "")


def _plain_vector(x: Any) -> str:
    """A value as it was written: whole numbers without decimals."""
    whole = all(float(value).is_integer() and abs(value) < 1e6 for value in x)
    return _vector(x, 0 if whole else 3)
