"""A slider step to the painted map, 8 by 8 with its numbers, in JupyterLab in a real browser.

Once with an explorer of this package, its slider and its map on one panel; once with plain
`interact` and pyplot. The steps take turns.
"""

import shutil
import statistics
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from tests.helpers.lab_page import LabPage
from tests.helpers.lab_server import lab_server

FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
INPUTS = """\
import ipywidgets, torch
import matplotlib.pyplot as plt
from attn_lab import attention, causal_mask
from attn_lab.show import heatmap
q = torch.randn(8, 2, generator=torch.Generator().manual_seed(0))
allowed = causal_mask(8)
def weigh(temperature):
    return attention(q, q, q, allowed=allowed, temperature=temperature).weights"""
OURS = """\
from attn_lab.explore.explorer import Explorer
from attn_lab.widgets.parts import slider as steps
class Map(Explorer):
    name, at = "map", 15
    def controls(self):
        return [steps("at", "temperature", [f"{0.25 + 0.05 * i:.2f}" for i in range(156)])]
    def values(self):
        return {"at": self.at}
    def moved(self, name, value):
        self.at = value
    def look(self):
        return "", heatmap(weigh(0.25 + 0.05 * self.at), allowed=allowed).html
Map()"""
PLAIN = """\
def draw(temperature=1.0):
    weights = weigh(temperature)
    plt.imshow(weights, vmin=0, vmax=1)
    for i in range(8):
        for j in range(8):
            plt.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center")
    plt.show()
ipywidgets.interact(draw, temperature=(0.25, 8, 0.05));"""
# From a key press to the second frame after what is seen has changed and every picture is loaded.
WATCH = """root => {
  root.took = [];
  const seen = () => (root.querySelector('table')?.textContent ?? '')
    + [...root.querySelectorAll('img')].map(img => img.src).join();
  let start = null, before = seen();
  root.addEventListener('keydown', () => { start = performance.now(); before = seen(); }, true);
  const look = () => {
    if (start === null || seen() === before || !seen()) return;
    if (![...root.querySelectorAll('img')].every(img => img.complete)) return;
    const from = start;
    start = null;
    requestAnimationFrame(() => requestAnimationFrame(
      () => root.took.push(performance.now() - from)));
  };
  const all = {subtree: true, childList: true, attributes: true, characterData: true};
  new MutationObserver(look).observe(root, all);
  root.addEventListener('load', look, true);
}"""


def slider_ratio(steps: int = 15) -> tuple[float | None, str]:
    """The ratio of the medians, or None and the reason; and the milliseconds in words."""
    browser = shutil.which("chromium")
    if browser is None:
        return None, "not measured: no Chromium on this machine"
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as server:
        cells = {"inputs": INPUTS, "ours": OURS, "plain": PLAIN}
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(code, id=id) for id, code in cells.items()],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, server.root / "slider.ipynb")
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
            lab = LabPage(server, chromium.new_page(viewport={"width": 1280, "height": 1400}))
            lab.start()
            lab.open("slider.ipynb")
            lab.run_all()
            took = {name: _steps(lab, name, 0) for name in ("ours", "plain")}
            for step in range(1, steps + 1):
                for name in took:
                    took[name] = _steps(lab, name, step)
            lab.close()
            chromium.close()
    ours, plain = (statistics.median(took[name][1:]) for name in ("ours", "plain"))
    return ours / plain, f"{ours:.0f} ms against {plain:.0f} ms"


def _steps(lab: LabPage, name: str, step: int) -> list[float]:
    """Press a key on the slider of one cell; all times so far, the first one from warming up."""
    outputs = lab.outputs(name)
    handle = outputs.get_by_role("slider").or_(outputs.locator(".noUi-handle")).first
    if step == 0:
        handle.wait_for()
        outputs.evaluate(WATCH)
    handle.focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_function(
        "([root, n]) => root.took.length > n", arg=[outputs.element_handle(), step]
    )
    return outputs.evaluate("root => root.took")
