"""MultiHeadAttention against nn.MultiheadAttention, whose numbers from_torch takes over.

torch's layer says which keys are blocked, ours which are allowed; torch's averages its weights
over the heads unless told otherwise, and can drop some of them, which ours cannot.
"""

import pytest
import torch
from torch import nn

from attn_lab import MultiHeadAttention, causal_mask, masks, padding_mask

D_MODEL, HEADS, B, T = 12, 3, 2, 5
FUTURE = torch.ones(T, T, dtype=torch.bool).triu(1)  # True = blocked, as torch's layer has it
PADDING = torch.tensor([[False] * 5, [False, False, False, True, True]])


@pytest.fixture
def make_peer(random):
    """A function that makes a layer of torch's with random numbers, its biases too."""

    def make(dtype=torch.float64, **settings):
        peer = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=dtype, **settings)
        with torch.no_grad():
            for parameter in peer.parameters():
                parameter.copy_(0.3 * random(*parameter.shape))
        return peer

    return make


def ask(peer, x, memory=None, **settings):
    """torch's output, and its weights head by head."""
    memory = x if memory is None else memory
    return peer(x, memory, memory, average_attn_weights=False, **settings)


def assert_same(results, expected, atol):
    for got, wanted in zip(results, expected, strict=True):
        torch.testing.assert_close(got, wanted, rtol=0, atol=atol)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("bias", [True, False])
def test_output_and_each_heads_weights_are_those_of_torch(
    make_peer, random, precision, bias, training
):
    dtype, atol = precision
    peer = make_peer(dtype, bias=bias).train(training)
    ours = MultiHeadAttention.from_torch(peer).train(training)
    x = random(B, T, D_MODEL, dtype=dtype)
    result = ours(x)
    assert result[1].shape == (B, HEADS, T, T)
    assert_same(result, ask(peer, x), atol)
    assert_same(ours(x, need_weights=False)[:1], ask(peer, x, need_weights=False)[:1], atol)
    with torch.no_grad():  # here torch's layer may take its fast path
        assert_same(ours(x), ask(peer, x), atol)


def test_every_number_of_torchs_layer_is_taken_over(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL)
    names = {name for name, _ in peer.named_parameters()}
    assert names == {"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"}
    ours = MultiHeadAttention.from_torch(peer)
    assert sum(p.numel() for p in ours.parameters()) == sum(p.numel() for p in peer.parameters())
    for part in ["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"]:
        for rows in peer.get_parameter(part).detach().split(D_MODEL):  # of q, of k, of v
            before = MultiHeadAttention.from_torch(peer)(x)
            rows += random(*rows.shape)
            after = MultiHeadAttention.from_torch(peer)(x)
            assert_same(after, ask(peer, x), 1e-12)
            is_bias_of_k = part == "in_proj_bias" and rows.storage_offset() == D_MODEL
            # The same number added to a whole row of scores changes no weight.
            assert torch.allclose(after[0], before[0]) == is_bias_of_k


def test_changing_ours_leaves_torchs_layer_alone(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL)
    before = [each.clone() for each in ask(peer, x)]
    with torch.no_grad():
        for parameter in MultiHeadAttention.from_torch(peer).parameters():
            parameter.zero_()
    assert_same(ask(peer, x), before, 0)


def test_a_layer_with_the_batch_second_gives_the_same(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL)
    peer.batch_first = False
    output, weights = ask(peer, x.transpose(0, 1))
    result = MultiHeadAttention.from_torch(peer)(x)
    assert_same(result, (output.transpose(0, 1), weights), 1e-12)


@pytest.mark.parametrize("training", [True, False])
def test_what_torch_calls_blocked_is_what_is_not_allowed(make_peer, random, precision, training):
    dtype, atol = precision
    peer = make_peer(dtype).train(training)
    ours = MultiHeadAttention.from_torch(peer).train(training)
    x = random(B, T, D_MODEL, dtype=dtype)
    real = padding_mask([5, 3], T)  # [B, 1, T]
    both = causal_mask(T) & real
    assert_same(ours(x, allowed=causal_mask(T)), ask(peer, x, attn_mask=FUTURE), atol)
    assert_same(ours(x, allowed=real), ask(peer, x, key_padding_mask=PADDING), atol)
    expected = ask(peer, x, attn_mask=FUTURE, key_padding_mask=PADDING)
    assert_same(ours(x, allowed=both), expected, atol)
    with pytest.raises(AssertionError):  # the other polarity gives other numbers
        assert_same(ours(x, allowed=FUTURE, fully_masked="zero"), expected, atol)


