"""What core controls lack in JupyterLab, mended in the page by one invisible HTML widget.

Where this is not executed (another front end, a strict page) everything still works; a slider
then has no spoken name, radio buttons have no arrow keys, and a letter typed on a button may
reach JupyterLab's own shortcuts.
"""

from functools import cache
from html import escape
from importlib.resources import files

LOST_KERNEL = (
    "The kernel has gone, so nothing here answers. Choose Run ▸ Run All Above Selected Cell, "
    "then run this cell. What you committed is kept."
)


def mending(root_class: str, name: str) -> str:
    """Return the HTML of one invisible widget that mends the core controls in `.root_class`.

    name makes the names of radio groups unique on the page, for example an exercise's id.
    It names sliders, groups radios, tells pressed state, moves by arrow in grids of buttons,
    keeps shortcuts of the notebook away from focused controls, puts the focus on `.attn-again`
    when the focused control is locked, speaks changes in `.attn-live`, and shows a notice once
    the kernel has gone.

    >>> mending("attn-explore", "05/first-row").startswith('<style onload="')
    True
    """
    safe = "".join(c if c.isalnum() else "-" for c in name)
    js = _source("mending.js").replace("ROOT", root_class).replace("NAME", safe)
    css = _source("mending.css").replace("ROOT", root_class).replace("LOST", LOST_KERNEL)
    return f'<style onload="{escape(js)}">{css}</style>'


@cache
def _source(name: str) -> str:
    """A file beside this one, without its indents and comment lines."""
    lines = files("attn_lab.widgets").joinpath(name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if not line.strip().startswith("//"))
