import base64

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.core.dot_product import attention
from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places
from attn_lab.show.places import places_map, places_of
from attn_lab.show.places_layout import ticks

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
