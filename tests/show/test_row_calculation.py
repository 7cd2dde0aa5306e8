import pytest
import torch

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import one_row, places
from attn_lab.show.row_calculation import row_steps


def cells(picture, line):
    """The numbers of one line of the text table, its name taken off."""
    name, rest = line, next(x for x in picture.text.splitlines() if x.startswith(line))
    return rest[len(name) :].split()


def test_the_seeds_row_is_laid_out_number_by_number():
    picture = row_steps(*one_row())
    assert picture.sentence == "Query 1 (index 0): weights 0.670 0.330, output 6.698 6.605."
    assert cells(picture, "key 1") == "1.000 0.707 2.028 0.670 10, 0 6.698, 0.000".split()
    assert cells(picture, "key 2") == "0.000 0.000 1.000 0.330 0, 20 0.000, 6.605".split()
    assert cells(picture, "sum") == "3.028 1.000 6.698, 6.605".split()


def test_the_score_is_headed_by_the_division_that_makes_it_and_a_passed_factor_by_itself():
    q = [[1, 0, 0, 0]]
    assert "dot  ÷ 1.414 = score" in row_steps(*one_row()).text.splitlines()[1]
    assert "÷ 2 = score" in row_steps(q, q, q).text
    given = row_steps(*one_row(), scale=0.5)
    assert "× 0.500 = score" in given.text and "÷" not in given.text
    assert cells(given, "key 1")[:2] == ["1.000", "0.500"]


def test_the_mask_has_a_column_where_one_was_passed_and_none_elsewhere():
    q, k, v = places()
    all_of_them = torch.ones(4, 4, dtype=torch.bool)
    for picture, there in (
        (row_steps(q, k, v), False),
        (row_steps(q, k, v, allowed=all_of_them), True),
    ):
        assert ("allowed" in picture.text) == ("allowed" in picture.html) == there
        (table,) = picture.figure().axes[0].tables
        heads = [table[0, column].get_text().get_text() for column in range(3, 5)]
        assert ("allowed" in heads) == there
        assert cells(picture, "sum")[1] == "1.000"


def test_a_blocked_key_keeps_its_dot_product_and_has_no_weight(outline):
    picture = row_steps(*places(), row=2, allowed=causal_mask(4))
    assert cells(picture, "key 4") == "2.000 1.414 no, −∞ – – 30, 50 –".split()
    page = outline(picture.html)
    assert "dashed" in page.styles[4][5] and "dashed" not in page.styles[3][5]


@pytest.mark.parametrize("temperature", [0.05, 0.25, 1.0, 4.0])
@pytest.mark.parametrize("row", [0, 1, 2, 3])
def test_weights_and_output_are_those_of_attention(row, temperature):
    q, k, v = places()
    allowed = causal_mask(4)
    output, weights = attention(q, k, v, allowed=allowed, temperature=temperature)
    picture = row_steps(q, k, v, row=row, allowed=allowed, temperature=temperature)
    shown = [f"{w:.3f}" if a else "–" for w, a in zip(weights[row], allowed[row], strict=True)]
    said = " ".join(f"{x:.3f}" for x in output[row])
    assert picture.sentence.endswith(f"weights {' '.join(shown)}, output {said}.")


def test_the_exponentials_divided_by_their_sum_are_the_weights():
    picture = row_steps(*places(), row=3, temperature=4.0, shift=True)
    total = float(cells(picture, "sum")[0])
    for key in ("key 1", "key 2", "key 3", "key 4"):
        exp, weight = (float(x) for x in cells(picture, key)[3:5])
        assert exp / total == pytest.approx(weight, abs=1e-3)


def test_a_temperature_adds_its_column_and_none_does_not():
    assert "÷ τ = 4" in row_steps(*places(), temperature=4).text
    assert "τ" not in row_steps(*places()).text


def test_exponentials_that_would_not_fit_are_shown_after_subtracting_the_largest():
    small, large = (row_steps(*places(), row=1, temperature=t) for t in (1.0, 0.05))
    assert "exp(s − max)" in large.text and "exp(s − max)" not in small.text
    assert cells(large, "key 4")[3] == "1.000"


def test_a_row_that_may_read_nothing_says_so_instead_of_numbers():
    allowed = torch.zeros(4, 4, dtype=torch.bool)
    picture = row_steps(*places(), row=1, allowed=allowed)
    assert picture.sentence == (
        "Query 2 (index 1) may read no key: its sum is 0, and 0 ÷ 0 is not defined."
    )
    assert cells(picture, "sum") == ["0.000", "0.000", "–"]


def test_a_long_value_is_cut_and_long_rows_are_said_in_part():
    wide = row_steps([[1.0]], [[1.0]] * 12, [[1, 2, 3, 4, 5, 6]] * 12)
    assert "1, 2, 3, 4, …" in wide.text
    assert wide.sentence.count("0.083") == 8 and " …, output" in wide.sentence


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"row": 4}, r"row needs an index from 0 to 3.*got 4. Query 1 is row 0"),
        ({"row": -1}, "got -1"),
        ({"row": None}, "row needs an index from 0 to 3.*got None"),
        ({"row": "0"}, "got '0'"),
        ({"row": 1.0}, r"got 1\.0"),
        ({"row": True}, "got True"),
        ({"allowed": [[True]]}, r"allowed needs shape \[4, 4\]"),
        ({"temperature": 0.0}, "temperature"),
        ({"keys": ["a"]}, "keys needs 4 labels"),
    ],
)
def test_wrong_arguments_say_what_was_expected(arguments, message):
    with pytest.raises(ValueError, match=message):
        row_steps(*places(), **arguments)


def test_heads_are_refused_with_how_to_choose_one():
    with pytest.raises(ValueError, match=r"q needs two axes.*got shape \[1, 4, 2\].*q\[0\]"):
        row_steps(places().q[None], places().k, places().v)


def test_it_is_fit_for_a_notebook_and_has_a_figure(fit_for_a_notebook):
    picture = row_steps(*places(), row=1, allowed=causal_mask(4))
    assert fit_for_a_notebook(picture)
    (table,) = picture.figure().axes[0].tables
    assert table[2, 5].get_text().get_text() == "0.330"
