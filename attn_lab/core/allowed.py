"""The one Boolean argument, `allowed`: True = may be read."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.checks import check_boolean, check_values, shape_of


def check_allowed(allowed: Any, scores_shape: Sequence[int], device: torch.device) -> Tensor:
    """`allowed` on the scores' device, refused unless its meaning for these scores is plain.

    It is 2-D [T_q, T_k], or has the scores' rank with each axis equal or 1.
    """
    wanted = list(scores_shape)
    rows_columns = "[T_q, T_k]" if len(wanted) > 1 else "[T_k]"
    check_boolean("allowed", allowed, rows_columns, n_dims=1)
    got = list(allowed.shape)
    fits = len(got) == len(wanted) and all(g in (1, w) for g, w in zip(got, wanted, strict=True))
    if not fits and got != wanted[-2:]:
        raise ValueError(
            f"allowed needs shape {wanted[-2:]}, or {len(wanted)} axes that fit the scores "
            f"{wanted} (each equal or 1); got {shape_of(allowed)}. {_advice(got, wanted)}"
        )
    if allowed.device == device:
        return allowed
    check_values("allowed", allowed)
    return allowed.to(device)


def _advice(got: list[int], wanted: list[int]) -> str:
    """What to write instead, guessed from the shape that came."""
    batch, T_k = wanted[0], wanted[-1]
    missing = len(wanted) - len(got)
    if len(got) == 2 and missing > 0 and got == [batch, T_k]:
        axes = "None, " * (len(wanted) - 2)
        return f"For one row of keys per sequence write allowed[:, {axes}:]."
    if len(got) == 3 and missing == 1 and got[0] == batch * wanted[1] > batch:
        return (
            f"For torch's mask of all heads in one axis write allowed.unflatten(0, ({batch}, -1))."
        )
    if len(got) == 3 and missing == 1:
        return "With heads write allowed[:, None], the same for every head."
    if len(got) == 1 and missing > 0:
        return f"For the same keys in every row write allowed.expand({wanted[-2]}, {T_k})."
    if len(got) > 1 and got[-2:] != wanted[-2:] and got[-2:] == [wanted[-1], wanted[-2]]:
        return "Rows are queries and columns are keys: write allowed.transpose(-2, -1)."
    if got[-2:] == wanted[-2:]:
        return "Queries and keys fit; check the axes before them, batch and heads."
    return "Rows are queries, columns are keys."


def find_open_rows(allowed: Tensor) -> Tensor:
    """1 for each query that may read something, else 0: [..., T_q, 1], off the mask alone."""
    return allowed.view(torch.uint8).amax(-1, keepdim=True)  # many times faster than any()


def refuse_empty_rows(empty: Tensor) -> None:
    """Refuse rows without a readable key, and name them."""
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
