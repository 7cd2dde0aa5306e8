import pytest
import torch

from attn_lab.core.attention import attention
from attn_lab.course.in_tiles import in_tiles


def test_the_four_scores_of_the_question_give_the_softmax_of_all_four():
    k = torch.tensor([[1.0], [3.0], [2.0], [5.0]])
    output = in_tiles(torch.ones(1, 1), k, torch.eye(4), size=2)
    assert torch.allclose(output, torch.tensor([1.0, 3.0, 2.0, 5.0]).softmax(0)[None])


@pytest.mark.parametrize("size", [1, 7, 64, 512, 1_000])
def test_tiles_of_any_size_give_dense_attention_up_to_rounding(size):
    generator = torch.Generator().manual_seed(0)
    q, k, v = torch.randn(3, 512, 16, dtype=torch.float64, generator=generator)
    assert (in_tiles(q, k, v, size) - attention(q, k, v).output).abs().max() < 1e-14


def test_a_small_weight_is_counted_like_any_other():
    k = torch.cat([torch.zeros(999, 1), torch.tensor([[20.0]])])
    v = torch.cat([torch.ones(999, 1), torch.zeros(1, 1)])
    kept = in_tiles(torch.ones(1, 1).double(), k.double(), v.double(), size=10)
    assert torch.allclose(kept, 999 / (999 + torch.tensor([[20.0]]).double().exp()), rtol=1e-12)


def test_scores_far_above_the_first_tile_do_not_overflow():
    k = torch.tensor([[0.0], [1_000.0], [2_000.0]])
    assert in_tiles(torch.ones(1, 1), k, torch.eye(3), size=1).tolist() == [[0.0, 0.0, 1.0]]
