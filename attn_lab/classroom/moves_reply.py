"""The picture of which ideas moved, drawn by another process."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from attn_lab.classroom.gate import InstructorReply
from attn_lab.classroom.moves import told
from attn_lab.classroom.replies import Refused

PATIENCE = 60  # seconds
TYPES = {"svg": "image/svg+xml", "png": "image/png"}


async def draw(found: list[dict[str, Any]], form: str) -> bytes:
    """Returns the picture's bytes; raises Refused (503) where it cannot be drawn here."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "attn_lab.classroom.moves_picture", form),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        drawn = process.communicate(json.dumps(found).encode())
        out, _ = await asyncio.wait_for(drawn, PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise Refused(503, "the picture took too long; ask for the table instead") from None
    if process.returncode:
        raise Refused(503, "no picture here: it needs matplotlib. The table has the same numbers")
    return out


class MovesPicture(InstructorReply):
    """The picture as SVG or PNG."""

    route = "moves picture"
    drawing = asyncio.Semaphore(1)

    async def get(self, form: str) -> None:
        found = await self.work(told, self.room)
        async with MovesPicture.drawing:
            drawn = await draw(found, form)
        self.set_header("Content-Type", TYPES[form])
        self.finish(drawn)


class Moves(InstructorReply):
    """The same ideas as plain values, for the desk's table."""

    route = "moves"

    async def get(self) -> None:
        self.finish({"ideas": await self.work(told, self.room)})
