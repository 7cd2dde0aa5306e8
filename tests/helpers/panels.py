"""What a learner does with a panel, without a browser."""

import re
from html import unescape
from typing import Any

from attn_lab.widgets.panel import PROBLEM, Panel


def move(panel: Panel, name: str, value: Any) -> None:
    """Move one control, as the front end reports it."""
    panel.values = {**panel.values, name: value}


def press(panel: Panel, name: str, **values: Any) -> None:
    """Press a button; what was entered goes along."""
    panel._told(panel, {"press": name, "values": values, "number": 1}, [])


def click(panel: Panel, table: str, row: int, column: int) -> None:
    """Click a cell of a table that can be pressed, counted as the page counts."""
    assert f'data-cells="{table}"' in panel.html["shown"]
    panel._told(panel, {"press": table, "value": [row, column], "values": {}, "number": 1}, [])


def plain(html: str) -> str:
    """What HTML says, without its tags."""
    return unescape(re.sub(r"<[^>]*>", " ", html)).strip()


def said(panel: Panel, region: str = "said") -> str:
    """What a region says; "" for one that is empty or not there."""
    return plain(panel.html.get(region, ""))


def problem(panel: Panel) -> str:
    """What a panel says went wrong."""
    return said(panel, PROBLEM)


def controls(panel: Panel) -> dict[str, dict[str, Any]]:
    """The parts that are on the page now, containers opened, by name; buttons by theirs."""
    found = {}
    for part in _all(panel.parts):
        for button in part.get("buttons", [part]):
            if "name" in button:
                found[button["name"]] = {"kind": "button", **button} if part != button else part
    return found


def _all(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for part in parts for each in [part, *_all(part.get("parts", []))]]
