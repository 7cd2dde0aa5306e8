import pytest
import torch
from torch import nn

from attn_lab import MultiHeadAttention, attention, causal_mask, padding_mask, split_heads
from tests.helpers.tensors import random

F64 = torch.float64


def module(d_model=8, n_heads=2, bias=True):
    torch.manual_seed(3)
    made = MultiHeadAttention(d_model, n_heads, bias=bias).double()
    for parameter in made.parameters():
        nn.init.normal_(parameter)
    return made


def test_width_512_with_eight_heads_scores_with_the_root_of_64():
    heads = MultiHeadAttention(512, 8)
    x = random(1, 4, 512, dtype=torch.float32)
    q, k = (split_heads(w(x), 8) for w in (heads.w_q, heads.w_k))
    expected = ((q / 8) @ k.transpose(-2, -1)).softmax(-1)
    torch.testing.assert_close(heads(x).weights, expected, rtol=0, atol=1e-6)


def test_the_weights_come_per_head_and_per_sequence():
    output, weights = module()(random(3, 5, 8))
    assert output.shape == (3, 5, 8) and weights.shape == (3, 2, 5, 5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(3, 2, 5, dtype=F64))


def test_each_head_reads_with_its_own_columns_and_the_last_projection_joins_them(numpy_attention):
    heads, x = module(), random(2, 5, 8)
    with torch.no_grad():
        q, k, v = (x @ w.weight.T + w.bias for w in (heads.w_q, heads.w_k, heads.w_v))
    parts = [numpy_attention(q[..., c], k[..., c], v[..., c]) for c in (slice(0, 4), slice(4, 8))]
    joined = torch.cat([torch.from_numpy(output) for output, _ in parts], -1)
    output, weights = heads(x)
    for h in range(2):
        torch.testing.assert_close(weights[:, h], torch.from_numpy(parts[h][1]), rtol=0, atol=1e-12)
    torch.testing.assert_close(
        output, joined @ heads.w_o.weight.T + heads.w_o.bias, rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("bias", [True, False])
def test_bias_is_there_or_not(bias):
    heads = MultiHeadAttention(4, 2, bias=bias)
    assert (heads.w_q.bias is not None) == bias and (heads.w_o.bias is not None) == bias
    assert len(list(heads.parameters())) == (8 if bias else 4)


def test_cross_attention_reads_another_sequence():
    output, weights = module()(random(2, 3, 8), random(2, 5, 8, seed=1))
    assert output.shape == (2, 3, 8) and weights.shape == (2, 2, 3, 5)


def test_a_sequence_is_its_own_memory():
    heads, x = module(), random(2, 3, 8)
    assert torch.equal(heads(x).output, heads(x, x).output)


def test_one_sequence_without_a_batch_works_too():
    heads, x = module(), random(2, 3, 8)
    one = heads(x[0], allowed=causal_mask(3))
    both = heads(x, allowed=causal_mask(3))
    torch.testing.assert_close(one.weights, both.weights[0], rtol=0, atol=1e-14)


def test_a_mask_per_sequence_holds_for_every_head():
    allowed = padding_mask([2, 3], 3) & causal_mask(3)
    weights = module()(random(2, 3, 8), allowed=allowed).weights
    assert torch.equal(weights != 0, allowed[:, None].expand(2, 2, 3, 3))


def test_a_mask_per_head_holds_for_its_head():
    allowed = torch.ones(1, 2, 3, 3, dtype=torch.bool)
    allowed[0, 1] = causal_mask(3)
    weights = module()(random(2, 3, 8), allowed=allowed).weights
    assert torch.equal(weights != 0, allowed.expand(2, 2, 3, 3))


def test_an_empty_row_outputs_the_last_bias_alone_and_sends_finite_gradients():
    heads, x = module(), random(1, 3, 8).requires_grad_()
    allowed = torch.tensor([[True, False, False], [False] * 3, [True] * 3])
    with pytest.raises(ValueError, match=r"query 2 \(index 1\)"):
        heads(x, allowed=allowed)
    output, weights = heads(x, allowed=allowed, fully_masked="zero")
    assert weights[:, :, 1].eq(0).all()
    torch.testing.assert_close(output[0, 1], heads.w_o.bias)
    output.sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in (x, *heads.parameters()))


def test_first_derivatives_are_right_with_an_empty_row():
    heads = module(4, 2)
    allowed = torch.tensor([[True, False], [False, False]])

    def run(x):
        return heads(x, allowed=allowed, fully_masked="zero").output

    assert torch.autograd.gradcheck(run, random(1, 2, 4).requires_grad_())


