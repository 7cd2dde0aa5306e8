import numpy as np
import pytest
import torch

from attn_lab.show.heatmaps import heatmap

SEED = [[0.6697615493266569, 0.3302384506733431]]


def test_the_seeds_row_prints_67_and_33_and_sums_to_one(outline):
    picture = heatmap(SEED)
    assert outline(picture.html).rows == [
        ["query ↓ key →", "key 1", "key 2", "row sum"],
        ["query 1", "0.67", "0.33", "1.00"],
    ]


def test_the_text_is_the_sentence_and_the_aligned_numbers(causal):
    weights, allowed = causal
    assert heatmap(weights, allowed=allowed).text.splitlines() == [
        "Weights: 4 queries (rows) by 4 keys (columns), 6 cells blocked. Every row sums to 1.00.",
        "query ↓ key →  key 1  key 2  key 3  key 4  row sum",
        "query 1         1.00      –      –      –     1.00",
        "query 2         0.50   0.50      –      –     1.00",
        "query 3         0.33   0.33   0.33      –     1.00",
        "query 4         0.25   0.25   0.25   0.25     1.00",
    ]


def test_tensors_numpy_and_lists_give_the_same_picture(causal):
    weights, allowed = causal
    one = heatmap(weights, allowed=allowed)
    two = heatmap(torch.tensor(weights, requires_grad=True), allowed=torch.tensor(allowed))
    three = heatmap(weights.tolist(), allowed=allowed.tolist())
    assert one.html == two.html == three.html


def test_zero_blocked_nan_and_leak_have_four_different_looks(outline):
    nan = float("nan")
    weights = [[1.0, 0.0, 0.0], [nan, nan, nan], [0.9, 0.0, 0.1]]
    allowed = [[True, True, False], [True, True, True], [True, True, False]]
    page = outline(heatmap(weights, allowed=allowed).html)
    zero, blocked = page.styles[1][2], page.styles[1][3]
    not_a_number, leak = page.styles[2][1], page.styles[3][3]
    assert len({zero, blocked, not_a_number, leak}) == 4
    assert [page.rows[1][2], page.rows[1][3], page.rows[2][1], page.rows[3][3]] == [
        "0.00",
        "–",
        "nan",
        "0.10!",
    ]
    assert "dashed" in blocked and "gradient" in blocked and "background:" not in blocked


def test_a_blocked_cell_that_holds_weight_is_said(causal):
    picture = heatmap([[0.9, 0.1], [0.5, 0.5]], allowed=[[True, False], [True, True]])
    assert "1 blocked cell still holds weight (marked !), the first at query 1, key 2." in (
        picture.sentence
    )


def test_every_cell_has_its_row_and_its_column_header(causal, outline):
    page = outline(heatmap(causal[0]).html)
    scopes = [attrs["scope"] for attrs in page.named("th")]
    assert scopes.count("col") == 5 and scopes.count("row") == 4
    assert len(page.named("caption")) == 1


def test_a_wide_table_can_be_scrolled_by_keyboard(causal, outline):
    block = next(a for a in outline(heatmap(causal[0]).html).named("div") if "tabindex" in a)
    assert block["tabindex"] == "0" and block["aria-label"] == "Weights"
    assert "overflow:auto" in block["style"]


def test_own_labels_and_unequal_sides_are_kept(outline):
    picture = heatmap([[0.5, 0.25, 0.25]], queries=["bank"], keys=["the", "river", "<b>"])
    rows = outline(picture.html).rows
    assert rows[0][1:4] == ["the", "river", "<b>"] and rows[1][0] == "bank"
    assert "1 query (row) by 3 keys (columns)" in picture.sentence


def test_weights_keep_the_scale_0_to_1_and_a_matrix_has_its_own(outline):
    small = outline(heatmap([[0.25] * 4]).html)
    assert "0.25" in small.words and "1.00" in small.words
    matrix = heatmap([[-2.0, 0.0], [1.0, 3.0]], kind="matrix", title="Scores")
    assert (
        matrix.sentence
        == "Scores: 2 queries (rows) by 2 keys (columns). Values from −2.00 to 3.00."
    )
    assert "row sum" not in matrix.html


def test_a_matrix_may_show_its_row_sums():
    picture = heatmap([[0.266, 0.5]], kind="matrix", allowed=[[True, False]], sums=True)
    assert picture.text.splitlines()[-1].split() == ["query", "1", "0.27", "–", "0.27"]


