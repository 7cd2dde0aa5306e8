"""A notebook open in JupyterLab: what the tests do with it and read from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page

from tests.helpers.lab_server import TOKEN, LabServer

PATIENCE_MS = 30_000  # for the first page and the first import of torch on a busy machine
RUN_MS = 120_000  # for one cell
PANEL = "jupyterapp.shell.currentWidget"
KERNEL = f"{PANEL}?.context?.sessionContext?.session?.kernel"
IDLE = f"() => {KERNEL}?.status === 'idle' && {KERNEL}?.connectionStatus === 'connected'"
READY = f"path => {PANEL}?.context?.path === path && {PANEL}.context.isReady"
CELLS = f"{PANEL}.content.widgets"
# JupyterLab draws cells without their id; write it on, so that a test can name a cell.
NAME_CELLS = f"{CELLS}.forEach(c => c.node.dataset.cell = c.model.id)"
COUNTED = f"id => {CELLS}.find(c => c.model.id === id).model.executionCount > 0"
OUTPUTS = f"id => {CELLS}.find(c => c.model.id === id).model.outputs.toJSON()"
UNCOUNT = f"id => {{ {CELLS}.find(c => c.model.id === id).model.executionCount = null }}"
RUN_AGAIN = f"""async ids => {{
  const notebook = {PANEL}.content;
  notebook.deselectAll();
  for (const id of ids) {{
    notebook.activeCellIndex = notebook.widgets.findIndex(c => c.model.id === id);
    await jupyterapp.commands.execute('notebook:run-cell');
  }}
}}"""
DRAW_ALL = f"""() => {{
  const notebook = {PANEL}.content;
  notebook.notebookConfig = {{...notebook.notebookConfig, windowingMode: 'none'}};
}}"""
ALL_DRAWN = f"""() => {{
  const notebook = {PANEL}.content;
  if (notebook.widgets.every(c => c.node.isConnected && !c.placeholder)) return true;
  notebook.update();  // the switch alone draws what is asked for next, not what was put off before
  return false;
}}"""
CLOSE = """() => {
  for (const panel of [...jupyterapp.shell.widgets('main')]) {
    if (!panel.context?.sessionContext) continue;
    const session = panel.context.sessionContext;
    session.kernelPreference = {...session.kernelPreference, shutdownOnDispose: true};
    panel.context.model.dirty = false;  // or it would ask whether to save
    panel.close();
  }
}"""


@dataclass
class LabPage:
    """JupyterLab in one browser page, one notebook at a time, and its console's complaints."""

    server: LabServer
    page: Page
    path: str = ""
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("console", self._console)

    def _console(self, said: Any) -> None:
        if said.type == "error":
            self.complaints.append(f"console: {said.text}")

    def start(self) -> None:
        """Load JupyterLab itself, with no notebook."""
        self.page.goto(f"{self.server.address}/lab?reset&token={TOKEN}")
        self.page.wait_for_function("() => globalThis.jupyterapp?.shell != null")
        self.page.evaluate("async () => { await jupyterapp.restored }")

    def fresh(self) -> LabPage:
        """Leave nothing open and nothing predicted."""
        self.close()
        self.server.forget()
        return self

    def open(self, path: str) -> None:
        """Open a notebook, as a double click in the file browser does."""
        self.close()
        self.path = path
        self.command("docmanager:open", path=path)
        self._drawn()

    def turn_to(self, path: str) -> None:
        """Open a notebook beside those already open, or bring it to the front."""
        self.path = path
        self.command("docmanager:open", path=path)
        self._drawn()

    def reload(self, path: str) -> None:
        """Load the page anew at a notebook, as a bookmark does."""
        self.path = path
        self.page.goto(f"{self.server.address}/lab/tree/{quote(path)}?reset&token={TOKEN}")
        self.page.wait_for_function("() => globalThis.jupyterapp?.shell?.currentWidget != null")
        self._drawn()

    def _drawn(self) -> None:
        self.page.wait_for_function(READY, arg=self.path)
        self.page.locator(".jp-Notebook:visible .jp-Cell").first.wait_for()
        self.page.evaluate(NAME_CELLS)

    def draw_all(self) -> None:
        """Draw every cell, in sight or not, for a test that reads a whole notebook.

        What depends on where a learner looks is tested without it, in JupyterLab's own mode.
        """
        self.page.evaluate(DRAW_ALL)
        self.page.wait_for_function(ALL_DRAWN)

    def close(self) -> None:
        """Close the notebook without saving, and end its kernel."""
        self.page.evaluate(CLOSE)
        self.page.locator(".jp-NotebookPanel").wait_for(state="detached")
        self.path = ""

    def command(self, name: str, **args: object) -> None:
        """Do what a menu entry does, and wait until it is done."""
        run = "async ([name, args]) => { await jupyterapp.commands.execute(name, args) }"
        self.page.evaluate(run, [name, args])

    def idle(self) -> None:
        """Wait until the kernel has nothing to do."""
        self.page.wait_for_function(IDLE, timeout=RUN_MS)

    def run_all(self) -> None:
        """Run All Cells, and wait for the last."""
        self.idle()
        self.command("notebook:run-all-cells")
        self.idle()

    def run(self, cell: str) -> Locator:
        """Run one cell as a learner does, with Shift+Enter, and give its outputs."""
        self.idle()
        self.page.evaluate(UNCOUNT, cell)
        self.cell(cell).locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(COUNTED, arg=cell, timeout=RUN_MS)
        self.idle()
        return self.outputs(cell)

    def run_again(self, cells: list[str]) -> None:
        """Run some cells one after the other, as the menu's Run Selected Cell does."""
        self.idle()
        self.page.evaluate(RUN_AGAIN, cells)
        self.idle()

    def python(self, code: str) -> None:
        """Run code that belongs to no cell, for a test's own set-up."""
        self.idle()
        ask = f"async code => (await {KERNEL}.requestExecute({{code}}).done).content"
        reply = self.page.evaluate(ask, code)
        assert reply["status"] == "ok", reply

    def restart(self) -> None:
        """Restart the kernel, as the menu does once its question is answered with yes."""
        self.page.evaluate(f"async () => {{ await {KERNEL}.restart() }}")
        self.idle()

    def cell(self, cell: str) -> Locator:
        """A cell by its id."""
        return self.page.locator(f'.jp-Cell[data-cell="{cell}"]')

    def outputs(self, cell: str) -> Locator:
        """A cell's output area."""
        return self.cell(cell).locator(".jp-Cell-outputWrapper")

    def held(self, cell: str) -> list[dict[str, Any]]:
        """A cell's outputs as the notebook holds them."""
        return self.page.evaluate(OUTPUTS, cell)

    def save(self) -> dict[str, Any]:
        """Save, and give what the file now holds."""
        self.command("docmanager:save")
        return json.loads((self.server.root / self.path).read_text("utf-8"))
