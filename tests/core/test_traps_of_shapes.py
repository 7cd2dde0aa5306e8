"""Public bug reports about shapes, dtypes, devices, layouts and heads, with the right values.

Comments name the reports: repository#number.
"""

from functools import partial

import pytest
import torch

from attn_lab import (
    MultiHeadAttention,
    attention,
    causal_mask,
    masked_softmax,
    masks,
    merge_heads,
    padding_mask,
    project,
    scaled_scores,
    split_heads,
    tiled_attention,
)
from tests.helpers.tensors import random

F64 = torch.float64
WAYS = [
    lambda *a, **m: attention(*a, **m).output,
    lambda *a, **m: attention(*a, need_weights=False, **m).output,
    lambda *a, **m: tiled_attention(*a, block_size=64, **m),
]


# jsbaan PR#6, FuxiCTR#30, ajhalthor PR#4, hyunwoongko#15
def test_heads_are_split_and_merged_with_a_transpose():
    heads = torch.arange(8).reshape(1, 2, 2, 2)
    assert merge_heads(heads).tolist() == [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    x = torch.arange(8).reshape(1, 2, 4)
    assert split_heads(x, 2).tolist() == [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]


def test_a_head_reads_no_other_heads_columns():
    x = random(1, 5, 8)
    changed = x.clone()
    changed[..., 4:] += 1
    before, after = split_heads(x, 2), split_heads(changed, 2)
    assert torch.equal(before[:, 0], after[:, 0]) and not torch.equal(before[:, 1], after[:, 1])


# jax refuses it, other kernels fall back: values may be of another width
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("T", [3, 520])
@pytest.mark.parametrize("d_v", [1, 3, 9])
def test_values_of_another_width_are_mixed_as_they_are(way, T, d_v):
    q, k, v = random(2, T, 4), random(2, T, 4, seed=1), random(2, T, d_v, seed=2)
    expected = (q @ k.transpose(-2, -1) / 2).softmax(-1) @ v
    torch.testing.assert_close(way(q, k, v), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("T_q", [1, 3, 700])
def test_queries_and_keys_may_differ_in_number(way, T_q):
    q, k, v = random(2, T_q, 4), random(2, 600, 4, seed=1), random(2, 600, 4, seed=2)
    allowed = causal_mask(T_q, 600, align="upper_left")
    scores = (q @ k.transpose(-2, -1) / 2).masked_fill(~allowed, -torch.inf)
    given = way(q, k, v, allowed=allowed)
    torch.testing.assert_close(given, scores.softmax(-1) @ v, rtol=0, atol=1e-12)


@pytest.mark.parametrize("bad", [torch.int64, torch.int32, torch.bool, torch.complex64])
@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_what_is_no_float_is_refused_by_name(name, bad):
    given = {each: torch.ones(2, 2) for each in "qkv"}
    given[name] = given[name].to(bad)
    dtype = str(bad).removeprefix("torch.")
    for way in WAYS:
        with pytest.raises(TypeError, match=rf"{name} must hold float16.* got {dtype}\."):
            way(given["q"], given["k"], given["v"])


@pytest.mark.parametrize(("one", "other"), [(torch.float32, F64), (torch.float16, torch.bfloat16)])
@pytest.mark.parametrize("name", ["k", "v"])
def test_mixed_dtypes_are_refused_by_name(name, one, other):
    given = {each: torch.ones(2, 2, dtype=one) for each in "qkv"}
    given[name] = given[name].to(other)
    for way in WAYS:
        with pytest.raises(TypeError, match=rf"{name} needs the dtype of q.*Write {name}\.to"):
            way(given["q"], given["k"], given["v"])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        *(("q", partial(lambda way, x: way(x, x, x), way)) for way in WAYS),
        ("q", lambda x: scaled_scores(x, x)),
        ("x", lambda x: project(x, x)),
        ("scores", masked_softmax),
        ("mask", masks.from_additive),
        ("mask", masks.from_attention_mask),
        ("lengths", lambda x: masks.padding_mask(x[0].long(), 2)),
        ("allowed", lambda x: masked_softmax(torch.ones(2, 2), x.bool())),
        ("w_q.weight", lambda x: MultiHeadAttention(2, 1).to("meta")(x)),
    ],
)
def test_a_tensor_without_numbers_is_refused_by_name(name, call):
    with pytest.raises(ValueError, match=rf"^{name} must hold numbers; got .*meta.*on the CPU"):
        call(torch.ones(2, 2, device="meta"))


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged])
def test_sequences_of_unlike_length_in_one_tensor_are_refused_by_name(layout):
    x = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=layout)
    for way in WAYS:
        with pytest.raises(TypeError, match=r"q must be a dense .*\.to_padded_tensor\(q, 0\.0\)"):
            way(x, x, x)


