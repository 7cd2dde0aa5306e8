"""What somebody passes, taken in as plain numpy and text, or refused with what to write."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attn_lab.show.as_written import visible
from attn_lab.show.masked_arrays import hides, in_view, uncovered
from attn_lab.show.printed_numbers import number

LARGEST = 1e300  # above it, the span of an axis would overflow


def as_array(x: Any, name: str) -> np.ndarray:
    """`x` as a float64 array on the CPU, without its gradient.

    Raises: ValueError when x is not made of real numbers or is empty, and for what would be lost:
    a mask, names of rows and columns.
    """
    if hides(x):
        raise ValueError(
            f"{name} needs all its numbers; got a masked array that hides some, for which this "
            f"picture has no sign. Write {name}.filled(…), or drop them."
        )
    _refuse_names(x, name)
    try:
        if hasattr(x, "detach"):  # a torch tensor, on any device and of any float type
            x = x.detach().cpu()
            x = (x if x.is_complex() else x.double()).numpy()
        array = np.array(x)  # a copy: a picture keeps its numbers
        if np.iscomplexobj(array):  # numpy would drop the imaginary part with a warning
            raise TypeError("complex numbers, of which a picture would show half")
        _check_numbers(array, name)
        array = array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as problem:
        raise ValueError(
            f"{name} needs numbers: a tensor, an array or a list with rows of one length; "
            f"got {type(x).__name__} ({problem}). Check its rows."
        ) from None
    if array.size == 0:
        raise ValueError(
            f"{name} needs at least one number; got shape {list(array.shape)}. "
            "Check how it was sliced."
        )
    return array


def _check_numbers(array: np.ndarray, name: str) -> None:
    """Refuse what numpy would make numbers of: names of fields, dates, text, None."""
    if array.dtype.names:
        raise TypeError(f"fields {', '.join(array.dtype.names)}: choose one by {name}[…]")
    if array.dtype.kind not in "biufO":
        raise TypeError(f"entries of type {array.dtype}")
    if array.dtype.kind == "O":
        for entry in array.flat:
            if isinstance(entry, str | bytes) or not hasattr(entry, "__float__"):
                raise TypeError(f"{entry!r} among them")


def names_of(x: Any) -> tuple[Any, Any]:
    """The names that a data frame gives its rows and columns, None where it only counts them."""
    if not hasattr(x, "to_numpy"):
        return None, None
    rows, columns = getattr(x, "index", None), getattr(x, "columns", None)
    return _unless_counted(rows), _unless_counted(columns)


def _unless_counted(names: Any) -> Any:
    return None if names is None or [*names] == [*range(len(names))] else [*names]


def _refuse_names(x: Any, name: str) -> None:
    rows, columns = names_of(x)
    if hasattr(x, "columns") and (rows or columns):
        raise ValueError(
            f"{name} needs plain numbers; got a {type(x).__name__} with names of its own "
            f"({', '.join(map(str, columns or rows))}), which this would lose. "
            f"Write {name}.to_numpy(), and pass the names as labels where there are some."
        )


def as_matrix(x: Any, name: str) -> np.ndarray:
    """`x` as an array of two axes; a single row becomes a matrix of one row."""
    array = as_array(x, name)
    if array.ndim == 1:
        return array[None, :]
    if array.ndim != 2:
        first = ", ".join("0" * (array.ndim - 2))
        how = (
            f"Choose one head and batch entry, for example {name}[{first}]."
            if array.ndim > 2
            else f"Put it in a row, for example [[{name}]]."
        )
        raise ValueError(
            f"{name} needs two axes, queries and keys [T_q, T_k]; got shape "
            f"{list(array.shape)}. {how}"
        )
    return array


def as_features(x: Any, name: str) -> np.ndarray:
    """`x` as an array of two axes, a row of features for each position."""
    array = as_array(x, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} needs two axes, positions and features; got shape {list(array.shape)}. "
            + (f"Choose one head, for example {name}[0]." if array.ndim > 2 else "Write [[…]].")
        )
    return np.ascontiguousarray(array)


def as_row(x: Any, name: str) -> np.ndarray:
    """`x` as an array of one axis; a matrix of one row becomes that row."""
    array = as_array(x, name)
    if array.ndim == 2 and array.shape[0] == 1:
        return array[0]
    if array.ndim != 1:
        raise ValueError(
            f"{name} needs one row of numbers; got shape {list(array.shape)}. "
            f"Choose a row, for example {name}[0]."
        )
    return array


def as_allowed(allowed: Any, shape: tuple[int, ...], drawn: Any = None) -> np.ndarray:
    """`allowed` as a Boolean array of this shape (all True when it is None).

    What `allowed`, or the masked array that is `drawn`, hides is blocked.
    """
    if drawn is not None and hides(drawn):
        return as_allowed(allowed, shape) & in_view(drawn, shape)
    if allowed is None:
        return np.ones(shape, dtype=bool)
    _refuse_names(allowed, "allowed")
    allowed = uncovered(allowed)
    if hasattr(allowed, "detach"):
        allowed = allowed.detach().cpu().numpy()
    array = np.asarray(allowed)
    if array.dtype != np.bool_:
        raise TypeError(
            f"allowed needs True (may be read) and False (blocked); got {array.dtype}. For 0 and "
            "-inf write attn_lab.masks.from_additive(allowed), for 1 and 0 allowed == 1."
        )
    if len(shape) == 2 and array.ndim == 1 and shape[0] == 1:
        array = array[None, :]
    if array.shape != shape:
        raise ValueError(
            f"allowed needs shape {list(shape)}, like what is drawn; got {list(array.shape)}. "
            "Pass the mask of the same queries and keys."
        )
    return array


def as_labels(labels: Any, count: int, name: str, word: str) -> list[str]:
    """`count` labels as text; without labels they count from 1: "key 1", "key 2", …"""
    if labels is None:
        return [f"{word} {i + 1}" for i in range(count)]
    try:
        texts = [_text(label) for label in labels]
    except TypeError:
        raise ValueError(
            f"{name} needs a list of {count} labels, one for each {word}; got {labels!r}. "
            f'Write {name}=["…", "…"], or leave it out.'
        ) from None
    if len(texts) != count:
        raise ValueError(
            f"{name} needs {count} labels, one for each {word}; got {len(texts)}: {texts}. "
            f"Add or remove labels, or leave {name} out."
        )
    return texts


def _text(label: Any) -> str:
    """A label as text; a number in a tensor as the number."""
    if not hasattr(label, "detach") or label.ndim:
        return visible(str(label))
    value = label.item()
    return f"{value:g}" if isinstance(value, float) else str(value)


def as_series(values: Any, name: str, default: str) -> dict[str, np.ndarray]:
    """`values` as named rows of one length; a single row gets the default name.

    >>> {key: row.tolist() for key, row in as_series({"τ = 1": [1, 2]}, "values", "w").items()}
    {'τ = 1': [1.0, 2.0]}
    """
    if not isinstance(values, Mapping):
        return {default: as_row(values, name)}
    if not values:
        raise ValueError(f"{name} needs at least one named row; got an empty mapping.")
    rows = {str(key): as_row(row, f"{name}[{key!r}]") for key, row in values.items()}
    lengths = {key: len(row) for key, row in rows.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"{name} needs rows of one length; got {lengths}. Check each row.")
    return rows


def as_axes(axes: Any) -> tuple[str, str]:
    """The names of the two axes as text."""
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        raise ValueError(
            f'axes needs two names, such as ("query", "key"); got {axes!r}. '
            "Name both, or leave axes out."
        )
    return str(axes[0]), str(axes[1])


def check_finite(values: np.ndarray, drawn: np.ndarray, name: str, labels: list[str]) -> None:
    """Refuse nan, infinity and what overflows on paper, where drawn is True, and say where."""
    for i in np.flatnonzero(drawn & ~(np.abs(values) < LARGEST)):
        raise ValueError(
            f"{name} needs finite numbers below {LARGEST:g} to be drawn; got "
            f"{number(values[i], 2)} at {labels[i]}. Drop it, or print the numbers instead."
        )
