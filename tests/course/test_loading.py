"""Malformed course files are refused by file, id and field; nothing misspelt is ignored."""

import textwrap

import pytest

from attn_lab.course.misconceptions import read_misconceptions
from attn_lab.course.questions import read_notebook

ABOUT = """
[notebook]
title = "Mask and temperature"
question = "What can a temperature change?"
minutes = 30
summary = ["One.", "Two."]
"""
COMMON = """
depth = "class"
statements = ["S26"]
minutes = 4
prompt = "Row 1 of the weights? √d_k stays.\\n\\nA second paragraph: score < 0 and T_q<T_k."
explanation = "Only key 1 is legal."
"""
NUMBERS = f"""
[[question]]
id = "05/first-row"
kind = "numbers"
{COMMON}
labels = ["key 1", "key 2"]
tolerance = 0.01
sums_to_one = true
[[question.near_miss]]
name = "zeroed after softmax"
value = [0.266, 0]
sentence = "Zeroing after the softmax gives this."
misconception = "late"
mistake = "mask_after_softmax"
"""
CHOICE = f"""
[[question]]
id = "05/add-five"
kind = "choice"
{COMMON}
discuss = true
ask_next = "What cancels?"
[[question.option]]
key = "unchanged"
text = "they stay"
sentence = "Someone who picks this sees a shift."
[[question.option]]
key = "flatter"
text = "they get flatter"
sentence = "Someone who picks this sees a stretch."
misconception = "late"
"""
CELLS = f"""
[[question]]
id = "05/paint"
kind = "cells"
{COMMON}
rows = ["query 1", "query 2"]
columns = ["key 1", "key 2", "key 3"]
cell = "reads"
[[question.near_miss]]
name = "all"
value = [[1, 1, 1], [1, 1, 1]]
sentence = "Everything is read."
"""
SHAPE = f"""
[[question]]
id = "05/shapes"
kind = "shape"
{COMMON}
labels = ["scores", "output"]
[[question.near_miss]]
name = "features against features"
value = [[3, 3], [5, 4]]
sentence = "The product runs the other way round."
"""
IDEAS = """
[late]
name = "Late"
rule = "zero after the softmax"
holds = "It would hold without a denominator."
check = "What do they add to?"
"""


@pytest.fixture
def read(tmp_path):
    def read(text, name="05.toml"):
        ideas = tmp_path / "misconceptions.toml"
        ideas.write_text(IDEAS, encoding="utf-8")
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return read_notebook(path, read_misconceptions(ideas))

    return read


def test_every_kind_is_read_with_all_its_fields(read):
    book = read(ABOUT + NUMBERS + CHOICE + CELLS + SHAPE)
    numbers, choice, cells, shape = book.questions
    assert (book.number, book.minutes, book.summary) == ("05", 30, ("One.", "Two."))
    assert numbers.labels == ("key 1", "key 2") and numbers.tolerance == 0.01
    assert numbers.sums_to_one and not numbers.relative and not numbers.discuss
    assert numbers.near_misses[0].value == [0.266, 0]
    assert numbers.near_misses[0].misconception == "late"
    assert numbers.near_misses[0].mistake == "mask_after_softmax"
    assert [option.key for option in choice.options] == ["unchanged", "flatter"]
    assert choice.discuss and choice.ask_next == "What cancels?"
    assert cells.rows == ("query 1", "query 2") and cells.cell == "reads"
    assert shape.near_misses[0].value == [[3, 3], [5, 4]]
    assert (numbers.notebook, numbers.variable) == ("05", "first_row")


def test_one_shape_needs_no_label(read):
    text = SHAPE.replace('labels = ["scores", "output"]', "").replace("[[3, 3], [5, 4]]", "[3, 3]")
    shape = read(ABOUT + text).questions[0]
    assert shape.labels == ("shape",) and shape.near_misses[0].value == [3, 3]


