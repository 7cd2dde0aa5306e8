import pytest
import torch

from attn_lab.core.threads import one_thread


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_one_thread_computes_and_the_number_is_the_learners_again(two_threads):
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2


def test_the_number_is_restored_after_an_exception(two_threads):
    @one_thread()
    def fails():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert torch.get_num_threads() == 2
