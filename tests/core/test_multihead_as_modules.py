"""The projections act as modules do in torch: what torch gives, piece by piece, is the oracle."""

import math
import warnings

import pytest
import torch
from torch import nn
from torch.func import functional_call, grad
from torch.nn.functional import scaled_dot_product_attention
from torch.nn.utils import parametrizations, prune

from attn_lab import (
    MultiHeadAttention,
    attention,
    causal_mask,
    project,
    scaled_scores,
    tiled_attention,
)
from tests.helpers.tensors import random

NAMES = ("w_q", "w_k", "w_v", "w_o")


def module(dtype=torch.float64):
    made = MultiHeadAttention(8, 2).double()
    for seed, parameter in enumerate(made.parameters()):
        parameter.data = random(*parameter.shape, seed=seed)
    return made.to(dtype)


def by_torch(heads, x):
    """Each projection called by torch, and its own attention between them."""
    q, k, v = (
        getattr(heads, name)(x).unflatten(-1, (2, -1)).transpose(-3, -2) for name in NAMES[:3]
    )
    return heads.w_o(scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2))


class LowRank(nn.Module):
    """An adapter around a layer, which shows nothing of the layer within."""

    def __init__(self, base):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down, self.up = nn.Linear(8, 2, bias=False), nn.Linear(2, 8, bias=False)
        for layer in (self.down, self.up):
            layer.weight.data = random(*layer.weight.shape, seed=9).to(base.weight.dtype)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


class LowRankLinear(nn.Linear):
    """An adapter that is a layer itself."""

    def __init__(self, base):
        super().__init__(8, 8, dtype=base.weight.dtype)
        self.load_state_dict(base.state_dict())
        self.low = nn.Parameter(random(8, 8, seed=9).to(base.weight.dtype))

    def forward(self, x):
        return super().forward(x) + x @ self.low


def hooked(heads, name):
    getattr(heads, name).register_forward_hook(lambda _, given, made: made + given[0].sin())


def hooked_before(heads, name):
    getattr(heads, name).register_forward_pre_hook(lambda _, given: (given[0].cos(),))


def pruned(heads, name):
    prune.l1_unstructured(getattr(heads, name), "weight", 0.5)


def normed(heads, name):
    parametrizations.weight_norm(getattr(heads, name))


def spectral(heads, name):
    torch.manual_seed(0)
    parametrizations.spectral_norm(getattr(heads, name))  # each call in training changes it


def wrapped(heads, name):
    setattr(heads, name, LowRank(getattr(heads, name)))


def adapted(heads, name):
    setattr(heads, name, LowRankLinear(getattr(heads, name)))


def in_sequence(heads, name):
    setattr(heads, name, nn.Sequential(getattr(heads, name), nn.Tanh()))


WAYS = (hooked, hooked_before, pruned, normed, spectral, wrapped, adapted, in_sequence)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("change", WAYS)
def test_what_changes_a_projection_acts_as_in_torch_over_three_steps(change, name):
    runs = []
    for forward in (lambda heads, x: heads(x).output, by_torch):
        heads = module()
        plain = forward(heads, random(2, 3, 8))
        change(heads, name)
        optimizer = torch.optim.SGD(heads.parameters(), 0.01)
        outputs = []
        for step in range(3):
            optimizer.zero_grad()
            outputs.append(forward(heads, random(2, 3, 8, seed=step)))
            outputs[-1].square().mean().backward()
            optimizer.step()
        assert change is normed or (outputs[0] - plain).abs().max() > 0.01  # that begins the same
        runs.append(torch.stack(outputs))
    torch.testing.assert_close(*runs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("change", WAYS)
def test_in_half_they_act_upon_the_written_out_numbers(change, dtype):
    heads, wide, x = module(dtype), module(dtype), random(2, 3, 8).to(dtype)
    for each in (heads, wide):
        change(each, "w_v")
    output, weights = heads(x)
    expected = wide.float()(x.float())
    assert torch.equal(output, expected.output.to(dtype))
    assert torch.equal(weights, expected.weights.to(dtype))
    output.sum().backward()
    assert all(p.grad is None or p.grad.dtype == dtype for p in heads.parameters())


def test_what_a_half_projection_counts_is_kept():
    heads, x = module(torch.bfloat16), random(1, 3, 8, dtype=torch.bfloat16)
    spectral(heads, "w_q")
    before = heads.w_q.parametrizations.weight[0]._u.clone()
    heads(x)
    assert not torch.equal(heads.w_q.parametrizations.weight[0]._u, before)


def test_each_hook_is_called_once_and_sees_what_goes_in_and_comes_out():
    heads, x, memory = module(), random(2, 3, 8), random(2, 5, 8, seed=1)
    seen = {name: [] for name in NAMES}
    for name in NAMES:
        heads.get_submodule(name).register_forward_hook(
            lambda _, given, made, name=name: seen[name].append((given[0], made))
        )
    output = heads(x, memory).output
    assert [len(calls) for calls in seen.values()] == [1] * 4
    assert seen["w_q"][0][0] is x and seen["w_k"][0][0] is seen["w_v"][0][0] is memory
    assert seen["w_o"][0][1] is output


def test_it_takes_the_parameters_of_functional_call():
    heads, other, x = module(), module(), random(2, 3, 8)
    numbers = {name: p * 0.5 for name, p in heads.named_parameters()}
    other.load_state_dict(numbers)
    assert torch.equal(functional_call(heads, numbers, (x,)).output, other(x).output)
    gradients = grad(lambda given: functional_call(heads, given, (x,)).output.sum())(numbers)
    other(x).output.sum().backward()
    for name, parameter in other.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=0, atol=1e-12)