def test_a_matrix_of_positions_and_features_is_named_so():
    picture = heatmap([[0.0, -1.0]], kind="matrix", title="Q", axes=("position", "feature"))
    assert picture.text.splitlines()[1].split() == (
        ["position", "↓", "feature", "→", "feature", "1", "feature", "2"]
    )


def test_minus_infinity_is_shown_and_does_not_stretch_the_scale():
    picture = heatmap([[1.0, -np.inf], [2.0, 3.0]], kind="matrix", title="Scores")
    assert "−∞" in picture.html and "Values from 1.00 to 3.00." in picture.sentence


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[0.5, 0.4]], r"rows that sum to 1 .*got row 1 with sum 0.9.*axis.*kind=\"matrix\""),
        ([[1.0, 0.0], [2.0, 3.0]], r"got row 2 with sum 5\."),
        ([[1.5, -0.5]], r"values from 0 to 1; got −0.50 in row 1, column 2.*kind=\"matrix\""),
    ],
)
def test_what_cannot_be_weights_is_refused_with_what_to_do(weights, message):
    with pytest.raises(ValueError, match=message):
        heatmap(weights)


def test_rows_of_zero_and_of_nan_are_drawn_and_said():
    picture = heatmap([[0.0, 0.0], [float("nan")] * 2, [0.5, 0.5]])
    assert "1 row sums to 1.00. Nothing is read in query 1" in picture.sentence
    assert "2 cells are not a number." in picture.sentence


def test_float16_rows_may_be_rounded():
    heatmap(torch.full((1, 3), 1 / 3).to(torch.float16))
    heatmap(torch.tensor([[0.334, 0.334, 0.336]]).to(torch.bfloat16))


@pytest.mark.parametrize(
    ("shape", "advice"), [((2, 4, 4), r"x\[0\]"), ((1, 2, 4, 4), r"x\[0, 0\]")]
)
def test_heads_and_batches_are_refused_and_the_error_says_how_to_choose_one(shape, advice):
    with pytest.raises(ValueError, match=rf"got shape \[.*Choose one head.*{advice}"):
        heatmap(torch.full(shape, 0.25))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "heat"}, 'kind needs "weights" or "matrix"; got \'heat\''),
        ({"allowed": [[True]]}, r"needs shape \[1, 2\], like what is drawn; got \[1, 1\]"),
        ({"keys": ["a"]}, r"keys needs 2 labels, one for each key; got 1: \['a'\]"),
    ],
)
def test_wrong_arguments_say_expected_got_and_what_to_do(arguments, message):
    with pytest.raises(ValueError, match=message):
        heatmap(SEED, **arguments)


@pytest.mark.parametrize("mask", [[[1, 0]], torch.tensor([[0.0, -torch.inf]])])
def test_a_mask_of_numbers_is_the_same_error_as_in_attention(mask):
    with pytest.raises(TypeError, match=r"True .* and False .*; got .*from_additive\(allowed\)"):
        heatmap(SEED, allowed=mask)


@pytest.mark.parametrize("empty", [[], [[]], torch.empty(0, 4)])
def test_an_empty_map_is_refused(empty):
    with pytest.raises(ValueError, match="at least one number"):
        heatmap(empty)


def test_words_instead_of_numbers_are_refused():
    with pytest.raises(ValueError, match="x needs numbers"):
        heatmap([["a", "b"]])


def test_sixteen_is_a_table_and_seventeen_is_a_described_image(outline, fit_for_a_notebook):
    small, large = (heatmap(np.full((n, n), 1 / n)) for n in (16, 17))
    assert fit_for_a_notebook(small) and fit_for_a_notebook(large)
    assert not outline(small.html).named("img")
    (image,) = outline(large.html).named("img")
    assert image["alt"] == large.sentence
    assert image["src"].startswith("data:image/svg+xml;base64,")
    assert "0.06" in large.text and "query 17" in outline(large.html).words[-1]


def test_a_large_map_has_the_same_bytes_at_every_run():
    weights = np.full((20, 20), 1 / 20)
    assert heatmap(weights).html == heatmap(weights).html


