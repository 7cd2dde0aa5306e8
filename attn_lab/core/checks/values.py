"""Checks that read values.

On a GPU each reading waits for all work before it, so a call collects what it wants to know as
small tensors and reads them together, once.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lab.core.checks.arguments import dtype_of
from attn_lab.core.checks.arithmetic import HALVES, LARGEST, in_float32_at_least, times
from attn_lab.core.checks.fit import Inputs

SMALL = 1 << 15  # numbers in a tensor


class Survey(NamedTuple):
    """What a call of attention must know about the values it is given."""

    v_max: float  # no value is larger in size
    empty: Tensor | None  # True for the rows to give 0, None where there are none
    more: list[Any]  # the caller's own readings, made in the same go


NOTHING = Survey(v_max=0.0, empty=None, more=[])


def is_sound(given: Inputs, weights: Tensor) -> bool:
    """Whether a survey would find nothing, by one look at the inputs and the weights made of them.

    Where in doubt it says no.
    """
    q, k, v, _, scale = given[:5]
    # A row that could read nothing has become not-a-number, or 0 where a gradient was cut.
    tops = weights.detach().amax(-1).amin() if weights.requires_grad else weights.max()
    top, *ends = read(tops, *_ends(q, k, v))
    q_max, k_max, v_max = _three(largest(ends))
    return top > 0 and _scores_fit(q, q_max, k_max, scale) and v_max < LARGEST[v.dtype] / 2


def survey(
    given: Inputs, fully_masked: str, *more: Tensor, bounds: Sequence[Tensor] = ()
) -> Survey:
    """Look at all values once; refuse what is not finite, empty rows unless they may be, and
    scores that overflow.

    Three `bounds` that no value of q, of k and of v exceeds spare a look at every value.
    """
    q, k, v, allowed, scale = given[:5]
    readings = [*bounds] or _ends(q, k, v)
    n_ends = len(readings)
    if allowed is not None:
        open_rows = find_open_rows(allowed)
        readings.append(open_rows.amin())
    found = read(*readings, *more)
    q_max, k_max, v_max = _three(found[:3] if bounds else largest(found[:n_ends]))
    fit = _scores_fit(q, q_max, k_max, scale)
    if not (fit and v_max < LARGEST[v.dtype] / 2):  # a bound does not tell
        q_max, k_max, v_max = sizes_of(q, k, v)
        refuse_non_finite(q=(q, q_max), k=(k, k_max), v=(v, v_max))
        fit = _scores_fit(q, q_max, k_max, scale)
    empty = None
    if allowed is not None and not found[len(readings) - 1]:
        empty = rows_to_zero(open_rows, fully_masked)
    if not fit:
        refuse_scores_that_overflow(q, k, scale)
    return Survey(v_max, empty, found[len(readings) :])


def _ends(q: Tensor, k: Tensor, v: Tensor) -> list[Tensor]:
    """The extremes of each; those of all together where a look costs more than what is seen."""
    if q.shape == k.shape == v.shape and q.numel() <= SMALL:
        return [*extremes(torch.cat((q, k, v), -2))]
    return [*extremes(q), *extremes(k), *extremes(v)]


def _three(sizes: list[float]) -> list[float]:
    return sizes if len(sizes) == 3 else sizes * 3  # one look at all three together


def _scores_fit(q: Tensor, q_max: float, k_max: float, scale: float) -> bool:
    """Whether no score can overflow, whatever query meets whatever key."""
    scaled = q_max * abs(scale)
    limit = LARGEST[torch.float32 if q.dtype in HALVES else q.dtype] / 2
    return scaled < limit and scaled * k_max * q.shape[-1] < limit


def extremes(x: Tensor) -> tuple[Tensor, Tensor]:
    """The lowest and the highest value, still on the device; not-a-number if any entry is."""
    return torch.aminmax(x.detach() if x.requires_grad else x)


def largest(found: list[float]) -> list[float]:
    """The largest size between each two extremes; not finite if any entry between them is not."""
    # where one extreme is not-a-number, both are
    return [max(-low, high) for low, high in zip(found[::2], found[1::2], strict=True)]


def sizes_of(*tensors: Tensor) -> list[float]:
    """The largest size in each tensor, read together; not finite if any entry is not."""
    return largest(read(*(end for x in tensors for end in extremes(x))))


def read(*readings: Tensor) -> list[Any]:
    """The numbers behind several small tensors, in one synchronisation."""
    if not readings[0].is_cpu:
        together = torch.cat([r.double().flatten() for r in readings]).cpu()
        parts = together.split([r.numel() for r in readings])
        readings = tuple(
            part.view(r.shape).to(r.dtype) for part, r in zip(parts, readings, strict=True)
        )
    try:
        return [r.tolist() for r in readings]
    except RuntimeError:
        # torch 2.13.0 has no public way to ask; imported here, its loss would cost one message
        from torch._C._functorch import is_functorch_wrapped_tensor

        if not any(map(is_functorch_wrapped_tensor, readings)):
            raise
        raise ValueError(
            "values must be readable, to refuse what is not finite; torch.func.vmap hides them. "
            "All axes before the last two are batches already: write attention(q, k, v)."
        ) from None


def refuse_non_finite(**found: tuple[Tensor, float]) -> None:
    """Refuse the first argument whose largest size is not finite, and say where it is."""
    for name, (x, size) in found.items():
        if math.isfinite(size):
            continue
        where = (~x.detach().isfinite()).nonzero()
        place = where[0].tolist()
        raise ValueError(
            f"{name} must hold finite numbers, behind a mask too; got {len(where)} that are not, "
            f"the first is {x[tuple(place)].item()} at index {place}. "
            f"Mend the step that made {name}."
        )


def refuse_overflow(result: Tensor, size: float, what: str, made_of: str) -> None:
    """Refuse a result that left the range of its dtype though what it is made of is finite."""
    if not math.isfinite(size):
        raise ValueError(
            f"{what} overflow {dtype_of(result)}: {made_of} are finite, but too large together. "
            f"Make {made_of} smaller, or compute in float64 with .double()."
        )


def refuse_scores_that_overflow(q: Tensor, k: Tensor, scale: float) -> None:
    """Refuse q and k whose scores overflow, without holding more than a block of them."""
    q, k = in_float32_at_least(q), in_float32_at_least(k).transpose(-2, -1)
    blocks = (extremes(times(rows, scale) @ k) for rows in q.split(64, dim=-2))
    for size in largest(read(*(end for ends in blocks for end in ends))):
        refuse_overflow(q, size, "the scaled scores", "q and k")


def find_open_rows(allowed: Tensor) -> Tensor:
    """1 for each query that may read something, else 0: [..., T_q, 1], off the mask alone."""
    return allowed.view(torch.uint8).amax(-1, keepdim=True)  # many times faster than any()


def rows_to_zero(open_rows: Tensor, fully_masked: str) -> Tensor:
    """True for each row without a readable key; refuse them by name unless they may be "zero"."""
    empty = open_rows == 0
    if fully_masked == "zero":
        return empty
    places = empty.squeeze(-1).nonzero().tolist()
    named = ", ".join(_name_of(place) for place in places[:5])
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    rows = "row" if len(places) == 1 else "rows"
    raise ValueError(
        f"allowed must leave each query at least one key; got {len(places)} fully masked {rows}: "
        f"{named}{more}. Mend the mask, or pass fully_masked='zero' for weights and output 0."
    )


def _name_of(place: list[int]) -> str:
    if not place:
        return "the only row"
    index = place[0] if len(place) == 1 else place
    return f"query {place[-1] + 1} (index {index})"
