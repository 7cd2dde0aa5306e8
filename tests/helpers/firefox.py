"""Firefox, driven over WebDriver BiDi: a page, a mouse and a keyboard."""

import base64
import json
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import websocket

from tests.helpers.processes import free_port, until

SECONDS = 120  # for one command: a page, a cell that runs
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "ArrowRight": "\ue014"}
# Without a window of the desktop's, a page counts as the one in front all the same.
SETTINGS = 'user_pref("focusmanager.testmode", true);\n'
# Ask again at each frame until it holds, and give what it says.
HOLDS = """async (asked, ...rest) => {
  for (;;) {
    const said = await (asked)(...rest);
    if (said) return said;
    await new Promise(requestAnimationFrame);
  }
}"""
CENTRE = """css => {
  const found = document.querySelector(css);
  found?.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = found?.getBoundingClientRect();
  return box?.width && [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
}"""


class Firefox:
    """One page; what JavaScript gives comes back as JSON."""

    def __init__(self, wire: websocket.WebSocket) -> None:
        self._wire, self._count = wire, 0
        self.told("session.new", capabilities={})
        self.context = self.told("browsingContext.create", type="tab")["context"]

    def told(self, method: str, **params: Any) -> Any:
        """Send one command, and give its result."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": params}
        self._wire.send(json.dumps(command))
        while (said := json.loads(self._wire.recv())).get("id") != self._count:
            pass  # an event, or the answer to a command that took too long
        assert said["type"] == "success", said
        return said["result"]

    def go(self, address: str, width: int = 1366, height: int = 850) -> None:
        """Load a page in a window of that size."""
        size = {"width": width, "height": height}
        self.told("browsingContext.setViewport", context=self.context, viewport=size)
        self.told("browsingContext.activate", context=self.context)
        self.told("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def call(self, function: str, *arguments: Any) -> Any:
        """What a function says in the page."""
        given = ", ".join(json.dumps(each) for each in arguments)
        said = self.told(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({function})({given}) ?? null))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert said["type"] == "success", said["exceptionDetails"]["text"]
        return json.loads(said["result"]["value"])

    def wait(self, function: str, *arguments: Any) -> Any:
        """What a function says in the page once that is something."""
        return self.call(f"(...all) => ({HOLDS})({function}, ...all)", *arguments)

    def click(self, css: str) -> None:
        """Press the mouse in the middle of what stands there."""
        x, y = self.wait(CENTRE, css)
        move = {"type": "pointerMove", "x": x, "y": y}
        press = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        self._act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def keys(self, *keys: str) -> None:
        """Press keys one after the other: a name of KEYS, or text as it is typed."""
        for typed in keys:
            for key in [KEYS[typed]] if typed in KEYS else typed:
                self._type([("Down", key), ("Up", key)])

    def shift_enter(self) -> None:
        """Run the cell in which the cursor is."""
        shift, enter = KEYS["Shift"], KEYS["Enter"]
        self._type([("Down", shift), ("Down", enter), ("Up", enter), ("Up", shift)])

    def shot(self, path: Path) -> None:
        """Write what is seen now into a file."""
        picture = self.told("browsingContext.captureScreenshot", context=self.context)["data"]
        path.write_bytes(base64.b64decode(picture))

    def _type(self, ways: list[tuple[str, str]]) -> None:
        actions = [{"type": f"key{way}", "value": key} for way, key in ways]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: dict[str, Any]) -> None:
        self.told("input.performActions", context=self.context, actions=[source])


@contextmanager
def firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """A Firefox without a window, with a profile of its own."""
    profile.mkdir(parents=True)
    (profile / "user.js").write_text(SETTINGS)
    log, port = profile / "said.log", free_port()
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, f"--remote-debugging-port={port}"], stdout=out, stderr=subprocess.STDOUT
        )
        try:
            until(lambda: "WebDriver BiDi listening" in log.read_text() or process.poll())
            address = f"ws://127.0.0.1:{port}/session"
            with closing(
                websocket.create_connection(address, SECONDS, suppress_origin=True)
            ) as wire:
                yield Firefox(wire)
        finally:
            process.terminate()
            process.wait(20)
