"""Public bug reports about masks, each with the value that is right.

Comments name the reports: repository#number. FULL and CAUSAL were computed to 40 digits.
"""

import math
from functools import partial

import pytest
import torch

from attn_lab import (
    MultiHeadAttention,
    attention,
    causal_mask,
    masked_softmax,
    masks,
    padding_mask,
    scaled_scores,
    tiled_attention,
)

F64 = torch.float64
Q = torch.tensor([[1, 0], [0, 1], [1, 1]], dtype=F64)
K = torch.tensor([[1, 0], [0, 1], [1, -1]], dtype=F64)
V = torch.tensor([[10, 0], [0, 20], [5, 5]], dtype=F64)
FULL = [[6.01668139, 5.96107676], [3.54010032, 12.21965313], [5, 9.01112093]]
CAUSAL = [[10, 0], [3.30238451, 13.39523099], [5, 9.01112093]]
HOLE = torch.tensor([[True, False, False], [False] * 3, [True, True, False]])  # row 2 is empty


def is_(given, expected, atol=1e-8):
    torch.testing.assert_close(given.double(), torch.tensor(expected, dtype=F64), rtol=0, atol=atol)


def every_way(allowed, **more):
    """The output by each public way that gives one."""
    yield attention(Q, K, V, allowed=allowed, **more).output
    yield attention(Q, K, V, allowed=allowed, need_weights=False, **more).output
    yield tiled_attention(Q, K, V, allowed=allowed, block_size=2, **more)
    yield masked_softmax(scaled_scores(Q, K), allowed, **more) @ V


def test_the_common_input_gives_the_values_of_forty_digits():
    for output in every_way(None):
        is_(output, FULL)
    for output in every_way(causal_mask(3)):
        is_(output, CAUSAL)


# pytorch#41508, #160064, #103749, #103963
def test_an_empty_row_neither_becomes_nan_nor_poisons_the_others():
    for output in every_way(HOLE, fully_masked="zero"):
        is_(output, [[10, 0], [0, 0], [5, 10]])


# pytorch#41508, #160064: the loss skips the empty row, and the gradients must not notice it
@pytest.mark.parametrize("rows", [[0, 2], [0, 1, 2]])
def test_an_empty_row_leaves_every_gradient_finite(rows):
    q, k, v = (x.clone().requires_grad_() for x in (Q, K, V))
    attention(q, k, v, allowed=HOLE, fully_masked="zero").output[rows].sum().backward()
    alone = [x.clone().requires_grad_() for x in (Q, K, V)]
    attention(alone[0][[0, 2]], *alone[1:], allowed=HOLE[[0, 2]]).output.sum().backward()
    for with_hole, without in zip((q, k, v), alone, strict=True):
        torch.testing.assert_close(with_hole.grad, without.grad, rtol=0, atol=1e-15)
    assert q.grad[1].eq(0).all()


# transformers#31035, #38690
def test_left_padding_under_the_causal_mask_changes_no_real_row():
    g = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, 4, 2, generator=g, dtype=F64) for _ in range(3))
    allowed = masks.from_attention_mask(torch.tensor([[0, 0, 1, 1]])) & causal_mask(4)
    with pytest.raises(ValueError, match="2 fully masked rows"):
        attention(q, k, v, allowed=allowed)
    padded = attention(q, k, v, allowed=allowed, fully_masked="zero").output
    alone = attention(q[:, 2:], k[:, 2:], v[:, 2:], allowed=causal_mask(2)).output
    torch.testing.assert_close(padded[:, 2:], alone, rtol=0, atol=1e-15)
    assert padded[:, :2].eq(0).all()


# transformers PR#17306, PR#27114: the sum of two minima is -inf in a part of the row
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_two_added_masks_block_a_whole_row_and_not_a_part_of_it(dtype):
    lowest = torch.tensor([[torch.finfo(dtype).min]], dtype=dtype)
    both = torch.cat((lowest, lowest * 2), -1)  # [minimum, -inf]
    allowed = masks.from_additive(both)
    assert allowed.tolist() == [[False, False]]
    weights = masked_softmax(torch.tensor([[3.0, 1.0]]), allowed, fully_masked="zero")
    assert weights.tolist() == [[0, 0]]


