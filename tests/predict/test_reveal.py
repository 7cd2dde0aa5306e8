"""What a reveal shows: HTML and text say the same, both after the same bare title."""

import json
from html.parser import HTMLParser

import pytest

from attn_lab.course.editions import REVEAL_MIME
from attn_lab.course.questions import question
from attn_lab.predict.reveal import TITLE, css_id, result
from attn_lab.record import Attempt

from ..helpers.questions import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

ROW = [1.0, 0.0, 0.0, 0.0]
KINDS = [
    (NUMBERS, [0.25, 0.25, 0.25, 0.25], ROW),
    (CHOICE, "odd", "same"),
    (CELLS, [[0, 0], [1, 1]], [[1, 0], [1, 1]]),
    (SHAPE, [2, 10, 10], [2, 8, 10, 10]),
    (SHAPES, [[3, 3], [5, 4]], [[5, 5], [5, 4]]),
]


def make(question, predicted, computed, because="", **more):
    attempts = [Attempt(question.id, predicted, "certain", because, 1, **more)]
    return result(question, computed, attempts, question.compare(predicted, computed))


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.words = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case[0].kind)
def test_html_and_text_begin_with_the_bare_title_and_hold_no_heading(case):
    for shown in (make(*case), result(case[0], case[2], [], None)):
        assert TITLE == "Your prediction beside the computed value"
        assert shown.html.split("\n")[0] == shown.text.split("\n")[0] == TITLE
        tags = Tags(shown.html)
        assert tags.open == []
        names = {tag for tag, _ in tags.seen}
        assert not names & {"h1", "h2", "h3", "h4", "h5", "h6", "script", "svg", "style"}
        root = next(attrs for tag, attrs in tags.seen if tag == "div")
        assert root["class"] == f"attn-reveal {css_id(case[0])}"
        assert "#" not in {line[:1] for line in shown.text.split("\n")}
        assert shown._repr_mimebundle_() == {
            "text/html": shown.html,
            "text/plain": shown.text,
            REVEAL_MIME: {"id": case[0].id, "computed": case[2]},
        }


def test_what_a_program_reads_is_valid_json_with_the_decimals_that_are_printed():
    computed = [0.66976154, -1e-9, float("nan"), float("-inf")]
    data = result(NUMBERS, computed, [], None).data[REVEAL_MIME]
    assert json.dumps(data, allow_nan=False) == (
        '{"id": "05/first-row", "computed": [0.67, 0.0, "nan", "-inf"]}'
    )


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case[0].kind)
def test_html_and_text_say_the_same(case):
    shown = make(*case, because="a reason")
    words = " ".join(Tags(shown.html).words).split()
    assert sorted(set(words) - {case[0].id}) == sorted(set(shown.text.split()))


def test_numbers_stand_beside_each_other_with_their_difference():
    lines = make(*KINDS[0]).text.split("\n")
    assert lines[2].split() == ["prediction", "computed", "difference"]
    assert lines[3].split() == ["key", "1", "0.250", "1.000", *"≠ too low by 0.750".split()]
    assert lines[4].split() == ["key", "2", "0.250", "0.000", *"≠ too high by 0.250".split()]


def test_close_numbers_get_the_equals_sign_and_their_difference():
    lines = make(NUMBERS, [0.98, 0.02, 0, 0], ROW).text.split("\n")
    assert lines[3].endswith("= too low by 0.020") and lines[5].split()[-1] == "="


def test_only_the_first_sentence_about_a_prediction_is_bold():
    shown = make(CHOICE, "same", "same")
    assert "<p><b>Same as computed.</b></p>" in shown.html
    attempts = [Attempt(CHOICE.id, "same", "guess", "", 1)]
    guess = result(CHOICE, "same", attempts, CHOICE.compare("same", "same")).html
    assert "<p><b>Same as computed, from a guess.</b> Before going on: which step" in guess


def test_counts_are_printed_without_decimals_and_large_numbers_with_two():
    from msgspec.structs import replace

    one = replace(NUMBERS, labels=("factor",), near_misses=())
    assert make(one, [4], [16.0000000000001]).text.split("\n")[3].split() == [
        "factor", "4", "16", *"≠ too low by 12".split(),
    ]  # fmt: skip
    assert "66.98" in make(one, [10.0], [66.976]).text


def test_a_width_keeps_its_own_decimals_and_is_not_held_against_a_divisor():
    width = question("07/width")
    shown = make(width, [512, 22.6], [64.0, 8.0])
    assert shown.text.split("\n")[3].split()[-7:] == "512 64 ≠ too high by 448".split()
    assert shown.text.split("\n")[4].split()[-7:] == "22.60 8.00 ≠ too high by 14.60".split()
    assert "order agrees" not in shown.text and "most at" not in shown.text


def test_a_computed_nan_stays_visible():
    lines = make(NUMBERS, ROW, [float("nan"), 0.0, 0.0, 0.0]).text.split("\n")
    assert lines[3].split() == ["key", "1", "1", "nan", "≠"]


def test_cells_show_both_answers_and_mark_where_they_differ():
    shown = make(*KINDS[2])
    assert shown.text.split("\n")[3].split() == [
        "query",
        "1",
        *"no ≠ yes".split(),
        *"no = no".split(),
    ]
    assert shown.html.count("outline:1px solid") == 1
    assert "In each cell: prediction, then computed." in shown.text


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case[0].kind)
def test_without_a_prediction_only_the_computed_value_and_the_explanation_are_shown(case):
    question, _, computed = case
    shown = result(question, computed, [], None)
    assert "no prediction" in shown.text and question.explanation in shown.text
    assert "=" not in shown.text and "≠" not in shown.text
    for each in question.named:
        assert each.sentence not in shown.text


def test_the_learners_words_stand_there_and_cannot_bring_markup():
    shown = make(CHOICE, "odd", "same", "<img src=x onerror=1> & so")
    assert "Your words (certain): “<img src=x onerror=1> & so”" in shown.text
    assert "<img" not in shown.html and "&lt;img src=x onerror=1&gt; &amp; so" in shown.html
    assert "<b &" not in shown.html and "odd &lt;b &amp; c" in shown.html


def test_words_said_afterwards_stand_beside_the_first_ones():
    shown = make(CHOICE, "odd", "same", "first", afterwards="later")
    assert "“first”" in shown.text and "Your words afterwards: “later”" in shown.text


def test_with_two_rounds_both_are_listed_without_a_comment():
    attempts = [
        Attempt(CHOICE.id, "smaller", "certain", "", 1),
        Attempt(CHOICE.id, "same", "fairly sure", "", 2),
    ]
    text = result(CHOICE, "same", attempts, CHOICE.compare("same", "same")).text
    assert (
        "Round 1: both smaller (certain). Round 2: the `same` (fairly sure). Computed: the `same`."
    ) in text


def test_a_sentence_among_the_options_brings_no_second_full_stop():
    asked = question("04/late-zero")
    attempts = [Attempt(asked.id, key, "guess", "", n) for n, key in enumerate(("no", "yes"), 1)]
    text = result(asked, "yes", attempts, asked.compare("yes", "yes")).text
    yes = "Yes, with the weight of key 1"
    assert f"Round 2: {yes} (guess). Computed: {yes}.\n" in text


def test_without_a_reason_the_confidence_is_still_said():
    assert "Committed as: certain." in make(*KINDS[0]).text
