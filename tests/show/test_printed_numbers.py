import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.show.printed_numbers import number, row, three, two


def test_the_seeds_weights_print_as_in_the_text():
    assert two(0.6697615493266569) == "0.67"
    assert three(0.6697615493266569) == "0.670"


def test_a_tensor_of_no_axes_prints_like_its_number():
    assert three(torch.tensor(0.33023845)) == "0.330"


@pytest.mark.parametrize("tiny", [-0.0, -0.001, -0.0049])
def test_minus_zero_is_printed_as_zero(tiny):
    assert two(tiny) == "0.00"


def test_a_negative_number_keeps_a_real_minus_sign():
    assert two(-0.005001) == "−0.01"


def test_blocked_zero_nan_and_infinite_all_look_different():
    looks = [two(x) for x in (None, 0.0, math.nan, math.inf, -math.inf)]
    assert looks == ["–", "0.00", "nan", "∞", "−∞"]


def test_a_huge_number_is_printed_short():
    assert three(2.6436e18) == "2.644e+18"


def test_a_row_marks_blocked_places():
    weights = torch.tensor([0.670, 0.330, 0.0, 0.0])
    allowed = torch.tensor([True, True, False, False])
    assert row(weights, 3, allowed=allowed) == "0.670 0.330 – –"


def test_a_row_accepts_numpy_and_lists():
    assert row(np.array([6.7, 6.6])) == row([6.7, 6.6]) == "6.70 6.60"


def test_a_row_refuses_a_mask_of_another_length():
    with pytest.raises(ValueError, match=r"one True or False per value, 2; got 3.*allowed\[0\]"):
        row([1, 0], allowed=[True, True, True])


@given(st.floats(-1e6, 1e6), st.integers(0, 4))
def test_what_is_printed_is_within_half_a_step_of_the_number(x, places):
    assert abs(float(number(x, places).replace("−", "-")) - x) <= 0.5 * 10**-places + 1e-9
