import pytest
import torch

from attn_lab.explore import this_machine
from attn_lab.explore.this_machine import WITHOUT_WIDGETS, measured, peak, versions
from tests.helpers.panels import said


def test_the_versions_go_into_a_widget_and_the_text_never_changes():
    bundle = versions()._repr_mimebundle_()
    assert bundle["text/plain"] == WITHOUT_WIDGETS
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert torch.__version__ not in bundle["text/plain"]


def test_the_sentence_names_the_installed_version():
    assert torch.__version__.split("+")[0] in versions().sentence()


def whole(q, k, v):
    return torch.softmax(q @ k.T / 8, -1) @ v


def test_every_way_is_measured_at_every_length_with_the_same_inputs():
    seen = []
    race = measured({"a": lambda *x: seen.append(x), "b": whole}, lengths=[4, 8], repeats=2)
    steps = []
    readings = race.readings(lambda: steps.append(1))
    assert [(each.way, each.length) for each in readings] == [
        ("a", 4),
        ("b", 4),
        ("a", 8),
        ("b", 8),
    ]
    assert len(steps) == 4
    assert [tuple(x.shape) for x in seen[0]] == [(4, 64)] * 3
    assert len(seen) == 2 * (1 + 2)  # once to warm up, twice to measure
    assert all(each.milliseconds >= 0 for each in readings)


def test_the_table_has_a_line_for_time_and_one_for_memory_and_a_factor():
    race = measured({"whole": whole, "other": whole}, lengths=[4, 8])
    readings = [
        this_machine.Reading("whole", 4, 2.0, 1.0),
        this_machine.Reading("whole", 8, 9.0, 0.2),
        this_machine.Reading("other", 4, 2.0, None),
        this_machine.Reading("other", 8, 2.0, None),
    ]
    table = race.table(readings)
    for part in (
        "whole, ms",
        "2.0",
        "9.0",
        "4.5",
        "8 against 4",
        "whole, MB more",
        "under 1",
        "not known",
    ):
        assert part in table


def test_the_peak_of_a_large_tensor_is_seen_and_given_back():
    held = peak(lambda: torch.ones(25_000_000))
    if held is None:
        pytest.skip("this system keeps no high-water mark of memory that could be set back")
    assert 90 < held < 130


def test_memory_that_was_free_already_counts_as_well():
    for _ in range(2):  # the second time from the heap, once the first has been given back
        parts = [torch.ones(5_000_000) for _ in range(8)]
        last = torch.ones(5_000_000)
        del parts  # a gap below `last`, which keeps it from going back to the system
    held = peak(lambda: torch.ones(25_000_000))
    if held is None:
        pytest.skip("this system keeps no high-water mark of memory that could be set back")
    assert 90 < held < 130
    assert len(last)


def test_without_a_high_water_mark_the_call_is_still_made(monkeypatch):
    class NoFile:
        def __init__(self, path):
            pass

        def write_text(self, text):
            raise PermissionError

    monkeypatch.setattr(this_machine, "Path", NoFile)
    called = []
    assert peak(lambda: called.append(1)) is None
    assert called == [1]


def test_its_text_never_changes():
    assert repr(measured({"whole": whole}, lengths=[4])) == WITHOUT_WIDGETS


def test_the_bar_says_how_far_it_is_and_makes_room_for_the_table(monkeypatch):
    seen = []

    def watched(panel):
        seen.append(said(panel, "measured"))
        panel.observe(lambda change: seen.append(said(panel, "measured")), "html")

    monkeypatch.setattr("IPython.display.display", watched)
    measured({"a": whole, "b": whole}, lengths=[4], repeats=1)._ipython_display_()
    assert seen[:3] == ["Measured 0 of 2", "Measured 1 of 2", "Measured 2 of 2"]
    assert "a, ms" in seen[3]


def test_the_ways_are_measured_on_one_thread_and_the_learners_number_stays():
    before, seen = torch.get_num_threads(), []
    try:
        torch.set_num_threads(2)
        race = measured({"a": lambda *_: seen.append(torch.get_num_threads())}, [4], repeats=1)
        race.readings()
        assert (seen, torch.get_num_threads()) == ([1, 1], 2)
    finally:
        torch.set_num_threads(before)
