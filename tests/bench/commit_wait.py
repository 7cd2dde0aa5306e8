"""Commit pressed until the form is locked on screen, beside an empty round trip to the kernel.

`.venv/bin/python -m tests.bench.commit_wait`: one question, committed again and again in JupyterLab
in Chromium; the two take turns.
"""

import shutil
import statistics
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from tests.bench.slider import FLAGS
from tests.helpers.lab_page import KERNEL, LabPage
from tests.helpers.lab_server import lab_server

ASK = "from attn_lab.predict import ask\nask('05/can-key-3-lead')"
ROUND_TRIP = f"""async () => {{
  const start = performance.now();
  await {KERNEL}.requestIsComplete({{code: ''}});
  return performance.now() - start;
}}"""
# The press of a mouse until the frame after the button that only a locked form has.
COMMIT = """root => new Promise(done => {
  const start = performance.now();
  const seen = new MutationObserver(() => {
    if (!root.querySelector('.attn-again')) return;
    seen.disconnect();
    requestAnimationFrame(() => done(performance.now() - start));
  });
  seen.observe(root, {subtree: true, childList: true});
  root.querySelector('.attn-commit').click();
})"""


def main(times: int = 15) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        print("not measured: no Chromium on this machine")
        return
    with tempfile.TemporaryDirectory() as folder, lab_server(Path(folder) / "lab") as server:
        cell = nbformat.v4.new_code_cell(ASK, id="ask")
        python = {"name": "python3", "display_name": "Python 3"}
        notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": python})
        nbformat.write(notebook, server.root / "commit.ipynb")
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
            lab = LabPage(server, chromium.new_page(viewport={"width": 1280, "height": 1000}))
            lab.start()
            lab.open("commit.ipynb")
            lab.run_all()
            took = [_once(lab) for _ in range(times + 1)][1:]  # the first warms up
            lab.close()
            chromium.close()
    commit, trip = (statistics.median(each) for each in zip(*took, strict=True))
    print(f"commit to locked {commit:.0f} ms, an empty round trip {trip:.0f} ms: ", end="")
    print(f"{commit - trip:.0f} ms beyond it (reach 100)")


def _once(lab: LabPage) -> tuple[float, float]:
    """One commit and one round trip, in milliseconds; then the form is opened again."""
    form = lab.outputs("ask").locator(".attn-predict")
    form.locator(".attn-options input").first.check()
    form.get_by_role("radio", name="fairly sure").check()
    lab.idle()
    took = form.evaluate(COMMIT)
    lab.idle()
    trip = lab.page.evaluate(ROUND_TRIP)
    form.locator(".attn-again").click()
    form.locator(".attn-commit").wait_for()
    lab.idle()
    return took, trip


if __name__ == "__main__":
    main()