def test_a_mask_crosses_over_by_its_converter(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL)
    ours = MultiHeadAttention.from_torch(peer)
    expected = ask(peer, x, attn_mask=FUTURE, key_padding_mask=PADDING)
    allowed = masks.from_blocked(FUTURE, key_padding_mask=PADDING)
    assert_same(ours(x, allowed=allowed), expected, 1e-12)
    blocked = masks.to_blocked(causal_mask(T))
    assert_same(ours(x, allowed=causal_mask(T)), ask(peer, x, attn_mask=blocked), 1e-12)


def test_a_mask_for_each_head_is_torchs_mask_with_the_heads_unfolded(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL)
    allowed = (random(B, HEADS, T, T) < 0) | torch.eye(T, dtype=torch.bool)
    result = MultiHeadAttention.from_torch(peer)(x, allowed=allowed)
    for blocked in (~allowed.flatten(0, 1), masks.to_blocked(allowed, HEADS)):
        assert_same(result, ask(peer, x, attn_mask=blocked), 1e-12)


def test_reading_from_a_memory_of_another_length_gives_torchs_numbers(make_peer, random, precision):
    dtype, atol = precision
    peer = make_peer(dtype)
    x, memory = random(B, 3, D_MODEL, dtype=dtype), random(B, T, D_MODEL, dtype=dtype)
    result = MultiHeadAttention.from_torch(peer)(x, memory, allowed=padding_mask([5, 3], T))
    assert_same(result, ask(peer, x, memory, key_padding_mask=PADDING), atol)


def test_a_memory_of_another_width_gives_torchs_numbers(make_peer, random, precision):
    dtype, atol = precision
    peer = make_peer(dtype, kdim=7, vdim=7)
    x, memory = random(B, 3, D_MODEL, dtype=dtype), random(B, T, 7, dtype=dtype)
    assert_same(MultiHeadAttention.from_torch(peer)(x, memory), ask(peer, x, memory), atol)


def test_gradients_are_those_of_torch(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL).requires_grad_()
    ours, pull = MultiHeadAttention.from_torch(peer), random(B, T, D_MODEL)
    output, _ = ours(x, allowed=causal_mask(T))
    expected = ask(peer, x, attn_mask=FUTURE)[0]
    found = torch.autograd.grad(output, [x, *ours.parameters()], pull)
    wanted = torch.autograd.grad(expected, [x, *peer.parameters()], pull)
    assert_same(found[:1], wanted[:1], 1e-12)
    # The parameters may be stored in other shapes: all their gradients, in order of size.
    sizes = [torch.cat([g.flatten() for g in each]).sort().values for each in (found, wanted)]
    assert_same(sizes[:1], sizes[1:], 1e-12)


def test_a_query_that_may_read_nothing_gives_the_last_bias_alone(make_peer, random):
    peer, x = make_peer(), random(B, T, D_MODEL).requires_grad_()
    allowed = causal_mask(T)
    allowed[2] = False
    ours, pull = MultiHeadAttention.from_torch(peer), random(B, T, D_MODEL)
    output, weights = ours(x, allowed=allowed, fully_masked="zero")
    assert_same([output[:, 2]], [peer.out_proj.bias.expand(B, -1)], 0)
    assert weights[:, :, 2].count_nonzero() == 0
    expected = peer(x, x, x, attn_mask=~allowed, need_weights=False)[0]  # with weights it is NaN
    assert_same([output], [expected], 1e-12)
    gradients = [torch.autograd.grad(each, x, pull) for each in (output, expected)]
    assert_same(*gradients, 1e-12)


def test_dropped_weights_are_not_imitated(make_peer, random):
    peer, x = make_peer(dropout=0.5), random(B, T, D_MODEL)
    ours = MultiHeadAttention.from_torch(peer).train()
    assert_same(ours(x), ask(peer.eval(), x), 1e-12)
