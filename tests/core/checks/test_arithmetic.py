import pytest
import torch

from attn_lab import attention, masked_softmax, tiled_attention
from attn_lab.core.checks.arithmetic import in_float32_at_least, mix, times, without_autocast


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (torch.float16, torch.float32),
        (torch.bfloat16, torch.float32),
        (torch.float32, torch.float32),
        (torch.float64, torch.float64),
    ],
)
def test_arithmetic_runs_in_float32_at_least(given, used):
    assert in_float32_at_least(torch.ones(1, dtype=given)).dtype == used


def test_autocast_ends_inside_and_goes_on_after():
    x = torch.ones(2, 2)
    with torch.autocast("cpu", torch.bfloat16):
        with without_autocast(x):
            assert (x @ x).dtype == torch.float32
        assert (x @ x).dtype == torch.bfloat16


@pytest.mark.parametrize("T", [6, 600])
def test_no_function_is_coarsened_by_autocast(T):
    x = torch.randn(1, T, 8, generator=torch.Generator().manual_seed(0))
    for run in (
        lambda: attention(x, x, x).output,
        lambda: attention(x, x, x, need_weights=False).output,
        lambda: tiled_attention(x, x, x),
        lambda: masked_softmax(x),
    ):
        plain = run()
        with torch.autocast("cpu", torch.bfloat16):
            cast = run()
        assert cast.dtype == torch.float32 and torch.equal(cast, plain)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("x", "factor"), [(1e38, 1e-60), (1e-20, 1e50), (-1e30, -5e-324), (2, 3)])
def test_a_factor_beyond_the_range_of_float32_multiplies_all_the_same(x, factor, dtype):
    given = torch.tensor([x, 0.0], dtype=dtype, requires_grad=True)
    product = times(given, factor)
    assert product.dtype == dtype
    assert product.tolist() == pytest.approx([x * factor, 0.0], rel=1e-6, abs=1e-45)
    assert torch.autograd.grad(times(given, factor).sum() * 0, given)[0].isfinite().all()


def test_a_mean_is_a_product_of_weights_and_values():
    weights, v = torch.tensor([[0.25, 0.75]]), torch.tensor([[8.0], [4.0]])
    assert mix(weights, v, 8.0).tolist() == [[5.0]]


def test_a_mean_of_the_largest_numbers_stays_within_their_range():
    top = torch.finfo(torch.float32).max
    # A hair above 1/6, so that they add to more than 1 in whichever order a CPU adds them up.
    weights = torch.full((1, 6), 1 / 6).nextafter(torch.tensor(1.0))
    assert (weights @ torch.full((6, 1), top)).isinf().all()  # what it is for
    assert mix(weights, torch.full((6, 1), top), top).item() == top
    assert mix(weights, torch.full((6, 1), -top), top).item() == -top


def test_the_gradient_reaches_values_at_the_edge_of_what_a_float_holds():
    v = torch.full((7, 1), torch.finfo(torch.float32).max, requires_grad=True)
    attention(torch.ones(1, 1), torch.ones(7, 1), v).output.sum().backward()
    torch.testing.assert_close(v.grad.sum(), torch.tensor(1.0))
