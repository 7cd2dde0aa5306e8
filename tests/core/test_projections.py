import numpy as np
import pytest
import torch

from attn_lab import project


def test_five_tokens_of_width_eight_become_five_queries_of_width_three():
    x, w = torch.ones(5, 8), torch.ones(8, 3)
    assert torch.equal(project(x, w), torch.full((5, 3), 8.0))


def test_it_agrees_with_numpy_in_float64_with_a_batch():
    g = torch.Generator().manual_seed(0)
    x = torch.randn(2, 5, 8, generator=g, dtype=torch.float64)
    w = torch.randn(8, 3, generator=g, dtype=torch.float64)
    np.testing.assert_allclose(project(x, w), x.numpy() @ w.numpy(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_inputs_are_multiplied_in_float32_and_come_back_half(dtype):
    g = torch.Generator().manual_seed(1)
    x = torch.randn(5, 64, generator=g).to(dtype)
    w = torch.randn(64, 8, generator=g).to(dtype)
    assert torch.equal(project(x, w), (x.float() @ w.float()).to(dtype))


def test_autocast_does_not_coarsen_float32():
    x, w = torch.full((1, 3), 1 / 3), torch.full((3, 1), 1 / 3)
    plain = project(x, w)
    with torch.autocast("cpu", torch.bfloat16):
        projected = project(x, w)
    assert projected.dtype == torch.float32 and torch.equal(projected, plain)


def test_gradients_reach_both_arguments():
    x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    w = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(project, (x, w))


@pytest.mark.parametrize(
    ("x", "w", "error", "words"),
    [
        ((5, 8), (3, 8), ValueError, r"w needs shape \[d_model, d_k\] = \[8, d_k\] to project x"),
        ((5, 8), (1, 8, 3), ValueError, r"got \[1, 8, 3\]"),
        ((8,), (8, 3), ValueError, r"x needs shape .* got \[8\]. For a single row write x\[None\]"),
        ((0, 8), (8, 3), ValueError, r"at least one entry along each axis; got \[0, 8\]"),
    ],
)
def test_shapes_that_do_not_fit_are_named(x, w, error, words):
    with pytest.raises(error, match=words):
        project(torch.ones(x), torch.ones(w))


def test_integers_are_refused_with_what_to_write():
    with pytest.raises(TypeError, match=r"x must hold float16.* got int64\. Write x\.float\(\)"):
        project(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2))


def test_a_matrix_with_nan_is_named_with_its_place():
    w = torch.ones(2, 2)
    w[1, 0] = float("nan")
    with pytest.raises(ValueError, match=r"w must hold finite numbers.*nan at index \[1, 0\]"):
        project(torch.ones(2, 2), w)


def test_a_product_too_large_for_its_dtype_is_refused():
    big = torch.full((1, 2), 300.0, dtype=torch.float16)
    with pytest.raises(ValueError, match=r"the projections overflow float16: x and w are finite"):
        project(big, big.T)
