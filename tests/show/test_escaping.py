"""Whatever a label or a title holds, it arrives in a page as text."""

import base64

import numpy as np
import pytest

from attn_lab.show import bars, curve, heatmap, places_map, row_steps, side_by_side

EVIL = "<script>alert('1')</script>\"><img src=x onerror=alert(2)>&lt;"
ONE = {EVIL: [0.5, 0.5]}
TWO = [EVIL, "b"]
PICTURES = {
    "heatmap": lambda: heatmap(
        [[0.5, 0.5]], keys=TWO, queries=[EVIL], title=EVIL, axes=(EVIL, EVIL)
    ),
    "large heatmap": lambda: heatmap(
        np.full((20, 20), 0.05), keys=[EVIL] * 20, queries=[EVIL] * 20, title=EVIL
    ),
    "row_steps": lambda: row_steps([[1, 0]], [[1, 0]] * 2, [[1, 0]] * 2, keys=TWO, title=EVIL),
    "bars": lambda: bars(ONE, labels=TWO, title=EVIL, axis=EVIL, quantity=EVIL),
    "curve": lambda: curve([1, 2], ONE, x_name=EVIL, y_name=EVIL, title=EVIL),
    "places_map": lambda: places_map(
        [[0, 0], [1, 1]], [0.5, 0.5], labels=TWO, axes=(EVIL, EVIL), title=EVIL
    ),
    "places_map of rows": lambda: places_map(
        [[0, 0], [1, 1]], [[0.5, 0.5]] * 2, labels=TWO, queries=TWO
    ),
    "side_by_side": lambda: side_by_side({EVIL: [EVIL, 1]}, columns=TWO, title=EVIL),
}


@pytest.mark.parametrize("name", PICTURES)
def test_labels_titles_and_axes_are_text_in_the_page(name, outline):
    page = outline(PICTURES[name]().html)  # the parser also finds a tag that is never closed
    assert {tag for tag, _ in page.tags} <= set(
        "div p table caption tr th td img details summary pre span".split()
    )
    assert not [key for _, attrs in page.tags for key in attrs if key.startswith("on")]
    assert EVIL in " ".join(page.words)
    for image in page.named("img"):
        assert image["src"].startswith("data:image/svg+xml;base64,")
        drawing = base64.b64decode(image["src"].split(",")[1]).decode()
        assert "<script" not in drawing and "<img" not in drawing
