"""The answer key: what the reference edition computed, and which wrong answers have a name.

The right answers are nowhere in the data, so they are taken from the stored results.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from attn_lab.commands.printed_pages import page
from attn_lab.course.editions import text_of
from attn_lab.course.kinds import Group, Question
from attn_lab.course.misconceptions import misconceptions

MISSING = "<p>Not computed yet: the notebook was never run.</p>"
BARE_LINE = "Your prediction beside the computed value"
_COMPARED = re.compile(
    rf'(?:{BARE_LINE}\n)?<div class="attn-reveal.*?</table></div>'
    r"(?:<p[^>]*>In each cell:[^<]*</p>)?",
    re.DOTALL,
)
_FOR_A_PREDICTION = (  # rows of a choice, then the columns of the other kinds
    (r'<tr><th scope="row"[^>]*>(?:prediction|difference)</th><td[^>]*>[^<]*</td></tr>', ""),
    (r'<th scope="col"[^>]*>(?:prediction|difference)</th>', ""),
    (r"<td[^>]*>no prediction</td>(<td[^>]*>[^<]*</td>)<td[^>]*>–</td>", r"\1"),
    (r"<p[^>]*>In each cell: computed; no prediction\.</p>", ""),
    (rf"{BARE_LINE}\n", ""),
)


def answer_key(asked: Iterable[Question], editions: Mapping[str, dict[str, Any]]) -> str:
    """Return the page with one computed answer for each question."""
    revealed = {id: html for nb in editions.values() for id, html in results(nb).items()}
    body = "\n".join(_answer(each, revealed.get(each.id, MISSING)) for each in asked)
    return page("Answer key: predictions about attention", f"<h1>Answer key</h1>\n{body}", "key")


def results(nb: dict[str, Any]) -> dict[str, str]:
    """Return the stored result of each prediction of a notebook, as HTML by its id."""
    found: dict[str, str] = {}
    variables: dict[str, str] = {}
    for cell in nb["cells"]:
        source = text_of(cell["source"])
        variables |= dict(re.findall(r'^(\w+) = ask\("([^"]+)"\)', source, re.MULTILINE))
        for name in re.findall(r"^(\w+)\.reveal\(", source, re.MULTILINE):
            outputs = cell.get("outputs") or [{}]
            first = outputs[0].get("data", {}).get("text/html")
            if name in variables and first:
                found[variables[name]] = _short(without_prediction(text_of(first)))
    return found


def _short(result: str) -> str:
    """The table alone: a heading stands above it, and the handout has the explanation."""
    table = re.sub(r"<caption.*?</caption>", "", result, flags=re.DOTALL)
    return re.sub(r'<div class="attn-explanation">.*?</div>', "", table, flags=re.DOTALL)


def without_prediction(html: str) -> str:
    """Return a page or a result without the rows and columns where a prediction would stand."""
    return _COMPARED.sub(_computed_alone, html)


def _computed_alone(found: re.Match[str]) -> str:
    table = found[0]
    for pattern, instead in _FOR_A_PREDICTION:
        table = re.sub(pattern, instead, table)
    return table


def _spelled(group: Group) -> str:
    words = group.label.rstrip(".")
    return f"{words} ({group.meaning})" if group.meaning else words


def _answer(asked: Question, result: str) -> str:
    names = misconceptions()
    wrong = [
        f"<li>{escape(_spelled(each))}: {escape(names[each.misconception].name)}</li>"
        for each in asked.groups()
        if each.misconception
    ]
    listed = f'<p>Wrong answers with a name:</p><ul class="named">{"".join(wrong)}</ul>'
    return (
        f'<section class="question">\n<h2>{asked.id}</h2>\n{result}\n'
        f"{listed if wrong else ''}\n</section>"
    )