def test_a_function_that_hides_a_batch_is_refused_with_what_to_write():
    x = torch.ones(2, 3, 4)
    for call in (*(lambda x, way=way: way(x, x, x) for way in WAYS), masked_softmax):
        with pytest.raises(ValueError, match=r"vmap hides.*write attention\(q, k, v\)"):
            torch.func.vmap(call)(x)
    with pytest.raises(ValueError, match="vmap hides"):
        torch.func.vmap(torch.func.grad(lambda x: attention(x, x, x).output.sum()))(x)


@pytest.mark.parametrize("name", ["k", "v"])
def test_mixed_devices_are_refused_by_name(name):
    given = {each: torch.ones(2, 2) for each in "qkv"}
    given[name] = given[name].to("meta")
    for way in WAYS:
        with pytest.raises(ValueError, match=rf"{name} needs the device of q, cpu; got meta"):
            way(given["q"], given["k"], given["v"])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: attention(x, x, x),
        lambda x: tiled_attention(x, x, x),
        lambda x: scaled_scores(x, x),
        lambda x: masked_softmax(x),
        lambda x: project(x, torch.ones(x.shape[-1], 2)),
        lambda x: split_heads(x, 1),
        lambda x: merge_heads(x[None]),
        lambda x: MultiHeadAttention(2, 1)(x[None]),
    ],
)
def test_no_positions_are_refused(call):
    with pytest.raises(ValueError, match="with at least one entry along each axis"):
        call(torch.ones(0, 2))


def test_no_keys_no_width_and_no_batch_are_refused():
    some = torch.ones(2, 3, 2)
    for q, k, v in (
        (some, some[:, :0], some[:, :0]),
        (some[..., :0], some[..., :0], some),
        (some, some, some[..., :0]),
        (some[:0], some[:0], some[:0]),
    ):
        for way in WAYS:
            with pytest.raises(ValueError, match="with at least one entry along each axis"):
                way(q, k, v)


# pytorch#181133, #163597: permuted, strided, expanded and sliced inputs
@pytest.mark.parametrize("T", [9, 600])
def test_layout_changes_no_value(T):
    q, k, v = (random(2, 3, T, 4, seed=s) for s in range(3))
    layouts = [
        lambda x: x.permute(2, 0, 3, 1).contiguous().permute(1, 3, 0, 2),
        lambda x: x.repeat_interleave(2, -1)[..., ::2],
        lambda x: x.repeat_interleave(2, -2)[..., ::2, :],
        lambda x: torch.cat((x, x), 1)[:, :3],
    ]
    allowed = causal_mask(T)
    for way in WAYS:
        plain = way(q, k, v, allowed=allowed)
        for layout in layouts:
            given = way(layout(q), layout(k), layout(v), allowed=allowed.T.contiguous().T)
            torch.testing.assert_close(given, plain, rtol=0, atol=1e-13)


def test_keys_shared_by_expansion_are_read_by_every_head():
    q, k = random(2, 3, 600, 4), random(2, 1, 600, 4, seed=1)
    for way in WAYS:
        shared = way(q, k.expand(2, 3, 600, 4), k.expand(2, 3, 600, 4), allowed=causal_mask(600))
        copied = way(q, k.repeat(1, 3, 1, 1), k.repeat(1, 3, 1, 1), allowed=causal_mask(600))
        torch.testing.assert_close(shared, copied, rtol=0, atol=1e-13)


# pytorch#97111, #86120: evaluation must not drop or zero what is padded in every sequence
def test_a_column_that_is_padding_everywhere_keeps_its_place():
    torch.manual_seed(0)
    heads, x = MultiHeadAttention(4, 2).double(), random(2, 3, 4)
    allowed = padding_mask([2, 2], 3)
    with torch.no_grad():
        outputs = [module(x, allowed=allowed) for module in (heads.train(), heads.eval())]
    assert torch.equal(outputs[0].output, outputs[1].output)
    assert outputs[0].output.shape == (2, 3, 4) and outputs[0].weights[..., 2].eq(0).all()
    assert outputs[0].output[:, 2].abs().min() > 0  # a padded position still reads


def test_no_input_is_written_to():
    given = [random(2, 520, 4, seed=s) for s in range(3)]
    allowed = causal_mask(520).tril(-1)
    copies = [x.clone() for x in (*given, allowed)]
    for way in WAYS:
        way(*given, allowed=allowed, fully_masked="zero")
    masked_softmax(given[0] @ given[1].transpose(-2, -1), allowed, fully_masked="zero")
    assert all(torch.equal(x, y) for x, y in zip((*given, allowed), copies, strict=True))
