"""The GPU gives what the CPU gives: `pytest -m gpu` runs these where there is one."""

import math

import pytest
import torch

from attn_lab import (
    MultiHeadAttention,
    attention,
    causal_mask,
    masked_softmax,
    padding_mask,
    project,
    scaled_scores,
    tiled_attention,
)
from attn_lab.core.checks.values import read
from tests.helpers.tensors import random

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no GPU here"),
]
F32 = torch.float32
CLOSE = {torch.float64: 1e-12, F32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}
DTYPES = list(CLOSE)
MASKS = ["none", "causal", "padding", "holes"]


def mask_of(kind, T):
    return {
        "none": None,
        "causal": causal_mask(T),
        "padding": padding_mask([T, T // 2], T)[:, None],
        "holes": causal_mask(T).tril(-1),  # the first row is empty
    }[kind]


def on_both(call, *tensors):
    return call(*tensors), call(*(x if x is None else x.cuda() for x in tensors))


def agree(cpu, gpu, dtype):
    torch.testing.assert_close(gpu.cpu(), cpu, rtol=0, atol=CLOSE[dtype])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("T", [5, 64, 600])
def test_outputs_and_weights_agree(T, kind, dtype):
    q, k, v = (random(2, 3, T, 16, seed=s, dtype=dtype) for s in range(3))

    def both(q, k, v, allowed):
        return attention(q, k, v, allowed=allowed, fully_masked="zero")

    cpu, gpu = on_both(both, q, k, v, mask_of(kind, T))
    agree(cpu.output, gpu.output, dtype)
    agree(cpu.weights, gpu.weights, dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize(("T", "d_v"), [(5, 16), (600, 16), (600, 24)])
@pytest.mark.parametrize("size", [1.0, 30.0])
def test_outputs_without_weights_agree(T, d_v, kind, dtype, size):
    q, k = random(2, 3, T, 16, dtype=dtype) * size, random(2, 3, T, 16, seed=1, dtype=dtype)
    v = random(2, 3, T, d_v, seed=2, dtype=dtype)

    def alone(q, k, v, allowed):
        more = {"fully_masked": "zero", "need_weights": False}
        return attention(q, k, v, allowed=allowed, **more).output

    def tiled(q, k, v, allowed):
        return tiled_attention(q, k, v, allowed=allowed, fully_masked="zero")

    for call in (alone, tiled):
        agree(*on_both(call, q, k, v, mask_of(kind, T)), dtype)


def test_pieces_agree():
    x, w = random(2, 6, 8, dtype=F32), random(8, 4, seed=1, dtype=F32)
    for call in (project, lambda x, w: scaled_scores(x @ w, x @ w), lambda x, w: masked_softmax(x)):
        agree(*on_both(call, x, w), torch.float32)


@pytest.mark.parametrize("temperature", [1e-300, 1e-40, 0.5, 1e30, 1e300])
def test_extreme_temperatures_agree(temperature):
    scores = torch.tensor([[2.0, 1.0, 0.0], [3e38, 0.0, -3e38]])
    agree(*on_both(lambda s: masked_softmax(s, temperature=temperature), scores), torch.float32)


def test_a_mask_is_moved_to_where_the_queries_are():
    q = random(4, 2, dtype=F32).cuda()
    weights = attention(q, q, q, allowed=causal_mask(4)).weights
    assert weights.is_cuda and weights[0].tolist() == [1, 0, 0, 0]
    assert causal_mask(4, device="cuda").is_cuda


def test_modules_agree():
    torch.manual_seed(0)
    heads, x = MultiHeadAttention(8, 2), random(2, 6, 8, dtype=F32)
    cpu = heads(x, allowed=causal_mask(6))
    gpu = heads.cuda()(x.cuda(), allowed=causal_mask(6))
    agree(cpu.output, gpu.output, torch.float32)
    agree(cpu.weights, gpu.weights, torch.float32)


def test_gradients_agree_and_stay_finite_with_an_empty_row():
    def gradients(q, k, v, allowed):
        inputs = [x.detach().clone().requires_grad_() for x in (q, k, v)]
        attention(*inputs, allowed=allowed, fully_masked="zero").output.square().sum().backward()
        return [x.grad for x in inputs]

    inputs = [random(2, 7, 4, seed=s, dtype=torch.float64) for s in range(3)]
    for cpu, gpu in zip(*on_both(gradients, *inputs, mask_of("holes", 7)), strict=True):
        assert gpu.isfinite().all()
        agree(cpu, gpu, torch.float64)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("T", [6, 600])
def test_refusals_are_the_same(T, need_weights):
    q = random(T, 4, dtype=F32).cuda()
    holes = causal_mask(T).tril(-1)
    with pytest.raises(ValueError, match=r"1 fully masked row: query 1 \(index 0\)"):
        attention(q, q, q, allowed=holes, need_weights=need_weights)
    with pytest.raises(ValueError, match="q and k are finite, but too large together"):
        attention(q * 1e30, q * 1e30, q, need_weights=need_weights)
    bad = q.clone()
    bad[3, 1] = math.nan
    with pytest.raises(ValueError, match=r"k must hold finite.*nan at index \[3, 1\]"):
        attention(q, bad, q, need_weights=need_weights)
    with pytest.raises(ValueError, match="k needs the device of q, cuda:0; got cpu"):
        attention(q, q.cpu(), q, need_weights=need_weights)


def test_many_readings_come_back_in_one_go_with_their_shapes():
    flag, grid = torch.tensor(True).cuda(), torch.tensor([[1, 2], [3, 4]]).cuda()
    assert read(flag, torch.tensor(0.5).cuda(), grid) == [True, 0.5, [[1, 2], [3, 4]]]
