import base64
import re

import pytest
import torch

from attn_lab import attention
from attn_lab.course.tensors import one_row
from attn_lab.show import reading_lines
from attn_lab.show.colours import contrast
from attn_lab.show.readings import _LINE, FAINT


def lines(picture):
    """The drawn lines: each its attributes by name."""
    svg = base64.b64decode(re.search(r"base64,([^\"]+)", picture.html)[1]).decode()
    return [
        dict(re.findall(r'([\w-]+)="([^"]*)"', line)) for line in re.findall("<line[^>]*>", svg)
    ]


def test_the_seeds_row_makes_6_70_and_6_60_out_of_river_and_bank():
    q, k, v = one_row()
    output, weights = attention(q, k, v)
    picture = reading_lines(weights, words=["river", "bank"], values=v)
    assert picture.sentence == (
        "“bank” reads “river” with 0.67, “bank” with 0.33; together that makes 6.70, 6.60."
    )
    assert torch.allclose(output[0], torch.tensor([6.70, 6.60], dtype=output.dtype), atol=0.005)
    assert picture.text.endswith("6.70, 6.60")


def test_a_line_is_as_thick_as_its_weight_and_dashed_below_0_05():
    thick, half, faint = lines(reading_lines([0.64, 0.32, 0.04], words="abc"))
    assert float(thick["stroke-width"]) == pytest.approx(2 * float(half["stroke-width"]), abs=0.02)
    assert FAINT == 0.05 and "stroke-dasharray" in faint
    assert "stroke-dasharray" not in half


def test_every_line_ends_at_the_reading_word():
    drawn = lines(reading_lines([0.2, 0.5, 0.3], words="abc", query=2))
    assert len({line["x2"] for line in drawn}) == 1
    assert drawn[1]["x1"] == drawn[1]["x2"]


def test_a_blocked_word_gets_a_dash_and_no_line():
    picture = reading_lines(
        [0.5, 0.5, 0.0], words="abc", query=2, allowed=torch.tensor([True, True, False])
    )
    assert len(lines(picture)) == 2
    assert picture.text.splitlines()[4].split() == ["c", "–"]


def test_a_value_of_an_unread_word_may_be_anything():
    nan = float("nan")
    picture = reading_lines([1.0, 0.0], words="ab", values=[3.0, nan])
    assert "together that makes 3.00" in picture.sentence


def test_words_are_shown_as_they_were_written():
    picture = reading_lines([0.5, 0.5], words=["<b>", "$x$"])
    assert "&lt;b&gt;" in picture.html and "<b>" not in picture.html
    assert not picture.figure().axes[0].texts[1].get_parse_math()


def test_the_lines_can_be_seen_on_a_light_and_on_a_dark_page():
    assert min(contrast(_LINE, "#ffffff"), contrast(_LINE, "#111111")) >= 3


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"query": 3}, "query needs a position from 1 to 2; got 3"),
        ({"query": 0}, "query needs a position from 1 to 2; got 0"),
        ({"values": [1.0]}, "values needs 2 rows, one for each word; got 1"),
        ({"words": ["a"]}, "words needs 2 labels"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_to_write(changed, message):
    with pytest.raises(ValueError, match=message):
        reading_lines([0.5, 0.5], **{"words": ["a", "b"]} | changed)


def test_nan_in_a_weight_that_may_be_read_is_refused():
    with pytest.raises(ValueError, match="weights needs finite numbers"):
        reading_lines([float("nan"), 1.0], words="ab")