@pytest.mark.skipif("fbgemm" not in torch.backends.quantized.supported_engines, reason="no engine")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_dynamically_quantised_projections_give_what_they_give_one_by_one(dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch means to move this to a package of its own
        heads = torch.ao.quantization.quantize_dynamic(module(torch.float32), {nn.Linear})
    assert not [*heads.parameters()]
    x = random(2, 3, 8, dtype=dtype)
    expected = by_torch(heads, x.float()).to(dtype)
    torch.testing.assert_close(heads(x).output, expected, rtol=0, atol=1e-5)


# --- autocast ---


def test_under_autocast_it_gives_what_torchs_own_gives_with_gradients():
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(8, 2, batch_first=True)
    ours, before = MultiHeadAttention.from_torch(theirs), nn.Linear(8, 8)
    found = []
    for run in (lambda y: theirs(y, y, y, need_weights=False)[0], lambda y: ours(y).output):
        x = random(2, 3, 8, dtype=torch.float32).requires_grad_()
        with torch.autocast("cpu", torch.bfloat16):
            output = run(before(x))
        assert output.dtype == torch.bfloat16
        output.float().square().sum().backward()
        found.append((output, x.grad, *(p.grad for p in before.parameters())))
        before.zero_grad()
    for our, their in zip(*found, strict=True):
        torch.testing.assert_close(our, their, rtol=0.02, atol=0.01)
    assert all(p.grad.isfinite().all() and p.grad.any() for p in ours.w_v.parameters())


def test_under_autocast_the_projections_are_torchs_to_the_bit():
    heads, x, seen = module(torch.float32), random(2, 3, 8, dtype=torch.float32), []
    heads.w_q.register_forward_hook(lambda *given: seen.append(given[-1]))
    with torch.autocast("cpu", torch.bfloat16):
        heads(x)
        assert torch.equal(seen[0], nn.functional.linear(x, heads.w_q.weight, heads.w_q.bias))


@pytest.mark.parametrize("halves", ["q", "k", "v", "qk", "kv"])
@pytest.mark.parametrize("T", [5, 600])
@pytest.mark.parametrize("need_weights", [True, False])
def test_what_autocast_hands_over_is_read_in_float32(halves, T, need_weights):
    given = {name: random(T, 4, seed=s, dtype=torch.float32) for s, name in enumerate("qkv")}
    given |= {name: given[name].bfloat16() for name in halves}
    wide = {name: x.float() for name, x in given.items()}
    expected = attention(**wide, allowed=causal_mask(T))
    with pytest.raises(TypeError, match="needs the dtype of q"):
        attention(**given)
    with torch.autocast("cpu", torch.bfloat16):
        output = attention(**given, allowed=causal_mask(T), need_weights=need_weights).output
        tiled = tiled_attention(**given, allowed=causal_mask(T))
        scores = scaled_scores(given["q"], given["k"])
    for one, other in (
        (output, expected.output),
        (tiled, expected.output),
        (scores, scaled_scores(wide["q"], wide["k"])),
    ):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-5)


def test_a_half_input_meets_a_float32_matrix_under_autocast_alone():
    x, w = random(3, 4, dtype=torch.bfloat16), random(4, 2, seed=1, dtype=torch.float32)
    w.requires_grad_()
    with torch.autocast("cpu", torch.bfloat16):
        made = project(x, w)
        with pytest.raises(TypeError, match="w needs the dtype of x, bfloat16; got float64"):
            project(x, w.double())  # torch's own product refuses it too
    torch.testing.assert_close(made, x.float() @ w)
    assert torch.autograd.grad(made.sum(), w)[0].dtype == torch.float32
    with pytest.raises(TypeError, match="w needs the dtype of x"):
        project(x, w)


# --- what cannot stand in ---


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: setattr(m, "w_k", nn.Linear(8, 7).double()), r"w_k must give rows that 2 heads"),
        (lambda m: setattr(m, "w_v", nn.Flatten(0)), r"w_v must give one row .*\[1, 3, 8\]; got"),
        (
            lambda m: m.w_o.register_forward_hook(lambda *given: (given[-1],)),
            r"w_o must give one row for each row of \[1, 3, 8\]; got tuple",
        ),
        (
            lambda m: m.w_q.register_forward_hook(lambda *given: given[-1] * math.nan),
            r"the output of w_q must hold finite numbers",
        ),
    ],
)
def test_what_stands_in_a_projections_place_and_does_not_fit_is_refused(change, words):
    heads = module()
    change(heads)
    with pytest.raises(ValueError, match=words):
        heads(random(1, 3, 8))


def test_a_memory_that_the_values_do_not_fit_is_refused_by_width():
    heads = module()
    heads.w_v = nn.Linear(6, 8).double()
    with pytest.raises(ValueError, match=r"memory needs the width .* 6\]; got \[1, 3, 8\]"):
        heads(random(1, 3, 8))
