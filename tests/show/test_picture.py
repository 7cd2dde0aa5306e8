import numpy as np
import pytest
import torch

from attn_lab.show import bars, curve, heatmap, picture


@pytest.fixture
def drawn(monkeypatch):
    """The sentences of all pictures that were drawn since."""
    seen, as_img = [], picture.as_img

    def noted(figure, alt):
        seen.append(alt)
        return as_img(figure, alt)

    monkeypatch.setattr(picture, "as_img", noted)
    return seen


ROW = torch.tensor([1.0, 2.0], dtype=torch.float64)
MAKE = {
    "bars": lambda: bars(ROW),
    "curve": lambda: curve(ROW, ROW, x_name="x", y_name="y"),
    "a large heatmap": lambda: heatmap(np.eye(60), kind="matrix"),
}


@pytest.mark.parametrize("kind", MAKE)
def test_a_picture_is_drawn_once_and_only_when_it_is_shown(kind, drawn):
    made = MAKE[kind]()
    assert made.sentence and made.text and not drawn
    first = made._repr_mimebundle_()["text/html"]
    assert first == made.html and made.sentence in first
    assert drawn == [made.sentence]


def test_a_picture_shows_the_numbers_that_it_was_made_of():
    row = ROW.clone()
    made = bars(row)
    row.zero_()
    assert made.html == bars(ROW).html
