import base64

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places
from attn_lab.show.place_drawing import ticks
from attn_lab.show.place_map import places_map, places_of

Q, K, V = places()
ALLOWED = causal_mask(4)
OUTPUT, WEIGHTS = attention(Q, K, V, allowed=ALLOWED)


def drawing(outline, picture):
    """The SVG inside the picture's image."""
    (image,) = outline(picture.html).named("img")
    return base64.b64decode(image["src"].split(",")[1]).decode()


def test_the_seeds_row_meets_between_its_two_places():
    picture = places_map(V[:2], [0.6697615, 0.3302385])
    assert picture.sentence == "The weights meet at (6.70, 6.60)."
    assert picture.text.splitlines()[-1].split() == ["meets", "at", "6.70", "6.60", "1.000"]


def test_each_row_meets_where_attention_puts_its_output():
    for i in range(4):
        picture = places_map(V, WEIGHTS[i], allowed=ALLOWED[i])
        east, north = (f"{x:.2f}" for x in OUTPUT[i])
        assert f"({east}, {north})" in picture.sentence


def test_several_rows_are_named_one_by_one():
    picture = places_map(V, WEIGHTS, allowed=ALLOWED)
    assert "query 1 (10.00, 0.00), query 2 (6.70, 6.60)" in picture.sentence
    assert "query 4 meets at" in picture.text


def test_blocked_places_are_dashed_and_marked(outline):
    open_map = drawing(outline, places_map(V, WEIGHTS[3]))
    blocked = drawing(outline, places_map(V, WEIGHTS[1], allowed=ALLOWED[1]))
    assert blocked.count("stroke-dasharray") == 2 and "place 3 –" in blocked
    assert "stroke-dasharray" not in open_map


def test_the_paper_stays_still_while_the_weights_move():
    sharp, even = (
        places_of(
            V, attention(Q, K, V, temperature=t).weights[3:], None, None, None, ("x", "y"), ""
        )
        for t in (0.05, 100.0)
    )
    assert np.array_equal(np.array(sharp.bounds()), np.array(even.bounds()))


def test_a_row_that_reads_nothing_has_no_meeting_point(outline):
    picture = places_map(V, torch.zeros(4), allowed=[False] * 4)
    assert picture.sentence == "nothing is read, so there is no point.".capitalize()
    assert "meets here" not in drawing(outline, picture)


@pytest.mark.parametrize(
    ("v", "weights", "message"),
    [
        ([[1, 2, 3]], [1.0], r"v needs shape \[T_k, 2\].*got \[1, 3\].*v\[:, :2\]"),
        ([[1, 2]], [0.5, 0.5], r"weights needs 1 columns?, one for each place; got \[1, 2\]"),
    ],
)
def test_what_is_not_a_map_is_refused(v, weights, message):
    with pytest.raises(ValueError, match=message):
        places_map(v, weights)


def test_the_figure_shows_the_same_places():
    ax = places_map(V, WEIGHTS[1], allowed=ALLOWED[1]).figure().axes[0]
    words = [text.get_text() for text in ax.texts]
    assert words == ["place 1 0.67", "place 2 0.33", "place 3 –", "place 4 –", "meets here"]


def test_it_is_fit_for_a_notebook(fit_for_a_notebook):
    assert fit_for_a_notebook(places_map(V, WEIGHTS, allowed=ALLOWED))


@given(st.floats(-1e4, 1e4), st.floats(1e-2, 1e4))
def test_ticks_lie_inside_and_are_few(low, span):
    marks = ticks(low, low + span)
    assert len(marks) <= 9
    assert all(low - span * 1e-9 <= mark <= low + span * (1 + 1e-9) for mark in marks)


@pytest.mark.parametrize("title", [None, "Row 1"])
def test_weights_of_blocked_places_are_not_read(outline, title):
    picture = places_map([[10, 0], [0, 20]], [0.5, 0.5], allowed=[False, False], title=title)
    assert picture.sentence.lower().endswith("nothing is read, so there is no point.")
    assert picture.text.splitlines()[-1].split() == ["meets", "at", "–", "–", "0.000"]
    assert "meets here" not in drawing(outline, picture)
    assert "meets here" not in [text.get_text() for text in picture.figure().axes[0].texts]


def test_nan_in_a_blocked_weight_or_place_reaches_no_sum(outline):
    nan = float("nan")
    picture = places_map([[10, 0], [0, 20]], [nan, 1.0], allowed=[False, True])
    assert picture.text.splitlines()[-1].split() == ["meets", "at", "0.00", "20.00", "1.000"]
    place = places_map([[nan, 0], [0, 20]], [0.0, 1.0], allowed=[False, True])
    assert place.sentence == picture.sentence and "nan" in place.text
    assert "nan" not in drawing(outline, place) and "place 1" not in drawing(outline, place)
    assert place.figure().axes[0].get_xlim()[1] < 10


def test_a_row_among_others_that_reads_nothing_says_so():
    picture = places_map([[10, 0], [0, 20]], [[1, 0], [1, 0]], allowed=[[False] * 2, [True] * 2])
    assert picture.sentence == (
        "Meeting points: query 1 none, for it reads nothing, query 2 (10.00, 0.00)."
    )


@pytest.mark.parametrize(
    ("v", "weights", "message"),
    [
        ([[np.nan, 0], [0, 1]], [0.5, 0.5], "v needs finite numbers.*got nan at place 1"),
        ([[0, 0], [0, np.inf]], [1.0, 0.0], "v needs finite numbers.*got ∞ at place 2"),
        ([[0, 0], [0, 1]], [np.nan, 0.5], "weights needs finite numbers.*got nan at place 1"),
    ],
)
def test_a_place_that_may_be_read_and_its_weight_are_finite(v, weights, message):
    with pytest.raises(ValueError, match=message):
        places_map(v, weights)


def test_a_map_needs_a_place_and_two_names_of_axes():
    with pytest.raises(ValueError, match="a finite place at least"):
        places_map([[np.nan, 0]], [0.0], allowed=[False])
    with pytest.raises(ValueError, match="axes needs two names"):
        places_map([[1, 0]], [1.0], axes=("east",))


def test_one_place_far_away_is_drawn(outline):
    assert "place 1" in drawing(outline, places_map([[1e20, 1e20]], [1.0]))
