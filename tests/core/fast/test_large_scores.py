"""Scores of any size: the output is the same, and nothing that is not read changes a bit of it."""

import pytest
import torch

from attn_lab import attention, causal_mask, padding_mask
from tests.helpers.attention_cases import masks_for
from tests.helpers.tensors import random


@pytest.mark.parametrize("size", [1.0, 8.0, 1e3, 1e30])
@pytest.mark.parametrize("kind", ["none", "causal", "any"])
def test_weights_asked_for_or_not_the_output_is_the_same_at_every_size_of_score(kind, size):
    q, k, v = (random(1, 2, 600, 128, seed=s, dtype=torch.float32) for s in range(3))
    allowed = masks_for(kind, (1, 2), 600, 600, 0)
    both = [
        attention(q * size, k, v, allowed=allowed, fully_masked="zero", need_weights=need).output
        for need in (True, False)
    ]
    torch.testing.assert_close(*both, rtol=0, atol=1e-5)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("size", [1.0, 100.0, 1e30, 3e37])
@pytest.mark.parametrize("kind", ["square", "per sequence", "with padding"])
@pytest.mark.parametrize("T", [48, 700])
def test_a_changed_later_position_leaves_earlier_outputs_equal_to_the_bit(
    T, kind, size, need_weights
):
    q, k, v = (random(2, T, 8, seed=s, dtype=torch.float32) for s in range(3))
    change = T - T // 3
    allowed = {
        "square": causal_mask(T),
        "per sequence": causal_mask(T)[None],
        "with padding": causal_mask(T) & padding_mask([T, T - 5], T),
    }[kind]
    before = attention(q, k, v, allowed=allowed, need_weights=need_weights).output
    q[:, change:] += 1
    for x in (k, v):
        x[:, change:] = x[:, change:] * size + 1
    after = attention(q, k, v, allowed=allowed, need_weights=need_weights).output
    assert torch.equal(before[:, :change], after[:, :change])
    assert not torch.equal(before[:, change:], after[:, change:])


def test_new_queries_behind_kept_keys_do_not_feel_the_keys_behind_them():
    q = random(2, 600, 8, dtype=torch.float32)
    k = random(2, 800, 8, seed=1, dtype=torch.float32)
    allowed = causal_mask(600, 800, align="lower_right")
    before = attention(q, k, k, allowed=allowed, need_weights=False).output
    k[:, 500:] *= 60
    after = attention(q, k, k, allowed=allowed, need_weights=False).output
    assert torch.equal(before[:, :300], after[:, :300])


def test_padding_however_large_changes_no_real_output():
    q, k, v = (random(1, 600, 8, seed=s, dtype=torch.float32) for s in range(3))
    allowed = (torch.arange(600) < 400).expand(1, 1, 600)
    before = attention(q, k, v, allowed=allowed, need_weights=False).output
    k[:, 400:] *= 1e6
    v[:, 400:] *= 1e37
    assert torch.equal(before, attention(q, k, v, allowed=allowed, need_weights=False).output)
