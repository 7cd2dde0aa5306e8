"""How a notebook looks: theme, width, screenshots, and what does not fit."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.helpers.lab_page import LabPage

OUTER = "document.querySelector('.jp-WindowedPanel-outer')"
HEIGHT = "() => document.querySelector('.jp-WindowedPanel-viewport').offsetHeight + 200"
TALLEST = 16_000  # pixels; Chromium draws no taller page
# An output wider than its place, or a control that reaches out of it; grids scroll by themselves.
TOO_WIDE = """() => [...document.querySelectorAll('.jp-OutputArea-output')].flatMap(output => {
  const edge = output.getBoundingClientRect().right + 1;
  const cut = [...output.querySelectorAll('input, select, button:not(.attn-cell)')]
    .filter(each => each.getBoundingClientRect().right > edge);
  const wide = output.scrollWidth > output.clientWidth + 1;
  const cell = output.closest('.jp-Cell').dataset.cell;
  return [...(wide ? [cell] : []), ...cut.map(each => `${cell}: ${each.outerHTML.slice(0, 90)}`)];
})"""


def look(lab: LabPage, *, width: int = 1280, theme: str = "Light") -> None:
    """Change the width of the window and the theme; side panels are folded away."""
    lab.page.set_viewport_size({"width": width, "height": 1000})
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")
    body = lab.page.locator(f"body[data-jp-theme-name='JupyterLab {theme}']")
    if body.count() == 0:
        lab.command("apputils:change-theme", theme=f"JupyterLab {theme}")
        body.wait_for(state="attached")
        lab.page.locator("#jupyterlab-splash").wait_for(state="detached")  # it covers everything


@contextmanager
def whole(lab: LabPage) -> Iterator[None]:
    """Make the window as tall as the notebook, so that nothing is scrolled out of sight."""
    size = lab.page.viewport_size
    assert size
    height = min(lab.page.evaluate(HEIGHT), TALLEST)
    lab.page.set_viewport_size({"width": size["width"], "height": height})
    lab.page.evaluate(f"() => {{ {OUTER}.scrollTop = 0 }}")
    try:
        yield
    finally:
        lab.page.set_viewport_size(size)


def shot(lab: LabPage, file: Path) -> None:
    """Take a screenshot of all that the window shows of the notebook."""
    lab.page.locator(".jp-NotebookPanel").screenshot(path=file)


def too_wide(lab: LabPage) -> list[str]:
    """The cells with something cut off at the side, which cannot be scrolled."""
    return lab.page.evaluate(TOO_WIDE)
