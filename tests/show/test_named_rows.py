"""Named rows stand under each other, in the numbers, the text and the figure alike."""

import pytest

from attn_lab.show import side_by_side

ROWS = {"before": [0.670, 0.330], "after": [0.670, 66.976]}


def test_the_text_names_every_row_and_every_number():
    picture = side_by_side(ROWS, columns=["key 1", "key 2"], title="Value 1 made larger")
    assert picture.text.splitlines() == [
        "Value 1 made larger: before and after.",
        "        key 1   key 2",
        "before  0.670   0.330",
        "after   0.670  66.976",
    ]


def test_the_table_has_headers_for_rows_and_columns_and_no_heading():
    html = side_by_side(ROWS, columns=["key 1", "key 2"], title="A < B").html
    assert html.count('scope="col"') == 2 and html.count('scope="row"') == 2
    assert "A &lt; B" in html and "<h" not in html


def test_the_page_does_not_repeat_under_the_table_what_its_headers_say():
    html = side_by_side(ROWS, columns=["key 1", "key 2"], title="Value 1 made larger").html
    assert "<p" not in html and html.count("Value 1 made larger</caption>") == 1


def test_the_sentence_names_the_rows_and_leaves_the_numbers_to_the_table():
    three = side_by_side({"a": [1], "b": [2], "c": [3]}, title="Ways")
    assert three.sentence == "Ways: a, b and c."
    assert side_by_side({"a": [1]}, title="One way").sentence == "One way."


def test_text_entries_stay_as_they_are():
    assert "[5, 9]" in side_by_side({"d": ["[5, 9]"]}, title="Shapes").text


def test_not_a_number_stays_visible():
    assert "nan" in side_by_side({"row 1": [float("nan")]}, title="Row").text


def test_rows_of_unequal_length_are_refused_by_name():
    with pytest.raises(ValueError, match=r"all of one length; got .'a': 1, 'b': 2"):
        side_by_side({"a": [1], "b": [1, 2]}, title="Rows")


def test_no_row_at_all_is_refused():
    with pytest.raises(ValueError, match="one row or more"):
        side_by_side({}, title="Rows")


def test_it_can_be_saved_as_a_figure():
    figure = side_by_side(ROWS, title="Value 1 made larger").figure()
    assert figure.axes[0].get_title() == "Value 1 made larger"
