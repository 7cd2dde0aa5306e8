"""300 learners commit while a page is open: `python tests/bench/class_load.py [--seconds 10]`.

Prints how long learners waited, how far the page was behind, and whether every acknowledged answer
is in the database exactly once. It starts its own server on 127.0.0.1 and ends it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import tempfile
import time
import uuid

from attn_lab.classroom.server.class_database import ClassDatabase
from tests.helpers.class_server import ClassProcess

EXERCISE, ANSWERS = "01/zero-score", ("none", "third", "half", "depends")


async def ask(
    port: int, method: str, path: str, body: object, headers: dict
) -> tuple[int, dict, dict]:
    """One request on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    raw = json.dumps(body).encode() if body is not None else b""
    head = {
        "Host": f"127.0.0.1:{port}",
        "Content-Length": len(raw),
        "Connection": "close",
    } | headers
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + raw)
    answer = await reader.read()
    writer.close()
    top, _, rest = answer.partition(b"\r\n\r\n")
    first, *fields = top.decode().split("\r\n")
    told = dict(field.split(": ", 1) for field in fields)
    return int(first.split()[1]), json.loads(rest or b"{}"), told


async def learner(n: int, delay: float, port: int, code: str, waits: list, known: dict) -> None:
    """Commits once, sends until the class names the id, and notes how long that took."""
    await asyncio.sleep(delay)
    body = {"id": str(uuid.uuid4()), "exercise": EXERCISE, "round": 1, "seen": False}
    body |= {"answer": ANSWERS[n % 4], "confidence": "guess"}
    headers = {"Attn-Lab-Code": code, "Authorization": f"Bearer {n:032x}"}
    began = time.perf_counter()
    while True:
        try:
            status, said, _ = await ask(port, "POST", "/answers", body, headers)
            if status == 200 and said.get("saved") == body["id"]:
                break
        except OSError:
            pass
        await asyncio.sleep(0.05)
    waits.append(time.perf_counter() - began)
    known[body["id"]] = time.perf_counter()


async def watch(port: int, headers: dict, seen: list, enough: int) -> None:
    """Keeps the stage's stream open and notes when each count arrived."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = ["GET /stage/events HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
    while not seen or seen[-1][1] < enough:
        line = (await reader.readline()).decode()
        if "data: " in line:
            state = json.loads(line.split("data: ", 1)[1])
            seen.append((time.perf_counter(), state.get("answered", [0])[0]))
    writer.close()


async def run(process: ClassProcess, people: int, seconds: float) -> tuple[dict, dict]:
    """One room: comes in, opens an exercise and a page, lets everybody commit."""
    own = {"Origin": f"http://127.0.0.1:{process.desk_port}"}
    key = {"key": process.link.split("#")[1]}
    _, _, told = await ask(process.desk_port, "POST", "/enter-with", key, own)
    own["Cookie"] = told["Set-Cookie"].split(";")[0]
    move = {"do": "move", "to": "first", "exercise": EXERCISE}
    await ask(process.desk_port, "POST", "/control", move, own)
    waits, known, seen = [], {}, []
    code = process.text.split("#")[1]
    page = asyncio.create_task(watch(process.desk_port, own, seen, people))
    await asyncio.sleep(0.5)
    await asyncio.gather(
        *(learner(n, seconds * n / people, process.port, code, waits, known) for n in range(people))
    )
    await page
    waits.sort()
    acknowledged = sorted(known.values())
    behind = sorted(
        next(at for at, count in seen if count >= n + 1) - when
        for n, when in enumerate(acknowledged)
    )
    at = lambda values, share: 1000 * values[min(int(share * len(values)), len(values) - 1)]  # noqa: E731
    return known, {
        "p50 ms": at(waits, 0.5),
        "p95 ms": at(waits, 0.95),
        "max ms": at(waits, 1),
        "page behind p95 ms": at(behind, 0.95),
    }


def main() -> None:
    """Runs one room and prints its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--database", help="SQLAlchemy URL (default: a fresh SQLite file)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process = ClassProcess(args.database or f"sqlite:///{folder}/class.sqlite").start()
        try:
            known, figures = asyncio.run(run(process, args.people, args.seconds))
            memory = subprocess.run(
                ["ps", "-o", "rss=", "-p", str(process.process.pid)], capture_output=True, text=True
            ).stdout
        finally:
            process.stop()
        database = ClassDatabase(process.url)
        ids = [row["id"] for row in database.rows()]
        database.engine.dispose()
    figures["acknowledged"] = len(known)
    figures["of them in the database once"] = sum(ids.count(id) == 1 for id in known)
    figures["rows"] = len(ids)
    print(f"{args.people} learners in {args.seconds:g} s, load average {os.getloadavg()[0]:.1f}")
    for name, value in figures.items():
        print(f"  {name:30} {value:8.0f}")
    print(f"  {'server memory MB':30} {int(memory or 0) / 1024:8.0f}")


if __name__ == "__main__":
    main()
