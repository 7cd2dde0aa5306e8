import torch

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
