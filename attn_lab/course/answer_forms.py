"""Reads what a question needs for its kind of answer: options, labels, rows, near misses."""

from collections.abc import Callable
from typing import Any

from attn_lab.course.fields import Fields, is_number
from attn_lab.course.forms import Misconception, NearMiss, Option

_Known = dict[str, Misconception]


def _choice(fields: Fields, known: _Known) -> dict[str, Any]:
    options: list[Option] = []
    for place, table in enumerate(fields.tables("option"), start=1):
        each = Fields(table, f"{fields.where}, option {place}")
        key, text = each.key("key"), each.text("text")
        if key in {other.key for other in options} or text in {other.text for other in options}:
            raise each.refusal("key", "a key and a text of its own", key)
        options.append(Option(key, text, each.text("sentence"), _misconception(each, known)))
        each.finish("an option")
    if len(options) < 2:
        raise fields.refusal("option", "at least two options", len(options))
    if all(option.misconception for option in options):
        raise fields.refusal("option", "an option without a misconception: one is right", "none")
    return {"options": tuple(options)}


def _numbers(fields: Fields, known: _Known) -> dict[str, Any]:
    labels = fields.texts("labels")

    def fits(value: Any) -> bool:
        return isinstance(value, list) and len(value) == len(labels) and all(map(is_number, value))

    return {
        "labels": labels,
        "tolerance": fields.positive("tolerance"),
        "relative": fields.flag("relative"),
        "sums_to_one": fields.flag("sums_to_one"),
        "near_misses": _near_misses(fields, known, fits, f"{len(labels)} numbers"),
    }


def _cells(fields: Fields, known: _Known) -> dict[str, Any]:
    rows, columns = fields.texts("rows"), fields.texts("columns")

    def fits(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(rows)
            and all(isinstance(row, list) and len(row) == len(columns) for row in value)
            and all(type(one) is int and one in (0, 1) for row in value for one in row)
        )

    form = f"{len(rows)} rows of {len(columns)} cells, each 0 or 1"
    misses = _near_misses(fields, known, fits, form)
    return {
        "rows": rows,
        "columns": columns,
        "cell": fields.text("cell", "reads"),
        "near_misses": misses,
    }


def _shape(fields: Fields, known: _Known) -> dict[str, Any]:
    labels = fields.texts("labels", ("shape",))  # one label for each shape that is asked for

    def is_shape(value: Any) -> bool:
        return isinstance(value, list) and all(type(one) is int and one >= 0 for one in value)

    def fits(value: Any) -> bool:
        if len(labels) == 1:
            return is_shape(value)
        return isinstance(value, list) and len(value) == len(labels) and all(map(is_shape, value))

    form = "a list of sizes" if len(labels) == 1 else f"{len(labels)} lists of sizes"
    return {"labels": labels, "near_misses": _near_misses(fields, known, fits, form)}


def _near_misses(fields: Fields, known: _Known, fits: Any, form: str) -> tuple[NearMiss, ...]:
    found: list[NearMiss] = []
    for place, table in enumerate(fields.tables("near_miss"), start=1):
        each = Fields(table, f"{fields.where}, near_miss {place}")
        name, value = each.text("name"), each.take("value")
        if not fits(value):
            raise each.refusal("value", form, value)
        if name in {other.name for other in found} or value in [other.value for other in found]:
            raise each.refusal("name", "a name and a value of its own", name)
        mistake = each.take("mistake", None)
        if mistake is not None and not (isinstance(mistake, str) and mistake.isidentifier()):
            raise each.refusal("mistake", "a name such as mask_after_softmax", mistake)
        sentence = each.text("sentence")
        found.append(NearMiss(name, value, sentence, _misconception(each, known), mistake))
        each.finish("a near miss")
    return tuple(found)


def _misconception(fields: Fields, known: _Known) -> str | None:
    id = fields.take("misconception", None)
    if id is not None and id not in known:
        raise fields.refusal("misconception", "an id of misconceptions.toml", id)
    return id


FORMS: dict[str, Callable[[Fields, _Known], dict[str, Any]]] = {
    "choice": _choice,
    "numbers": _numbers,
    "cells": _cells,
    "shape": _shape,
}
