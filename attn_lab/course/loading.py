"""A TOML table read into a frozen struct; what is malformed is refused by file, place and field."""

import math
import re
import tomllib
from collections.abc import Collection
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

Positive = int | float
Texts = tuple[str, ...]

_HTML = re.compile(r"</?[A-Za-z!][^<>]*>|&#?\w+;")
_LATEX = re.compile(r"\$[^$]+\$|\\[A-Za-z(\[]")
_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_WORDS = {
    "`int | float`": "a number above 0",
    "`str`": "a text",
    "`str | null`": "a text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table of fields",
}
_STEP = re.compile(r"\.([^.\[\]`]+)|\[(\d+)\]")  # of a place such as `$.near_miss[0].value`


class FieldError(ValueError):
    """One field that is not what it should be: its name, what was expected and what came."""

    def __init__(self, field: str, expected: str, got: Any, within: str = "") -> None:
        place = f"{within}, " if within else ""
        super().__init__(f"{place}field {field!r}: expected {expected}; got {got!r}.")


class Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table whose numbers are above 0 and whose texts are plain.

    Plain is Unicode for maths, blank lines between paragraphs, and no markup. A text that is given
    is not empty and stands without the space around it; of several in a list no two are the same.
    Raises: FieldError.
    """

    def __post_init__(self) -> None:
        for field in _fields(type(self)):
            value = getattr(self, field.name)
            if value is field.default:
                continue
            if field.type == Positive and not 0 < value < math.inf:
                raise FieldError(field.name, _WORDS["`int | float`"], value)
            if isinstance(value, str):
                msgspec.structs.force_setattr(self, field.name, _plain(field.name, value))
            elif field.type == Texts:
                if not value:
                    raise FieldError(field.name, "a list of texts", [])
                read = tuple(_plain(field.name, each) for each in value)
                if len(set(read)) < len(read):
                    raise FieldError(field.name, "texts that all differ", list(value))
                msgspec.structs.force_setattr(self, field.name, read)


T = TypeVar("T", bound=msgspec.Struct)


def read_toml(path: Path) -> dict[str, Any]:
    """The whole of a TOML file.

    Raises: ValueError naming the file.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name}: not valid TOML: {error}.") from None


def read_table(into: type[T], table: Any, where: str) -> T:
    """A table as a struct; `where` says which one it is ("05.toml, 05/first-row").

    Raises: ValueError naming the table and the field, what was expected and what came.
    """
    if not isinstance(table, dict):
        raise ValueError(f"{where}: expected a table of fields; got {table!r}.")
    _check_inside(into, table, where)
    try:
        return msgspec.convert(table, into)
    except msgspec.ValidationError as error:
        raise ValueError(_located(error, table, where)) from None


def check_key(field: str, value: str) -> None:
    """Refuse what is not a short name of small letters, digits and hyphens."""
    if not _KEY.fullmatch(value):
        raise FieldError(field, 'a key such as "first-row"', value)


def tables_of(whole: dict[str, Any], field: str, where: str) -> list[Any]:
    """The tables that a file lists under one name, each begun with `[[name]]`."""
    value = whole.get(field, [])
    if not isinstance(value, list):
        raise ValueError(
            f"{where}, field {field!r}: expected tables, each begun with [[{field}]]; "
            f"got {value!r}."
        )
    return value


def check_names(
    table: dict[str, Any], where: str, needed: set[str], more: Collection[str] = ()
) -> None:
    """Refuse a table that lacks a needed field or has an unknown one, which would do nothing.

    Raises: ValueError naming the field, and the one that may have been meant.
    """
    unknown = sorted(set(table) - needed - {*more})
    for field in sorted(needed - set(table)):
        near = get_close_matches(field, unknown, 1)
        advice = f"Is {near[0]!r} meant to be it?" if near else f"Add {field} = …."
        raise ValueError(f"{where}, field {field!r}: missing. {advice}")
    for field in unknown:
        allowed = f"expected only the fields {', '.join(sorted({*needed, *more}))}"
        raise ValueError(f"{where}, field {field!r}: {allowed}; got {table[field]!r}.")


def _check_inside(into: type[msgspec.Struct], table: dict[str, Any], where: str) -> None:
    """Check the names of a table's fields, and of those of the tables inside it."""
    fields = _fields(into)
    more = {each.encode_name for each in fields if not each.required}
    if into.__struct_config__.tag_field:
        more.add(str(into.__struct_config__.tag_field))
    check_names(table, where, {each.encode_name for each in fields if each.required}, more)
    for each in fields:
        inner = next(iter(get_args(each.type)), None)
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            for place, part in enumerate(tables_of(table, each.encode_name, where), start=1):
                if isinstance(part, dict):
                    _check_inside(inner, part, f"{where}, {each.encode_name} {place}")


def _located(error: msgspec.ValidationError, table: dict[str, Any], where: str) -> str:
    """What msgspec says, with the place in our words and with what stands there."""
    said, _, path = str(error).partition(" - at `$")
    found: Any = table
    field = ""
    for name, place in _STEP.findall(path):
        if isinstance(found, list) and isinstance(found[int(place)], dict):
            where, field = f"{where}, {field} {int(place) + 1}", ""
        field = name or field
        found = found[name] if name else found[int(place)]
    if isinstance(error.__cause__, FieldError):
        return f"{where}, {error.__cause__}"
    said = said.partition(", got ")[0].removeprefix("Expected ")
    return f"{where}, {FieldError(field, _WORDS.get(said, said), found)}"


@cache
def _fields(into: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(into)


def _plain(field: str, value: str) -> str:
    if not value.strip():
        raise FieldError(field, "a text", value)
    if _HTML.search(value) or _LATEX.search(value):
        raise FieldError(field, "plain text with Unicode maths, no HTML, no LaTeX", value)
    return value.strip()
