import numpy as np
import pytest

from attn_lab.show.curves import curve


def test_a_curve_says_where_it_starts_and_ends_and_lists_its_numbers():
    picture = curve([1, 4], [0.670, 0.544], x_name="temperature", y_name="largest weight")
    assert picture.text.splitlines() == [
        "Largest weight against temperature: from 0.670 at 1 to 0.544 at 4.",
        "temperature  largest weight",
        "1                     0.670",
        "4                     0.544",
    ]


def test_lines_differ_in_dash_and_mark():
    rows = {name: [1.0, 2.0] for name in "abcd"}
    lines = curve([1, 2], rows, x_name="x", y_name="y").figure().axes[0].lines
    assert len({line.get_linestyle() for line in lines}) == 4
    assert len({line.get_marker() for line in lines}) == 4


def test_a_log_axis_prints_plain_numbers():
    figure = curve([0.05, 1, 4], [1, 2, 3], x_name="τ", y_name="y", log_x=True).figure()
    figure.canvas.draw()
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["0.05", "1", "4"]


@pytest.mark.parametrize(
    ("x", "y", "more", "message"),
    [
        ([1, 2], [1], {}, r"one number for each of the 2 in x; got 1"),
        ([0, 1], [1, 2], {"log_x": True}, "x needs numbers above 0 for log_x=True"),
        ([1, 2], [0, 2], {"log_y": True}, "y needs numbers above 0 for log_y=True"),
        ([1], {str(i): [1] for i in range(5)}, {}, "at most 4 lines.*got 5"),
    ],
)
def test_wrong_rows_are_refused_with_what_to_do(x, y, more, message):
    with pytest.raises(ValueError, match=message):
        curve(x, y, x_name="x", y_name="y", **more)


def test_it_is_fit_for_a_notebook_and_the_same_at_every_run(fit_for_a_notebook):
    picture = curve([1, 2], [3, 4], x_name="x", y_name="y")
    assert fit_for_a_notebook(picture)
    assert picture.html == curve([1, 2], [3, 4], x_name="x", y_name="y").html


@pytest.mark.parametrize("log_x", [False, True])
def test_numbers_close_together_are_told_apart_where_six_digits_do_not(log_x):
    picture = curve([1000001, 1000002], [1, 2], x_name="x", y_name="y", log_x=log_x)
    assert picture.sentence == "Y against x: from 1.000 at 1000001 to 2.000 at 1000002."
    assert [line.split()[0] for line in picture.text.splitlines()[2:]] == ["1000001", "1000002"]
    assert "1.000000000000001" in curve([1, 1 + 1e-15], [1, 2], x_name="x", y_name="y").text


def test_numbers_that_six_digits_tell_apart_keep_their_form():
    third, plain = 1 / 3, {"x_name": "x", "y_name": "y"}
    assert "at 0.333333 to 2.000 at 1e+06." in curve([third, 1e6], [1, 2], **plain).sentence
    assert "from 1.000 at 1 to 2.000 at 1." in curve([1, 1], [1, 2], **plain).sentence


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, np.inf], [1, 2], "x needs finite numbers.*got ∞ at number 2"),
        ([np.nan, 1], [1, 2], "x needs finite numbers.*got nan at number 1"),
        ([1, 2], [np.inf, 2], "y needs finite numbers.*got ∞ at number 1"),
        ([1, 2], [2, 2e300], "y needs finite numbers"),
    ],
)
def test_what_has_no_place_on_paper_is_refused(x, y, message, log):
    with pytest.raises(ValueError, match=message):
        curve(x, y, x_name="x", y_name="y", log_x=log, log_y=log)


def test_nan_is_a_gap_that_the_numbers_name():
    picture = curve([1, 2, 3], [1, np.nan, 3], x_name="x", y_name="y", log_y=True)
    assert "nan" in picture.text and picture.figure().axes
