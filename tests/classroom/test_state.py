"""The room moves only between phases and exercises that exist."""

import pytest

from attn_lab.classroom.state import State, step

KNOWN = {"04/ripple", "05/first-row"}


def test_an_exercise_is_opened_discussed_voted_again_and_shown():
    state = step(State(), "first", "04/ripple", KNOWN)
    for phase in ("discuss", "second", "shown"):
        state = step(state, phase, None, KNOWN)
        assert (state.phase, state.exercise) == (phase, "04/ripple")


def test_the_clock_starts_again_with_each_phase():
    state = State("first", "04/ripple", since=5.0)
    assert step(state, "second", None, KNOWN).since > 5.0


def test_waiting_shows_no_exercise():
    assert step(State("shown", "04/ripple"), "waiting", None, KNOWN).exercise is None


@pytest.mark.parametrize(
    ("to", "exercise"), [("first", None), ("first", "99/x"), ("third", "04/ripple")]
)
def test_what_does_not_exist_is_refused(to, exercise):
    with pytest.raises(ValueError, match=r"expected one of|has no"):
        step(State(), to, exercise, KNOWN)
