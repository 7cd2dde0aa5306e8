import pytest
import torch
from torch import nn

from attn_lab import MultiHeadAttention
from attn_lab.core.torch_module import projections_of


@pytest.mark.parametrize("bias", [True, False])
def test_the_four_projections_are_those_of_the_module_in_their_order(bias):
    module = nn.MultiheadAttention(4, 2, bias=bias, dtype=torch.float64)
    made = projections_of(module)
    assert list(made) == ["w_q", "w_k", "w_v", "w_o"]
    for i, name in enumerate(["w_q", "w_k", "w_v"]):
        rows = slice(4 * i, 4 * i + 4)
        assert torch.equal(made[name].weight, module.in_proj_weight[rows])
        if bias:
            assert torch.equal(made[name].bias, module.in_proj_bias[rows])
    assert torch.equal(made["w_o"].weight, module.out_proj.weight)
    assert all(
        (w.bias is not None) == bias and w.weight.dtype == torch.float64 for w in made.values()
    )


def test_the_copy_is_its_own():
    module = nn.MultiheadAttention(4, 2)
    ours = MultiHeadAttention.from_torch(module)
    before = ours.w_q.weight.clone()
    with torch.no_grad():
        module.in_proj_weight.zero_()
    assert torch.equal(ours.w_q.weight, before) and before.abs().max() > 0


def test_keys_and_values_of_another_width_come_from_a_memory_of_that_width():
    module = nn.MultiheadAttention(4, 2, kdim=6, vdim=6, batch_first=True, dtype=torch.float64)
    ours = MultiHeadAttention.from_torch(module)
    g = torch.Generator().manual_seed(0)
    x, memory = (
        torch.randn(2, n, d, generator=g, dtype=torch.float64) for n, d in ((3, 4), (5, 6))
    )
    theirs = module(x, memory, memory, average_attn_weights=False)
    for one, other in zip(ours(x, memory), theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=r"memory needs the width .* 6\]; got \[2, 3, 4\]"):
        ours(x)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"add_bias_kv": True}, "add_bias_kv=True"),
        ({"add_zero_attn": True}, "add_zero_attn=True"),
        ({"kdim": 3, "vdim": 5}, "keys of width 3, values of 5"),
    ],
)
def test_what_has_no_counterpart_here_is_refused(more, words):
    with pytest.raises(ValueError, match=rf"module must have a counterpart here; got .*{words}"):
        MultiHeadAttention.from_torch(nn.MultiheadAttention(4, 2, **more))


def test_another_module_is_refused():
    with pytest.raises(TypeError, match=r"must be a torch\.nn\.MultiheadAttention; got Linear"):
        MultiHeadAttention.from_torch(nn.Linear(2, 2))


@pytest.mark.parametrize("frozen", ["in_proj_weight", "in_proj_bias", "out_proj.bias"])
def test_each_number_stays_frozen_or_trained_as_it_was(frozen):
    module = nn.MultiheadAttention(4, 2)
    module.get_parameter(frozen).requires_grad_(False)
    names = {"in_proj_weight": "qkv", "in_proj_bias": "qkv", "out_proj.bias": "o"}[frozen]
    expected = {f"w_{name}.{frozen.split('_')[-1].split('.')[-1]}" for name in names}
    for mode in (torch.enable_grad, torch.no_grad):
        with mode():
            ours = MultiHeadAttention.from_torch(module)
        assert {name for name, p in ours.named_parameters() if not p.requires_grad} == expected


def test_a_module_that_computes_in_another_way_is_refused():
    class Shifted(nn.MultiheadAttention):
        def forward(self, *args, **kwargs):
            output, weights = super().forward(*args, **kwargs)
            return output + 1, weights

    class Named(nn.MultiheadAttention):
        pass

    with pytest.raises(ValueError, match=r"got one with a forward of its own \(Shifted\)"):
        MultiHeadAttention.from_torch(Shifted(4, 2))
    MultiHeadAttention.from_torch(Named(4, 2))
