"""What the peers' tests share: ONNX's cases, random tensors and how close is close."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from tests.peers.onnx_cases import Case, plain_cases

CASES = plain_cases()
UNBIASED = [case for case in CASES if case.bias is None]
BIASED = [case for case in CASES if case.bias is not None]


@pytest.fixture
def onnx_cases() -> dict[str, Case]:
    """All cases by name."""
    return {case.name: case for case in CASES}


@pytest.fixture(params=UNBIASED, ids=lambda case: case.name)
def unbiased(request: pytest.FixtureRequest) -> Case:
    """Each case whose mask, if any, only opens and closes."""
    return request.param


@pytest.fixture(params=BIASED, ids=lambda case: case.name)
def biased(request: pytest.FixtureRequest) -> Case:
    """Each case whose mask is added to the scores."""
    return request.param


@pytest.fixture
def random() -> Callable[..., Tensor]:
    """A function that gives the next random tensor of a fixed sequence."""
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)

    return draw


@pytest.fixture(params=[(torch.float64, 1e-12), (torch.float32, 1e-5)], ids=["float64", "float32"])
def precision(request: pytest.FixtureRequest) -> tuple[torch.dtype, float]:
    """A dtype, and how far apart two right answers in it may be."""
    return request.param
