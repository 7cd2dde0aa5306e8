"""An input is shown as a learner would type it."""

import torch

from attn_lab.grade.verdict import TYPED as MOST
from attn_lab.grade.verdict import shown


def test_numbers_are_short_and_zero_has_no_sign():
    given = {"x": torch.tensor([[-0.0, 1 / 3]]), "n_heads": 2, "allowed": torch.tensor([True])}
    assert dict(shown(given)) == {"x": "[[0, 0.333333]]", "n_heads": "2", "allowed": "[True]"}


def test_what_nobody_would_type_is_shown_by_its_shape():
    assert dict(shown({"x": torch.ones(5, 5)})) == {"x": "a tensor of shape [5, 5]"}
    assert dict(shown({"x": torch.ones(MOST)}))["x"].count("1") == MOST
