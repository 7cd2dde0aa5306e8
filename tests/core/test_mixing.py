import torch

from attn_lab import attention
from attn_lab.core.mixing import mix


def test_a_mean_is_a_product_of_weights_and_values():
    weights, v = torch.tensor([[0.25, 0.75]]), torch.tensor([[8.0], [4.0]])
    assert mix(weights, v, 8.0).tolist() == [[5.0]]


def test_a_mean_of_the_largest_numbers_stays_within_their_range():
    top = torch.finfo(torch.float32).max
    weights = torch.full((1, 6), 1 / 6)
    assert (weights @ torch.full((6, 1), top)).isinf().all()  # what it is for
    assert mix(weights, torch.full((6, 1), top), top).item() == top
    assert mix(weights, torch.full((6, 1), -top), top).item() == -top


def test_the_gradient_reaches_values_at_the_edge_of_what_a_float_holds():
    v = torch.full((7, 1), torch.finfo(torch.float32).max, requires_grad=True)
    attention(torch.ones(1, 1), torch.ones(7, 1), v).output.sum().backward()
    torch.testing.assert_close(v.grad.sum(), torch.tensor(1.0))
