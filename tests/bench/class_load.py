"""300 learners commit while desk and stage are open: `python -m tests.bench.class_load --numbers`.

With --numbers everybody gives an answer of their own in numbers, which the pages have to group;
else one of four options. Prints how long learners waited, how far the stage was behind, and whether
every acknowledged answer is in the database exactly once. It starts its own server on 127.0.0.1 and
ends it.
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

CHOICE, NUMBERS = "01/zero-score", "05/very-hot"
REACH = 500  # milliseconds within which 95 of 100 are acknowledged


def answer_of(n: int, *, numbers: bool) -> tuple[str, object]:
    """Exercise and answer of one learner; in numbers nobody's is near another's."""
    if numbers:
        return NUMBERS, [round(0.0517 * n + 0.013 * k, 4) for k in range(4)]
    return CHOICE, ("none", "third", "half", "depends")[n % 4]


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


async def learner(
    n: int, delay: float, port: int, code: str, waits: list, known: dict, *, numbers: bool
) -> None:
    """Commits once, sends until the class names the id, and notes how long that took."""
    await asyncio.sleep(delay)
    exercise, answer = answer_of(n, numbers=numbers)
    body = {"id": str(uuid.uuid4()), "exercise": exercise, "round": 1, "seen": False}
    body |= {"answer": answer, "confidence": "guess"}
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


async def watch(page: str, port: int, headers: dict, seen: list, enough: int) -> None:
    """Keeps a page's stream open and notes when each count arrived."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"GET /{page}/events HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
    while not seen or seen[-1][1] < enough:
        line = (await reader.readline()).decode()
        if "data: " in line:
            state = json.loads(line.split("data: ", 1)[1])
            seen.append((time.perf_counter(), state.get("answered", [0])[0]))
    writer.close()


async def run(
    process: ClassProcess, people: int, seconds: float, *, numbers: bool
) -> tuple[dict, dict]:
    """One room: comes in, opens an exercise and both pages, lets everybody commit."""
    own = {"Origin": f"http://127.0.0.1:{process.desk_port}"}
    key = {"key": process.link.split("#")[1]}
    _, _, told = await ask(process.desk_port, "POST", "/enter-with", key, own)
    own["Cookie"] = told["Set-Cookie"].split(";")[0]
    move = {"do": "move", "to": "first", "exercise": answer_of(0, numbers=numbers)[0]}
    await ask(process.desk_port, "POST", "/control", move, own)
    waits, known, seen = [], {}, []
    code = process.text.split("#")[1]
    pages = [watch("stage", process.desk_port, own, seen, people)]
    pages += [watch("desk", process.desk_port, own, [], people)]
    opened = asyncio.gather(*pages)
    await asyncio.sleep(0.5)
    await asyncio.gather(
        *(
            learner(n, seconds * n / people, process.port, code, waits, known, numbers=numbers)
            for n in range(people)
        )
    )
    await opened
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
    parser.add_argument("--numbers", action="store_true", help="numbers of everybody's own")
    parser.add_argument("--database", help="SQLAlchemy URL (default: a fresh SQLite file)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process = ClassProcess(args.database or f"sqlite:///{folder}/class.sqlite").start()
        try:
            known, figures = asyncio.run(
                run(process, args.people, args.seconds, numbers=args.numbers)
            )
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
    how = "in numbers of their own" if args.numbers else "by one of four options"
    load = f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores"
    print(f"{args.people} learners answer {how} within {args.seconds:g} s; {load}")
    for name, value in figures.items():
        reach = f"   (reach {REACH})" if name == "p95 ms" else ""
        print(f"  {name:30} {value:8.0f}{reach}")
    print(f"  {'server memory MB':30} {int(memory or 0) / 1024:8.0f}")


if __name__ == "__main__":
    main()
