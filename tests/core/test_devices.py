import pytest
import torch

from attn_lab import device


def test_the_device_is_the_cpu_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv("ATTN_LAB_DEVICE", raising=False)
    assert device() == torch.device("cpu")


@pytest.mark.parametrize("value", ["", "cpu", " cpu "])
def test_an_empty_setting_means_the_cpu(monkeypatch, value):
    monkeypatch.setenv("ATTN_LAB_DEVICE", value)
    assert device() == torch.device("cpu")


def test_cuda_is_taken_where_torch_sees_a_gpu(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_DEVICE", "cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device() == torch.device("cuda")


def test_cuda_without_a_gpu_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_DEVICE", "cuda")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match=r"'cuda', but torch .* sees no GPU\. Unset it"):
        device()


def test_an_unknown_device_is_refused_by_name(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_DEVICE", "tpu")
    with pytest.raises(ValueError, match=r"ATTN_LAB_DEVICE must be cpu or cuda; got 'tpu'"):
        device()


@pytest.mark.parametrize("wanted", ["cpu:x", "cpu:", "cuda:first"])
def test_a_device_that_torch_cannot_read_is_refused_with_the_variable(monkeypatch, wanted):
    monkeypatch.setenv("ATTN_LAB_DEVICE", wanted)
    with pytest.raises(ValueError, match=r"ATTN_LAB_DEVICE"):
        device()