BROKEN = [
    # what is changed, into what, and every word that the message must hold
    (NUMBERS, "tolerance = 0.01", "tolerence = 0.01", ["tolerance", "missing. Is 'tolerence'"]),
    (NUMBERS, "tolerance = 0.01", "", ["05.toml", "05/first-row", "tolerance", "missing"]),
    (NUMBERS, "tolerance = 0.01", "tolerance = -1", ["05/first-row", "tolerance", "above 0", "-1"]),
    (NUMBERS, "tolerance = 0.01", "tolerance = true", ["'tolerance'", "above 0", "True"]),
    (NUMBERS, "tolerance = 0.01", "tolerance = nan", ["'tolerance'", "above 0", "nan"]),
    (NUMBERS, "tolerance", "tolerence", ["05/first-row", "tolerance"]),
    (
        NUMBERS,
        "sums_to_one = true",
        "sum_to_one = true",
        ["sum_to_one", "only the fields"],
    ),
    (NUMBERS, "sums_to_one = true", "sums_to_one = 1", ["sums_to_one", "true or false"]),
    (NUMBERS, '["key 1", "key 2"]', '["key 1", "key 1"]', ["labels", "differ"]),
    (NUMBERS, '["key 1", "key 2"]', "[]", ["labels", "list of texts"]),
    (NUMBERS, "[0.266, 0]", "[0.266]", ["near_miss 1", "value", "2 numbers"]),
    (NUMBERS, '"late"', '"later"', ["near_miss 1", "misconception", "misconceptions.toml"]),
    (NUMBERS, '"late"', "3", ["near_miss 1", "misconception", "a text", "3"]),
    (NUMBERS, '"mask_after_softmax"', '"mask after"', ["near_miss 1", "mistake"]),
    (NUMBERS, '"05/first-row"', '"04/first-row"', ["05.toml", "question 1", "id", "04/first-row"]),
    (NUMBERS, '"05/first-row"', '"05/First_row"', ["question 1", "id"]),
    (NUMBERS, '"05/first-row"', '"05/lambda"', ["id", "Python variable"]),
    (NUMBERS, '"numbers"', '"number"', ["kind", "one of choice, numbers, cells, shape"]),
    (NUMBERS, '"class"', '"klass"', ["depth", "one of class, core, extra"]),
    (NUMBERS, '["S26"]', '["S31"]', ["statements", "S1 to S30"]),
    (NUMBERS, "minutes = 4", 'minutes = "4"', ["05/first-row", "minutes", "a number above 0"]),
    (NUMBERS, "minutes = 4", "minutes = inf", ["minutes", "above 0", "inf"]),
    (NUMBERS, "Row 1 of", "Row <b>1</b> of", ["prompt", "no HTML"]),
    (NUMBERS, "Row 1 of", "Row $1$ of", ["prompt", "no LaTeX"]),
    (NUMBERS, "Row 1 of", r"Row \\frac of", ["prompt", "no LaTeX"]),
    (NUMBERS, "Only key 1 is legal.", " ", ["explanation", "a text"]),
    (CHOICE, "discuss = true", "labels = ['a']", ["labels", "only the fields", "option"]),
    (CHOICE, 'key = "flatter"', 'key = "unchanged"', ["option 2", "of its own"]),
    (CHOICE, 'text = "they get flatter"', 'text = "they stay"', ["option 2", "of its own"]),
    (CHOICE, 'sentence = "Someone who picks this sees a shift."', "", ["option 1", "sentence"]),
    (
        CHOICE,
        'sees a shift."',
        'sees a shift."\nmisconception = "late"',
        ["option", "one is right"],
    ),
    (
        CHOICE,
        'sees a shift."',
        'sees a shift."\nright = true',
        ["option 1", "right", "only"],
    ),
    (CELLS, "[1, 1, 1]]", "[1, 1]]", ["near_miss 1", "value", "2 rows of 3 cells"]),
    (CELLS, "[1, 1, 1]]", "[1, 1, 2]]", ["near_miss 1", "value", "0 or 1"]),
    (CELLS, "[1, 1, 1]]", "[1, 1, true]]", ["near_miss 1", "value", "0 or 1"]),
    (CELLS, "[[1, 1, 1], [1, 1, 1]]", '"all"', ["near_miss 1", "value", "a list", "all"]),
    (CELLS, 'cell = "reads"', "cell = 1", ["05/paint", "cell", "a text", "1"]),
    (
        CELLS,
        "[[question.near_miss]]",
        "near_miss = 1\n[[question]]",
        ["near_miss", "[[near_miss]]"],
    ),
    (CELLS, 'rows = ["query 1", "query 2"]', "", ["05/paint", "rows", "missing"]),
    (SHAPE, "[[3, 3], [5, 4]]", "[3, 3]", ["near_miss 1", "value", "2 lists of sizes"]),
    (SHAPE, "[[3, 3], [5, 4]]", "[[3, 3], [5, -4]]", ["near_miss 1", "value"]),
]


@pytest.mark.parametrize("text,old,new,words", BROKEN)
def test_a_malformed_question_names_file_id_and_field(read, text, old, new, words):
    assert old in text, "the case must change something"
    with pytest.raises(ValueError) as refused:
        read(ABOUT + text.replace(old, new))
    assert "05.toml" in str(refused.value)
    for word in words:
        assert word in str(refused.value)


@pytest.mark.parametrize(
    "old,new,words",
    [
        ("minutes = 30", "minuts = 30", ["05.toml, notebook", "minutes"]),
        ('title = "Mask and temperature"', "", ["05.toml, notebook", "title", "missing"]),
        ('["One.", "Two."]', '"One."', ["summary", "a list", "One."]),
        (
            "minutes = 30",
            "minutes = 30\nauthor = 'x'",
            ["notebook", "author", "only the fields"],
        ),
        ("[notebook]", "[notebok]", ["05.toml", "notebook", "missing"]),
        ("[notebook]", "[notebook", ["05.toml", "not valid TOML"]),
    ],
)
def test_a_malformed_notebook_table_is_named(read, old, new, words):
    with pytest.raises(ValueError) as refused:
        read(ABOUT.replace(old, new) + NUMBERS)
    for word in words:
        assert word in str(refused.value)


def test_two_questions_cannot_share_an_id(read):
    with pytest.raises(ValueError, match=r"05\.toml, 05/first-row, field 'id': used twice"):
        read(ABOUT + NUMBERS + NUMBERS)


def test_two_near_misses_cannot_share_a_value(read):
    miss = '[[question.near_miss]]\nname = "other"\nvalue = [0.266, 0]\nsentence = "x"\n'
    with pytest.raises(ValueError, match="near_miss 2, field 'name'"):
        read(ABOUT + NUMBERS + miss)


@pytest.mark.parametrize(
    "text,words",
    [
        (IDEAS.replace('check = "What do they add to?"', ""), ["late", "check", "missing"]),
        (IDEAS + 'source = "a book"', ["late", "source", "only the fields"]),
        (IDEAS.replace("[late]", '["Late idea"]'), ["Late idea", "'id'", "a key"]),
        ("late = 3", ["late", "table of fields"]),
    ],
)
def test_a_malformed_misconception_is_named(tmp_path, text, words):
    path = tmp_path / "misconceptions.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError) as refused:
        read_misconceptions(path)
    for word in ["misconceptions.toml", *words]:
        assert word in str(refused.value)