# annotated-transformer PR#67, lsdefine#16: -1e9 on every key is a shift, and a shift is no mask
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_a_row_blocked_by_a_finite_number_is_empty_all_the_same(dtype):
    mask = torch.full((1, 2), -1e9 if dtype != torch.float16 else -1e4, dtype=dtype)
    weights = masked_softmax(
        torch.tensor([[2.0, 1.0]]), masks.from_additive(mask), fully_masked="zero"
    )
    assert weights.tolist() == [[0, 0]]


# apex#1052, #1105, fairseq#3575: -1e9 does not fit float16, -inf does
def test_half_inputs_are_masked_without_a_number_that_must_fit():
    output, weights = attention(Q.half(), K.half(), V.half(), allowed=causal_mask(3))
    is_(output, CAUSAL, atol=5e-3)
    assert weights[0].tolist() == [1, 0, 0]


# pytorch#144858, flash-attention#282, flax#5591
def test_one_new_query_reads_every_key_before_it_where_it_is_aligned_below():
    lower = causal_mask(1, 3, align="lower_right")
    is_(attention(Q[2:], K, V, allowed=lower).output, FULL[2:])
    upper = causal_mask(1, 3, align="upper_left")
    is_(attention(Q[2:], K, V, allowed=upper).output, [[10, 0]])
    with pytest.raises(ValueError, match="align must be given"):
        causal_mask(1, 3)


# pytorch#103082, #108108, mlx#2835, onnxruntime#28904
def test_rectangular_causal_masks_are_right_both_ways():
    scores = torch.zeros(2, 5)
    upper = masked_softmax(scores, causal_mask(2, 5, align="upper_left"))
    lower = masked_softmax(scores, causal_mask(2, 5, align="lower_right"))
    is_(upper, [[1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0]])
    is_(lower, [[0.25] * 4 + [0], [0.2] * 5], atol=1e-7)


def test_more_queries_than_keys_aligned_below_leave_the_first_rows_empty_and_say_so():
    allowed = causal_mask(5, 2, align="lower_right")
    with pytest.raises(ValueError, match=r"3 fully masked rows: query 1 \(index 0\), query 2"):
        masked_softmax(torch.zeros(5, 2), allowed)
    weights = masked_softmax(torch.zeros(5, 2), allowed, fully_masked="zero")
    is_(weights, [[0, 0]] * 3 + [[1, 0], [0.5, 0.5]])


# minimind#382, nanoVLM#80, pytorch#100709
def test_a_mask_and_the_causal_mask_are_both_obeyed():
    mask = torch.tensor([[1, 1, 1], [0, 1, 1], [1, 0, 1]]).bool()
    for output in every_way(mask & causal_mask(3)):
        is_(output[:2], [[10, 0], [0, 20]])
    weights = attention(Q, K, V, allowed=mask & causal_mask(3)).weights
    assert weights[2, 1] == 0 and weights[2].sum().item() == pytest.approx(1)


# pytorch#99282, #118972, #172338: one answer, whether weights are asked for or not
@pytest.mark.parametrize("T", [3, 520])
@pytest.mark.parametrize("kind", ["none", "causal", "empty"])
def test_asking_for_weights_changes_no_output_and_no_refusal(T, kind):
    torch.manual_seed(0)
    heads, x = MultiHeadAttention(4, 2).double(), torch.randn(1, T, 4, dtype=F64)
    allowed = {"none": None, "causal": causal_mask(T), "empty": causal_mask(T).tril(-1)}[kind]
    with torch.no_grad():
        outputs = [
            heads(x, allowed=allowed, fully_masked="zero", need_weights=need).output
            for need in (True, False)
        ]
        torch.testing.assert_close(*outputs, rtol=0, atol=1e-12)
        for need in (True, False):
            if kind == "empty":
                with pytest.raises(ValueError, match=r"query 1 \(index 0\)"):
                    heads(x, allowed=allowed, need_weights=need)


# LLMs-from-scratch#1061, pytorch PR#170415, x-transformers#160, TransformerEngine#614
def test_an_inverted_mask_is_noticed_by_the_row_that_it_empties():
    blocked = torch.ones(3, 3, dtype=torch.bool).triu(1)
    with pytest.raises(ValueError, match=r"1 fully masked row: query 3 \(index 2\)"):
        attention(Q, K, V, allowed=blocked)
    is_(attention(Q, K, V, allowed=masks.from_blocked(blocked)).output, CAUSAL)


