"""The memory that weights are written into: zero, its owner's own, and given back in peace."""

import subprocess
import sys

import pytest
import torch

from attn_lab.core.fast import stand_in

CPU = torch.device("cpu")


@pytest.fixture
def every_size_is_large(monkeypatch):
    monkeypatch.setattr(stand_in, "LARGE", 1)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_memory_is_zero_and_belongs_to_its_owner(every_size_is_large, dtype):
    one, other = (stand_in._zeros([2, 3, 5], dtype, CPU) for _ in range(2))
    assert one.shape == (2, 3, 5) and one.dtype == dtype and one.eq(0).all()
    one += 1
    assert one.eq(1).all() and other.eq(0).all()


def test_memory_outlives_the_call_and_can_be_copied_and_reshaped(every_size_is_large):
    made = stand_in._zeros([4, 4], torch.float32, CPU)
    made[1] = 2
    row = made[1]
    del made
    assert row.tolist() == [2] * 4 and row.clone().view(2, 2).sum() == 8


def test_other_systems_and_devices_get_torchs_own(every_size_is_large, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(stand_in.mmap, "MADV_HUGEPAGE", raising=False)
    assert stand_in._zeros([3], torch.float32, CPU).tolist() == [0, 0, 0]
    assert stand_in._zeros([3], torch.float32, torch.device("meta")).device.type == "meta"


def test_more_than_huge_pages_are_asked_for_is_zero_too(every_size_is_large, monkeypatch):
    monkeypatch.setattr(stand_in, "HUGE_PAGES_UP_TO", 1)
    assert stand_in._zeros([3, 5], torch.float32, CPU).eq(0).all()


def test_a_system_without_huge_pages_gives_ordinary_ones(every_size_is_large, monkeypatch):
    monkeypatch.setattr(stand_in.mmap, "MADV_HUGEPAGE", 12345)
    assert stand_in._zeros([3], torch.float32, CPU).tolist() == [0, 0, 0]


def test_a_program_that_still_holds_it_ends_in_peace():
    code = (
        "import torch; from attn_lab.core.fast.stand_in import _zeros;"
        "kept = _zeros([4096, 4096], torch.float32, torch.device('cpu')); kept += 1"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
