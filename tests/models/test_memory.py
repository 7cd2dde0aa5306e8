import pytest
import torch

from attn_lab.models.memory import Memory, contents


def counted(calls, found):
    def compute():
        calls.append(1)
        return found

    return compute


def test_what_is_asked_again_is_not_computed_again():
    calls, memory = [], Memory(room=100)
    compute = counted(calls, torch.ones(2))
    assert torch.equal(memory.recall("a", compute), memory.recall("a", compute))
    assert len(calls) == 1


def test_writing_into_a_result_changes_no_later_one():
    memory = Memory(room=100)
    for _ in range(2):
        found = memory.recall("a", lambda: [torch.ones(2)])
        assert found[0].tolist() == [1, 1]
        found[0].zero_()


def test_it_holds_no_more_than_its_room_and_gives_up_what_was_asked_for_longest_ago():
    calls, memory = [], Memory(room=100)
    compute = counted(calls, (torch.ones(10), "words"))  # 40 bytes
    for key in ("a", "b", "a", "c"):
        memory.recall(key, compute)
        assert memory.held <= 100
    assert len(calls) == 3
    memory.recall("a", compute)
    assert len(calls) == 3
    memory.recall("b", compute)
    assert len(calls) == 4


def test_what_is_larger_than_the_room_is_given_and_not_kept():
    memory = Memory(room=10)
    assert memory.recall("a", lambda: torch.ones(10)).sum() == 10
    assert memory.held == 0


def test_a_failure_is_not_remembered():
    memory = Memory(room=10)
    with pytest.raises(ZeroDivisionError):
        memory.recall("a", lambda: 1 / 0)
    assert memory.recall("a", lambda: 1) == 1


def test_contents_are_equal_for_equal_numbers_and_for_no_others():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert contents([x.T.contiguous().T]) == contents([x.clone()])
    others = [x.T, x.double(), x.flatten(), x + 0.5]
    assert len({contents([each]) for each in [x, *others]}) == 5
