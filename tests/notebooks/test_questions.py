"""Each notebook asks exactly the questions that the course has for it, and compares each."""

import re

import pytest

from attn_lab.course.editions import Notebook, text_of
from attn_lab.course.questions import notebook as notebook_data
from tests.helpers.notebook_files import REVEAL, with_code

ASK = re.compile(r'(\w+) = ask\("(\d\d)/([a-z0-9-]+)"\)')


def source_of(nb: Notebook, kind: str) -> str:
    """The sources of all cells of one kind, one after the other."""
    cells = [cell for cell in nb["cells"] if cell["cell_type"] == kind]
    return "\n".join(text_of(cell["source"]) for cell in cells)


def there_is_one_title_the_one_of_the_data(nb: Notebook) -> list[str]:
    titles = re.findall(r"^# (.*)$", source_of(nb, "markdown"), re.MULTILINE)
    return [] if titles == [notebook_data(number(nb)).title] else titles or ["no title"]


def number(nb: Notebook) -> str:
    """The notebook's number, as its questions give it."""
    return ASK.search(source_of(nb, "code"))[2]


def every_question_is_asked_once_under_its_own_name(nb: Notebook) -> list[str]:
    asked = [*ASK.finditer(source_of(nb, "code"))]
    wrong = [match[0] for match in asked if match[1] != match[3].replace("-", "_")]
    calls = re.findall(r"\bask\(", source_of(nb, "code"))
    wrong += ["ask() in another form"] if len(calls) != len(asked) else []
    expected = [question.id for question in notebook_data(number(nb)).questions]
    got = [f"{match[2]}/{match[3]}" for match in asked]
    return wrong + ([] if got == expected else [f"asked {got}, expected {expected}"])


def every_prediction_is_compared_after_it_is_asked(nb: Notebook) -> list[str]:
    code = source_of(nb, "code")
    places = {match[1]: match.end() for match in ASK.finditer(code)}
    return [name for name, end in places.items() if name not in REVEAL.findall(code[end:])]


def a_stop_line_leads_to_the_summary(nb: Notebook) -> list[str]:
    text = source_of(nb, "markdown")
    stop = text.partition("**You may stop here.**\n")[2]
    if not stop:
        return []
    link = re.match(r"\[The summary\]\(#(.*?)\) is at the end", stop)
    return [] if link and f"## {link[1].replace('-', ' ')}\n" in f"{stop}\n" else [stop[:80]]


RULES = (
    a_stop_line_leads_to_the_summary,
    there_is_one_title_the_one_of_the_data,
    every_question_is_asked_once_under_its_own_name,
    every_prediction_is_compared_after_it_is_asked,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps(rule, notebook):
    assert rule(notebook) == []


def test_the_small_notebook_breaks_no_rule_but_that_it_asks_one_question_only(tiny):
    asks = every_question_is_asked_once_under_its_own_name
    assert [rule(tiny) for rule in RULES if rule is not asks] == [[], [], []]
    assert [complaint.split(",")[0] for complaint in asks(tiny)] == ["asked ['05/first-row']"]


def test_a_second_or_another_title_is_found(tiny):
    tiny["cells"][3]["source"] = ["# Mask and temperature"]
    assert there_is_one_title_the_one_of_the_data(tiny) != []
    tiny["cells"][3]["source"], tiny["cells"][0]["source"] = [], ["# Another title"]
    assert there_is_one_title_the_one_of_the_data(tiny) == ["Another title"]


@pytest.mark.parametrize(
    "source",
    ['row_1 = ask("05/third-row")', 'ask("05/third-row")', 'first_row = ask("05/first-row")'],
)
def test_a_question_asked_under_another_name_or_twice_is_found(tiny, source):
    before = every_question_is_asked_once_under_its_own_name(tiny)
    assert every_question_is_asked_once_under_its_own_name(with_code(tiny, source)) != before


def test_a_question_that_the_course_does_not_have_is_found(tiny):
    nb = with_code(tiny, 'no_such = ask("05/no-such")')
    assert "05/no-such" in every_question_is_asked_once_under_its_own_name(nb)[-1]


def test_a_prediction_that_is_never_compared_is_found(tiny):
    tiny["cells"][4]["source"] = ["other.reveal(w)"]
    assert every_prediction_is_compared_after_it_is_asked(tiny) == ["first_row"]