def test_hundreds_of_columns_are_told_row_by_row():
    allowed = np.tril(np.ones((40, 40), dtype=bool))
    lines = heatmap(allowed / allowed.sum(1, keepdims=True), allowed=allowed).text.splitlines()
    assert lines[1].split() == ["query", "largest", "at", "allowed", "row", "sum"]
    assert lines[3].split() == ["query", "2", "0.50", "key", "1", "2", "1.00"]
    assert len(lines) == 42


def test_the_figure_carries_the_same_numbers(causal):
    figure = heatmap(causal[0], allowed=causal[1]).figure()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts.count("–") == 6 and texts.count("0.33") == 3 and texts.count("1.00") == 5
    assert figure.axes[0].get_ylabel() == "query (row)"
    hatched = [patch for patch in figure.axes[0].patches if patch.get_hatch()]
    assert len(hatched) == 6


def test_a_picture_keeps_its_numbers_when_the_tensor_is_changed_afterwards():
    weights = torch.tensor([[0.25, 0.75]], dtype=torch.float64)
    picture = heatmap(weights)
    weights[0] = torch.tensor([1.0, 0.0])
    assert "0.75" in [text.get_text() for text in picture.figure().axes[0].texts]


def test_a_large_figure_tells_blocked_and_nan_from_every_weight():
    allowed = np.tril(np.ones((20, 20), dtype=bool))
    weights = allowed / allowed.sum(1, keepdims=True)
    weights[4] = np.nan
    figure = heatmap(weights, allowed=allowed).figure()
    pixels = figure.axes[0].images[0].get_array()
    legal = {tuple(p) for p in pixels[allowed & ~np.isnan(weights)].round(3).tolist()}
    blocked = {tuple(p) for p in pixels[~allowed & ~np.isnan(weights)].round(3).tolist()}
    nan = {tuple(p) for p in pixels[np.isnan(weights)].round(3).tolist()}
    assert len(blocked) == 2 and nan == {(0.702, 0.149, 0.118)}  # the alarm's red
    assert not legal & (blocked | nan) and not blocked & nan


@pytest.mark.parametrize(
    "x", [np.array([[1 + 2j]]), torch.tensor([[1 + 2j]]), [[1 + 2j]], [[np.complex64(2j)]]]
)
def test_complex_numbers_are_refused_and_not_halved(x):
    with pytest.raises(ValueError, match=r"x needs numbers.*complex numbers"):
        heatmap(x, kind="matrix")


def test_infinities_are_counted_in_the_sentence():
    picture = heatmap([[np.inf, -np.inf, np.inf], [np.nan, 1, 2]], kind="matrix", sums=True)
    assert picture.sentence.endswith(
        "Values from 1.00 to 2.00. 2 cells are ∞. 1 cell is −∞. 1 cell is not a number."
    )
    only = heatmap([[np.inf, 0.0]], kind="matrix", allowed=[[True, False]])
    assert only.sentence.endswith("1 cell blocked. No value is a finite number. 1 cell is ∞.")
    assert only.figure().axes


def test_numbers_near_the_largest_float_have_both_ends_of_the_colours(outline):
    picture = heatmap([[1.5e308, -1.5e308, 0.0]], kind="matrix", sums=True)
    cells = [style for style in outline(picture.html).styles[1][1:4]]
    ends = [style for style in outline(heatmap([[1.0, -1.0, 0.0]], kind="matrix").html).styles[1]]
    assert cells == ends[1:4]
    figure = picture.figure()
    figure.canvas.draw()
    assert "0.00" in [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert heatmap(np.full((1, 2), 1.5e308), kind="matrix", sums=True).text.endswith("∞")
    assert heatmap([[5e-324, 0.0]], kind="matrix").sentence.endswith("from 0.00 to 0.00.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"keys": 5}, r"keys needs a list of 2 labels, one for each key; got 5"),
        ({"queries": 1.0}, "queries needs a list of 1 labels"),
        ({"axes": ("a",)}, r"axes needs two names.*got \('a',\)"),
        ({"axes": "qk"}, "axes needs two names.*got 'qk'"),
    ],
)
def test_labels_and_axes_that_are_no_lists_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        heatmap(SEED, **arguments)


def test_numbers_too_large_for_any_float_are_refused():
    with pytest.raises(ValueError, match=r"x needs numbers.*too large"):
        heatmap([[10**400]], kind="matrix")
