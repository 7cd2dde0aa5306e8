"""What a reveal shows: HTML and text say the same, both after the same bare title."""

import json
import re
from html.parser import HTMLParser

import pytest
import torch

from attn_lab.course.editions import REVEAL_MIME
from attn_lab.course.questions import question
from attn_lab.predict.card import REASON, TITLE, card, css_id
from attn_lab.predict.comparisons import COMPUTED, YOURS
from attn_lab.record import Attempt
from attn_lab.show import heatmap

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
    return card(question, computed, attempts, question.compare(predicted, computed))


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
    for shown in (make(*case), card(case[0], case[2], [], None)):
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
    data = card(NUMBERS, computed, [], None).data[REVEAL_MIME]
    assert json.dumps(data, allow_nan=False) == (
        '{"id": "05/first-row", "computed": [0.67, 0.0, "nan", "-inf"]}'
    )


def rows(shown):
    """The lines of the table in the text."""
    text = shown.text.split("\n\n")[2]
    return [line.split() for line in text.split("\n")]


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case[0].kind)
def test_what_is_said_in_the_text_is_said_in_html_too(case):
    shown = make(*case, because="a reason")
    words = set(" ".join(Tags(shown.html).words).replace(":", "").split())
    parts = shown.text.split("\n\n")
    spoken = " ".join([parts[1], *parts[3:]]).replace(":", "").split()
    assert set(spoken) - {"·"} <= words


def test_numbers_stand_beside_each_other_with_their_difference():
    head, first, second, *_ = rows(make(*KINDS[0]))
    assert head == ["prediction", "computed", "difference"]
    assert first == ["key", "1", "0.250", "1.000", *"≠ too low by 0.750".split()]
    assert second == ["key", "2", "0.250", "0.000", *"≠ too high by 0.250".split()]
    html = make(*KINDS[0]).html
    for part in ("0.250", "1.000", "too low by 0.750", "your answer", "computed"):
        assert part in html


def test_bars_are_as_long_as_their_numbers():
    html = make(*KINDS[0]).html
    widths = [int(each) for each in re.findall(r"width:(\d+)px;min-width:2px", html)]
    assert widths[:2] == [22, 90] and widths[2:4] == [22, 0]


def test_close_numbers_get_the_equals_sign_and_their_difference():
    lines = rows(make(NUMBERS, [0.98, 0.02, 0, 0], ROW))
    assert lines[1][-5:] == "= too low by 0.020".split() and lines[3][-1] == "="


def test_the_list_of_options_carries_both_marks():
    lines = re.findall(r"<li.*?</li>", make(CHOICE, "odd", "same").html)
    assert [YOURS in each for each in lines] == [False, False, True]
    assert [COMPUTED in each for each in lines] == [False, True, False]
    lines = re.findall(r"<li.*?</li>", make(CHOICE, "same", "same").html)
    assert [YOURS in each and COMPUTED in each for each in lines] == [False, True, False]


def test_cells_show_where_both_meet_and_where_they_do_not():
    html = make(CELLS, [[0, 0], [1, 1]], [[1, 0], [1, 1]]).html
    spoken = re.findall(r'<td aria-label="([^"]*)"[^>]*>(.?)</td>', html)
    assert spoken == [
        ("computed, not marked by you", "✗"),
        ("not computed, not marked by you", ""),
        ("computed, marked by you", "✓"),
        ("computed, marked by you", "✓"),
    ]


def test_counts_are_printed_without_decimals_and_large_numbers_with_two():
    from msgspec.structs import replace

    one = replace(NUMBERS, labels=("factor",), near_misses=())
    assert rows(make(one, [4], [16.0000000000001]))[1] == [
        "factor", "4", "16", *"≠ too low by 12".split(),
    ]  # fmt: skip
    assert "66.98" in make(one, [10.0], [66.976]).text


def test_a_width_keeps_its_own_decimals_and_is_not_held_against_a_divisor():
    width = question("07/width")
    shown = make(width, [512, 22.6], [64.0, 8.0])
    assert rows(shown)[1][-7:] == "512 64 ≠ too high by 448".split()
    assert rows(shown)[2][-7:] == "22.60 8.00 ≠ too high by 14.60".split()
    assert "pattern" not in shown.text and "most at" not in shown.text


def test_at_most_three_sentences_of_the_explanation_are_in_view_and_the_rest_is_folded():
    shown = make(question("05/third-row"), [0.25] * 4, [0.284, 0.576, 0.14, 0])
    view, _, folded = shown.html.partition("<details")
    assert "key 2 above key 1 above key 3" in view and "halving rule" not in view
    assert "halving rule" in folded


def test_what_came_out_as_predicted_is_short_and_asks_for_the_reason():
    asked = question("05/first-row")
    shown = make(asked, ROW, ROW)
    view = shown.html.partition("<details")[0]
    assert REASON + asked.ask_next in view
    assert "A part divided by itself" not in view and "A part divided by itself" in shown.html


def test_the_first_picture_stands_on_the_card_and_a_further_one_is_folded():
    maps = [heatmap(torch.eye(2), title=name) for name in ("one map", "another map")]
    attempts = [Attempt(CELLS.id, [[1, 0], [0, 1]], "guess", "", 1)]
    verdict = CELLS.compare([[1, 0], [0, 1]], [[1, 0], [0, 1]])
    shown = card(CELLS, [[1, 0], [0, 1]], attempts, verdict, maps)
    view, _, folded = shown.html.partition("<details")
    assert "one map" in view and "another map" not in view and "another map" in folded
    assert all(each.text in shown.text for each in maps)


def test_a_computed_nan_stays_visible():
    assert rows(make(NUMBERS, ROW, [float("nan"), 0.0, 0.0, 0.0]))[1] == "key 1 1 nan ≠".split()


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case[0].kind)
def test_without_a_prediction_only_the_computed_value_and_the_explanation_are_shown(case):
    question, _, computed = case
    shown = card(question, computed, [], None)
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
    text = card(CHOICE, "same", attempts, CHOICE.compare("same", "same")).text
    assert (
        "Round 1: both smaller (certain). Round 2: the `same` (fairly sure). Computed: the `same`."
    ) in text


def test_a_sentence_among_the_options_brings_no_second_full_stop():
    asked = question("04/late-zero")
    attempts = [Attempt(asked.id, key, "guess", "", n) for n, key in enumerate(("no", "yes"), 1)]
    text = card(asked, "yes", attempts, asked.compare("yes", "yes")).text
    yes = "Yes, with the weight of key 1"
    assert f"Round 2: {yes} (guess). Computed: {yes}." in text
