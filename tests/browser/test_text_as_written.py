"""In JupyterLab, MathJax leaves what a learner wrote and every label as they are."""

import json
import re

from attn_lab.show.as_written import visible

NASTY = "from $100 to $10_0, $$x$$, \\(a_b\\), \\frac{1}{2} سلام 👩\u200d💻 a\x07"
CELLS = {
    "typeset": "from IPython.display import HTML\nHTML('<p>$a^2$ and \\\\(b\\\\)</p>')",
    "picture": f"from attn_lab.show import heatmap\nheatmap([[1, 0]], keys=[{NASTY!r}, 'b'])",
    "drawing": f"from attn_lab.show import bars\nbars([1, 0], labels=[{NASTY!r}, 'b'])",
    "form": "from attn_lab.predict import ask\nasked = ask('05/first-row')\nasked",
    "explorer": f"""from attn_lab.explore.explorer import Explorer
from attn_lab.widgets.parts import slider
class Own(Explorer):
    name = 'own'
    controls = lambda self: [slider('s', {NASTY!r}, ['1', '2'])]
    values = lambda self: {{'s': 0}}
    look = lambda self: ({NASTY!r}, '')
Own()""",
    "card": "asked.reveal([1, 0, 0, 0])",
}
MATHEMATICS = ".MathJax, mjx-container"


def notebook(folder):
    """A notebook with these cells."""
    cells = [
        {
            "cell_type": "code",
            "id": name,
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for name, source in CELLS.items()
    ]
    kernel = {"name": "python3", "display_name": "Python 3"}
    nb = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "written.ipynb").write_text(json.dumps(nb), encoding="utf-8")
    return "written.ipynb"


def test_what_was_written_is_shown_and_never_typeset_in_outputs_and_widgets(lab, server, shots):
    lab.open(notebook(server.root))
    for cell in ("typeset", "picture", "drawing", "form"):
        lab.run(cell).scroll_into_view_if_needed()
        lab.page.screenshot(path=shots / f"as-written-{cell}.png")
    lab.outputs("form").locator(".attn-predict").wait_for()
    lab.python(f"asked.commit([1, 0, 0, 0], 'certain', {NASTY!r})")
    for cell in ("explorer", "card"):
        lab.run(cell)
        lab.page.screenshot(path=shots / f"as-written-{cell}.png")
    # MathJax is at work: what is not ours has become mathematics
    lab.outputs("typeset").locator(MATHEMATICS).nth(1).wait_for()
    lab.page.wait_for_timeout(1000)
    lab.outputs("card").locator("details").evaluate_all("all => all.forEach(e => e.open = true)")
    for cell in ("picture", "drawing", "form", "explorer", "card"):
        assert lab.outputs(cell).locator(MATHEMATICS).count() == 0, cell
        said = " ".join(lab.outputs(cell).evaluate_all("all => all.map(e => e.textContent)"))
        assert visible(NASTY) in re.sub(r"\s+", " ", said), cell
