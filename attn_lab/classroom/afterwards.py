"""What a class gave, as files: which ideas moved (picture and table), and every answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import URL

from attn_lab.classroom.csv_report import answers_csv, moves_csv
from attn_lab.classroom.database import ClassDatabase
from attn_lab.classroom.moves import told
from attn_lab.classroom.moves_picture import picture
from attn_lab.classroom.room import Room
from attn_lab.course.forms import Question


def write_report(url: str | URL, course: Mapping[str, Question], folder: Path) -> list[Path]:
    """Writes moves.svg, moves.png, moves.csv and answers.csv; returns their paths.

    This runs in a process of its own and loads matplotlib, as the server never does.
    """
    database = ClassDatabase(url)
    room = Room(database, course)
    folder.mkdir(parents=True, exist_ok=True)
    tables = {"moves.csv": moves_csv(room), "answers.csv": answers_csv(room)}
    for name, text in tables.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    figure = picture(told(room))
    pictures = ["moves.svg", "moves.png"]
    for name in pictures:
        figure.savefig(folder / name, dpi=160)
    database.engine.dispose()
    return [folder / name for name in (*pictures, *tables)]