# pytorch#103963, recurrent-pretraining#23: ones and zeros that would be added as a bias
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.uint8])
def test_a_mask_of_ones_and_zeros_is_never_added(dtype):
    ones = torch.ones(3, 3).tril().to(dtype)
    with pytest.raises(TypeError, match="allowed must be a Boolean tensor"):
        attention(Q, K, V, allowed=ones)
    with pytest.raises((TypeError, ValueError), match="from_attention_mask"):
        masks.from_additive(ones)
    allowed = masks.from_attention_mask(ones[None])
    is_(attention(Q[None], K[None], V[None], allowed=allowed).output, [CAUSAL])


# pytorch#99012, TITAN#11, ComfyUI#8118
@pytest.mark.parametrize("mask_dtype", [torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_a_masks_dtype_has_no_say(dtype, mask_dtype):
    allowed = masks.from_additive(masks.to_additive(causal_mask(3), dtype=mask_dtype))
    output = attention(Q.to(dtype), K.to(dtype), V.to(dtype), allowed=allowed).output
    is_(output, CAUSAL, atol=6e-2)


# pytorch-image-models PR#2236, pointer-generator#88, good-features PR#1
def test_the_mask_comes_before_the_softmax():
    weights = attention(Q, K, V, allowed=causal_mask(3)).weights
    is_(weights, [[1, 0, 0], [0.33023845, 0.66976155, 0], [0.40111209, 0.40111209, 0.19777581]])


def test_a_blocked_score_however_high_leaves_the_others_their_shares():
    weights = masked_softmax(torch.tensor([[200.0, 0.0, 0.0]]), torch.tensor([[False, True, True]]))
    assert weights.tolist() == [[0, 0.5, 0.5]]


# hyunwoongko PR#40, x-transformers#172
def test_padding_lies_along_the_keys():
    is_(
        attention(Q[None], K[None], V[None], allowed=padding_mask([2], 3)).output,
        [[[6.6976, 6.6048], [3.3024, 13.3952], [5, 10]]],
        atol=1e-4,
    )


def test_padding_laid_along_the_queries_empties_a_row_and_is_noticed():
    along_queries = padding_mask([2], 3).transpose(-2, -1)  # [B, T, 1]
    with pytest.raises(ValueError, match=r"query 3 \(index \[0, 2\]\)"):
        attention(Q[None], K[None], V[None], allowed=along_queries)


def test_a_mask_per_sequence_cannot_be_taken_for_one_per_head_or_per_query():
    x = torch.zeros(2, 2, 3, 2)  # as many sequences as heads
    with pytest.raises(ValueError, match=r"With heads write allowed\[:, None\]"):
        attention(x, x, x, allowed=torch.ones(2, 3, 3, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"allowed\[:, None, None, :\]"):
        attention(x, x, x, allowed=torch.ones(2, 3, dtype=torch.bool))
    square = masks.from_attention_mask(torch.tensor([[1, 1, 0]] * 3))  # as many as queries
    assert square.shape == (3, 1, 3)


def test_what_is_blocked_may_be_neither_nan_nor_infinite():
    for bad in (math.nan, math.inf):
        v = V.clone()
        v[2, 0] = bad
        for need in (True, False):
            with pytest.raises(ValueError, match=rf"v must hold finite.*behind a mask too.*{bad}"):
                attention(
                    Q, K, v, allowed=causal_mask(3) & padding_mask([2], 3)[0], need_weights=need
                )


@pytest.mark.parametrize(
    ("dtype", "large"), [(torch.float32, 3e38), (torch.bfloat16, 1e38), (F64, 1e308), (F64, 1e200)]
)
@pytest.mark.parametrize("way", [attention, partial(tiled_attention, block_size=2)])
def test_a_value_behind_the_mask_however_large_changes_no_gradient(way, dtype, large):
    g = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(4, 4, generator=g).to(dtype).requires_grad_() for _ in "qkv")

    def gradients_of_the_first_rows():
        given = way(
            q, k, v, allowed=causal_mask(4) & (torch.arange(4) != 1)[:, None], fully_masked="zero"
        )
        output = given if isinstance(given, torch.Tensor) else given.output
        first = output[:3].to(F64)
        once = torch.autograd.grad(first.square().sum(), (q, k, v), create_graph=True)
        return *once, *torch.autograd.grad(sum(x.to(F64).square().sum() for x in once), (q, k, v))

    before = gradients_of_the_first_rows()
    with torch.no_grad():
        v[3] = large
    for one, other in zip(before, gradients_of_the_first_rows(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)
