import numpy as np
import pytest

from attn_lab.show.bar_charts import bars


def test_one_row_is_described_with_its_largest_and_its_numbers():
    assert bars([0.670, 0.330], title="Query 2").text.splitlines() == [
        "Query 2: key 1 has the largest, 0.67.",
        "        key 1  key 2",
        "weight   0.67   0.33",
    ]


def test_blocked_places_have_a_sign_and_no_bar():
    picture = bars([0.7, 0.3, 0.0], allowed=[True, True, False])
    assert picture.text.splitlines()[-1].split() == ["weight", "0.70", "0.30", "–"]
    ax = picture.figure().axes[0]
    assert [bar.get_height() for bar in ax.patches] == [0.7, 0.3, 0.0]
    assert "–\nblocked" in [text.get_text() for text in ax.texts]


def test_several_rows_differ_by_more_than_colour():
    ax = bars({"τ = 1": [0.7, 0.3], "τ = 4": [0.6, 0.4], "τ = 9": [0.5, 0.5]}).figure().axes[0]
    hatches = {patch.get_hatch() for patch in ax.patches}
    assert len(hatches) == 3
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["τ = 1", "τ = 4", "τ = 9"]


def test_weights_keep_the_scale_0_to_1():
    assert bars([0.1, 0.2]).figure().axes[0].get_ylim()[1] >= 1
    assert bars([0.1, 0.2], quantity="bytes").figure().axes[0].get_ylim()[1] < 1


def test_a_row_with_nothing_to_read_or_nan_is_drawn():
    assert "nothing to show" in bars([0.0], allowed=[False]).sentence
    assert "nan" in bars([np.nan, 1.0]).text


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1, 2], [3, 4]], r"one row of numbers; got shape \[2, 2\].*values\[0\]"),
        ({"a": [1, 2], "b": [1]}, r"rows of one length; got \{'a': 2, 'b': 1\}"),
        ({}, "at least one named row"),
        ({str(i): [1] for i in range(5)}, "at most 4 rows.*got 5.*heatmap"),
    ],
)
def test_wrong_rows_are_refused_with_what_to_do(values, message):
    with pytest.raises(ValueError, match=message):
        bars(values)


def test_it_is_fit_for_a_notebook_and_the_same_at_every_run(outline, fit_for_a_notebook):
    picture = bars([0.670, 0.330])
    assert fit_for_a_notebook(picture)
    assert picture.html == bars([0.670, 0.330]).html
    page = outline(picture.html)
    assert page.named("img")[0]["alt"] == picture.sentence
    assert page.rows == [["", "key 1", "key 2"], ["weight", "0.67", "0.33"]]


def test_numbers_that_are_no_weights_get_their_own_scale():
    low, high = bars([5, 10]).figure().axes[0].get_ylim()
    assert low == 0 and 10 < high < 15
    low, high = bars({"a": [0.5, 0.5], "b": [0.5, 7.0]}).figure().axes[0].get_ylim()
    assert low == 0 and 7 < high < 9
    assert bars([0.5, 9.0], allowed=[True, False]).figure().axes[0].get_ylim() == (0, 1.12)


@pytest.mark.parametrize("values", [[-1, -2], [-1, 2], [-0.5, 0.5]])
def test_negative_numbers_are_drawn_whole_with_a_line_at_zero(values):
    ax = bars(values).figure().axes[0]
    low, high = ax.get_ylim()
    assert low < min(values) and high >= max(0, *values)
    assert [bar.get_height() for bar in ax.patches] == values
    assert any(list(line.get_ydata()) == [0, 0] for line in ax.lines)


@pytest.mark.parametrize(("value", "said"), [(np.inf, "∞"), (-np.inf, "−∞"), (2e300, "2.00e")])
def test_what_no_bar_can_show_is_refused_unless_it_is_blocked(value, said):
    with pytest.raises(ValueError, match=f"values needs finite numbers.*got {said}.* at key 2"):
        bars([1, value])
    assert bars([1, value], allowed=[True, False]).text.endswith("1.00      –")
