import math

import pytest
import torch

from attn_lab.core.values import extremes, largest, read, refuse_non_finite


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_largest_value_is_the_largest_in_size(dtype):
    assert largest(*read(*extremes(torch.tensor([1, -3, 2], dtype=dtype)))) == 3.0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 7, 99])
def test_one_bad_number_anywhere_makes_it_not_finite(bad, place):
    x = torch.ones(100)
    x[place] = bad
    assert not math.isfinite(largest(*read(*extremes(x))))


def test_readings_of_unlike_dtypes_are_read_together():
    flag, number = torch.tensor(True), torch.tensor(1e300, dtype=torch.float64)
    assert read(flag, number, torch.tensor([[1], [2]])) == [True, 1e300, [[1], [2]]]


def test_readings_from_a_gpu_come_together_and_keep_shape_and_kind(monkeypatch):
    # the way that a GPU's readings go, walked here with tensors of the CPU
    monkeypatch.setattr(torch.Tensor, "is_cpu", False)
    flag, number = torch.tensor(True), torch.tensor(1e300, dtype=torch.float64)
    given = read(flag, number, torch.tensor([[1], [2]]))
    assert given == [True, 1e300, [[1], [2]]] and isinstance(given[2][0][0], int)


def test_the_first_bad_argument_is_counted_and_located():
    x = torch.tensor([[1.0, math.inf], [math.nan, 2.0]])
    with pytest.raises(ValueError, match=r"k must .*got 2 that .*first is inf at index \[0, 1\]"):
        refuse_non_finite(q=(torch.ones(1), 1.0), k=(x, math.nan))
