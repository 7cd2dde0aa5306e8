"""Tensors, numpy arrays and lists, taken in as plain numpy, or refused with what to write."""

from typing import Any

import numpy as np


def as_array(x: Any, name: str) -> np.ndarray:
    """Return x as a float64 array on the CPU, without its gradient.

    Raises: ValueError when x is not made of real numbers or is empty.
    """
    try:
        if hasattr(x, "detach"):  # a torch tensor, on any device and of any float type
            x = x.detach().cpu()
            x = (x if x.is_complex() else x.double()).numpy()
        array = np.array(x)  # a copy: a picture keeps its numbers
        if np.iscomplexobj(array):  # numpy would drop the imaginary part with a warning
            raise TypeError("complex numbers, of which a picture would show half")
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


def as_matrix(x: Any, name: str) -> np.ndarray:
    """Return x as an array of two axes; a single row becomes a matrix of one row."""
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
    """Return x as an array of two axes, a row of features for each position."""
    array = as_array(x, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} needs two axes, positions and features; got shape {list(array.shape)}. "
            + (f"Choose one head, for example {name}[0]." if array.ndim > 2 else "Write [[…]].")
        )
    return np.ascontiguousarray(array)


def as_row(x: Any, name: str) -> np.ndarray:
    """Return x as an array of one axis; a matrix of one row becomes that row."""
    array = as_array(x, name)
    if array.ndim == 2 and array.shape[0] == 1:
        return array[0]
    if array.ndim != 1:
        raise ValueError(
            f"{name} needs one row of numbers; got shape {list(array.shape)}. "
            f"Choose a row, for example {name}[0]."
        )
    return array


def as_allowed(allowed: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return allowed as a Boolean array of this shape (all True when it is None)."""
    if allowed is None:
        return np.ones(shape, dtype=bool)
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
    """Return count labels as text; without labels they count from 1: "key 1", "key 2", …"""
    if labels is None:
        return [f"{word} {i + 1}" for i in range(count)]
    try:
        texts = [str(label) for label in labels]
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