def test_weights_not_needed_are_not_returned():
    heads, x = module(), random(2, 3, 8)
    output, weights = heads(x, need_weights=False)
    assert weights is None
    torch.testing.assert_close(output, heads(x).output, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_half_module_computes_in_float32(dtype):
    heads, x = module().to(dtype), random(2, 3, 8).to(dtype)
    output, weights = heads(x)
    wide = heads.float()(x.float())
    assert output.dtype == weights.dtype == dtype
    assert torch.equal(output, wide.output.to(dtype))
    assert torch.equal(weights, wide.weights.to(dtype))


def test_training_and_evaluation_give_the_same():
    heads, x = module(), random(2, 3, 8)
    assert torch.equal(heads.train()(x).output, heads.eval()(x).output)


def test_it_composes_from_the_public_pieces():
    heads, x = module(), random(2, 3, 8)
    q, k, v = (split_heads(w(x), 2) for w in (heads.w_q, heads.w_k, heads.w_v))
    assert torch.equal(heads(x).weights, attention(q, k, v).weights)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda m: m(torch.ones(2, 3, 7, dtype=F64)), ValueError, r"x needs the width .* 8\]; got"),
        (lambda m: m(torch.ones(2, 3, 8)), TypeError, r"x needs the dtype of w_q\.weight, float64"),
        (lambda m: m(torch.ones(2, 3, 8).long()), TypeError, r"x must hold float16"),
        (lambda m: m([[1.0] * 8]), TypeError, r"x must be a torch\.Tensor"),
        (lambda m: m(random(1, 3, 8), random(1, 3, 6)), ValueError, r"memory needs the width"),
        (lambda m: m(random(2, 3, 8), random(3, 3, 8)), ValueError, r"memory needs the leading"),
        (lambda m: m(random(2, 0, 8)), ValueError, r"x needs .* at least one entry"),
        (
            lambda m: m(random(2, 3, 8), allowed=torch.ones(2, 3, dtype=torch.bool)),
            ValueError,
            r"allowed needs shape \[3, 3\].*allowed\[:, None, None, :\]",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(module())


@pytest.mark.parametrize("name", ["x", "memory"])
def test_numbers_that_are_not_finite_are_named_as_they_were_given(name):
    given = {"x": random(1, 3, 8), "memory": random(1, 3, 8)}
    given[name][0, 1, 2] = float("nan")
    with pytest.raises(ValueError, match=rf"{name} must hold finite.*nan at index \[0, 1, 2\]"):
        module()(**given)


def test_an_output_beyond_the_range_of_half_is_refused():
    heads = MultiHeadAttention(2, 1).half()
    for w in (heads.w_v, heads.w_o):
        nn.init.constant_(w.weight, 300.0)
    with pytest.raises(
        ValueError, match=r"the outputs overflow float16: x and the projections are finite"
    ):
        heads(torch.ones(1, 1, 2, dtype=torch.float16))


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match=r"n_heads must divide d_model 5; got 2"):
        MultiHeadAttention(5, 2)


@pytest.mark.parametrize("name", ["w_q.weight", "w_v.bias", "w_o.weight", "w_o.bias"])
def test_a_parameter_that_is_not_finite_is_named_not_what_is_made_of_it(name):
    heads = module()
    with torch.no_grad():
        heads.get_parameter(name).view(-1)[0] = torch.nan
    with pytest.raises(ValueError, match=rf"^{name} must hold finite numbers"):
        heads(random(1, 3, 8))


def test_projections_of_unlike_dtypes_are_refused_by_name():
    heads = module()
    heads.w_k.float()
    with pytest.raises(TypeError, match=r"w_k\.weight needs the dtype of w_q\.weight, float64"):
        heads(random(1, 3, 8))


def test_another_layer_is_refused_with_what_to_do():
    with pytest.raises(TypeError, match=r"must be a torch\.nn\.MultiheadAttention; got Linear"):
        MultiHeadAttention.from_torch(nn.Linear(2, 2))


def test_from_torch_keeps_what_is_frozen_and_draws_no_random_number():
    theirs = nn.MultiheadAttention(8, 2, batch_first=True).requires_grad_(False)
    before = torch.random.get_rng_state()
    ours = MultiHeadAttention.from_torch(theirs)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert not any(parameter.requires_grad for parameter in ours.parameters())


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
def test_a_projection_too_large_for_its_dtype_is_named_by_its_matrix(name):
    heads = module().float()
    with torch.no_grad():
        getattr(heads, name).weight.fill_(1e38)
    x = torch.full((1, 3, 8), 100.0)
    for source, given in (("x", (x,)), ("x" if name == "w_q" else "memory", (x, x.clone()))):
        words = f"^the projections by {name} overflow float32: {source} and {name} are finite"
        with pytest.raises(ValueError, match=words):
            heads(*given)


def test_torchs_mask_for_each_head_is_refused_as_it_was_given_with_how_to_lay_it_out():
    heads, x = module(), random(3, 4, 8)
    blocked = torch.rand(6, 4, 4, generator=torch.Generator().manual_seed(0)) < 0.3
    with pytest.raises(
        ValueError,
        match=r"fit the scores \[3, 2, 4, 4\].*got \[6, 4, 4\]\..*unflatten\(0, \(3, -1\)\)",
    ):
        heads(x, allowed=~blocked)
    heads(x, allowed=(~blocked).unflatten(0, (3, -1)), fully_masked="zero")


def test_a_memory_without_its_batch_axis_is_refused_with_where_it_goes():
    with pytest.raises(ValueError, match=r"memory needs as many axes .* example memory\[None\]\.$"):
        module()(random(4, 4, 8), random(4, 8))


def test_a_mask_without_a_batch_holds_in_every_head():
    allowed = torch.tensor([[1, 0, 1], [0, 1, 1], [1, 1, 0]]).bool()  # not the causal one
    x = torch.linspace(-1, 1, 24).reshape(2, 3, 4)
    weights = MultiHeadAttention(4, 2)(x, allowed=allowed).weights
    assert (weights[..., ~allowed] == 0).all() and (weights[..., allowed] > 0).all()
