"""Reads the course's TOML files; what is malformed is refused by file, id and field."""

import keyword
import re
import tomllib
from pathlib import Path
from typing import Any

from attn_lab.course.answer_forms import FORMS
from attn_lab.course.fields import Fields
from attn_lab.course.forms import DEPTHS, KINDS, Misconception, Notebook, Question

_ID = re.compile(r"(\d\d)/[a-z][a-z0-9]*(-[a-z0-9]+)*")
_STATEMENT = re.compile(r"S([1-9]|[12]\d|30)")


def read_misconceptions(path: Path) -> dict[str, Misconception]:
    """Returns the misconceptions of one file by id; an empty dict where there is no file."""
    found = {}
    for id, table in (_read(path) if path.exists() else {}).items():
        fields = Fields(table, f"{path.name}, {id}")
        Fields({"id": id}, fields.where).key("id")
        parts = {name: fields.text(name) for name in ("name", "rule", "holds", "check")}
        fields.finish("a misconception")
        found[id] = Misconception(id=id, **parts)
    return found


def read_notebook(path: Path, misconceptions: dict[str, Misconception]) -> Notebook:
    """Returns one notebook's data with its questions, every field checked.

    Raises: ValueError naming file, question and field, what was expected and what came.
    """
    whole = Fields(_read(path), path.name)
    about = Fields(whole.take("notebook"), f"{path.name}, notebook")
    tables = whole.tables("question")
    whole.finish("[notebook] and [[question]]")
    asked: list[Question] = []
    for place, table in enumerate(tables, start=1):
        one = _question(table, f"{path.name}, question {place}", path, misconceptions)
        if one.id in {other.id for other in asked}:
            raise ValueError(f"{path.name}, {one.id}, field 'id': used twice. Rename one.")
        asked.append(one)
    read = Notebook(
        number=path.stem,
        title=about.text("title"),
        question=about.text("question"),
        minutes=about.positive("minutes"),
        summary=about.texts("summary"),
        questions=tuple(asked),
    )
    about.finish("[notebook]")
    return read


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name}: not valid TOML: {error}.") from None


def _question(table: Any, where: str, path: Path, known: dict[str, Misconception]) -> Question:
    fields = Fields(table, where)
    id = fields.take("id")
    named = _ID.fullmatch(id) if isinstance(id, str) else None
    if named is None or named[1] != path.stem:
        raise fields.refusal("id", f'"{path.stem}/" and a name such as first-row', id)
    if keyword.iskeyword(id[3:].replace("-", "_")):
        raise fields.refusal("id", "a name that can be a Python variable", id)
    fields.where = f"{path.name}, {id}"
    statements = fields.texts("statements")
    for statement in statements:
        if not _STATEMENT.fullmatch(statement):
            raise fields.refusal("statements", "S1 to S30", statement)
    kind = fields.one_of("kind", KINDS)
    common: dict[str, Any] = {
        "id": id,
        "kind": kind,
        "prompt": fields.text("prompt"),
        "depth": fields.one_of("depth", DEPTHS),
        "statements": statements,
        "minutes": fields.positive("minutes"),
        "discuss": fields.flag("discuss"),
        "explanation": fields.text("explanation"),
        "ask_next": fields.text("ask_next", ""),
        "picture": fields.text("picture", ""),
    }
    special = FORMS[kind](fields, known)
    fields.finish(f"a question of kind {kind}")
    return Question(**common, **special)
