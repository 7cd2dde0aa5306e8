"""A class for the browser tests: `attn-lab class` on free ports, and learners' notebooks."""

import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat


@dataclass
class RunningClass:
    """What the command printed, and the file that holds the answers."""

    join: str
    desk: str
    stage: str
    database: Path
    process: subprocess.Popen[str]

    def stop(self) -> None:
        """End the class as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)

    def answers(self) -> list[tuple[Any, ...]]:
        """End the class, and return id, exercise, round and answer of all that it holds."""
        self.stop()  # a running class keeps its file locked
        wanted = "SELECT id, exercise, round, answer FROM answers ORDER BY received"
        return _rows(self.database, wanted)


@contextmanager
def running_class(folder: Path) -> Iterator[RunningClass]:
    """Run `attn-lab class` until the test is over."""
    port, desk_port, database = _free_port(), _free_port(), folder / "class.sqlite"
    told = ["--address", "127.0.0.1", "--port", str(port), "--desk-port", str(desk_port)]
    command = [sys.executable, "-m", "attn_lab.cli", "class", "--quiet", *told]
    process = subprocess.Popen(
        [*command, "--database", f"sqlite:///{database}"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    with process, process.stdout:
        said = ""
        for line in process.stdout:
            said += line
            if line.startswith("Stop with"):
                break
        join, desk = re.search(r"paste:\s+(\S+)", said), re.search(r"http://\S+/enter#\S+", said)
        assert join and desk, said
        stage = f"http://127.0.0.1:{desk_port}/stage"
        running = RunningClass(join[1], desk[0], stage, database, process)
        try:
            yield running
        finally:
            running.stop()


def learners_notebook(file: Path, store: Path, join: str, exercise: str, computed: str) -> None:
    """Write a notebook that joins the class, asks one question and reveals; ids are its own."""
    name = file.stem
    sources = {
        "join": f"import os\nos.environ['ATTN_LAB_STORE'] = {str(store)!r}\n"
        f"from attn_lab.predict import ask, join\njoin({join!r})",
        "ask": f"asked = ask({exercise!r})\nasked",
        "reveal": f"asked.reveal({computed!r})",
    }
    cells = [nbformat.v4.new_code_cell(text, id=f"{name}-{id}") for id, text in sources.items()]
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, file)


def kept(store: Path) -> list[tuple[Any, ...]]:
    """Return id, exercise, round, answer and state of every attempt in a learner's own store."""
    rows = _rows(store, "SELECT id, exercise, round, answer, sent FROM attempts ORDER BY round")
    return [(*row[:3], json.loads(row[3]), row[4]) for row in rows]


def _rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(file)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
