"""What a class gave, as files: which ideas moved, every answer, and counts from every source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import URL

from attn_lab.classroom.csv_report import TABLES
from attn_lab.classroom.database import ClassDatabase
from attn_lab.classroom.moves import told
from attn_lab.classroom.moves_picture import picture
from attn_lab.classroom.room import Room
from attn_lab.course.forms import Question


def write_report(url: str | URL, course: Mapping[str, Question], folder: Path) -> list[Path]:
    """Writes the picture as moves.svg and moves.png, and every table; returns their paths.

    This runs in a process of its own and loads matplotlib, as the server never does.
    """
    database = ClassDatabase(url)
    room = Room(database, course)
    folder.mkdir(parents=True, exist_ok=True)
    tables = {f"{name}.csv": make(room) for name, make in TABLES.items()}
    for name, text in tables.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    figure = picture(told(room))
    pictures = ["moves.svg", "moves.png"]
    for name in pictures:
        figure.savefig(folder / name, dpi=160)
    database.engine.dispose()
    return [folder / name for name in (*pictures, *tables)]
