"""A bucket lets a burst through, refills with time, and keeps a bounded number of names."""

from attn_lab.classroom.server.limits import Limits


def test_a_burst_passes_and_the_next_waits_for_its_token():
    now = [0.0]
    limits = Limits(2, 3, clock=lambda: now[0])
    assert [limits.allow("a") for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [limits.allow("a"), limits.allow("a")] == [True, False]
    now[0] = 100
    assert [limits.allow("a") for _ in range(4)] == [True, True, True, False]


def test_one_name_does_not_spend_the_tokens_of_another():
    limits = Limits(1, 1, clock=lambda: 0.0)
    assert limits.allow("a") and limits.allow("b") and not limits.allow("a")


def test_the_names_that_were_quiet_longest_are_forgotten():
    limits = Limits(1, 1, names=2, clock=lambda: 0.0)
    for name in "abc":
        limits.allow(name)
    assert not limits.allow("c")
    assert limits.allow("a")
