"""What a grader says: passed, or the first thing that differs, as a value, text and HTML."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from attn_lab.course.questions import misconceptions
from attn_lab.course.tasks import Task
from attn_lab.grade.comparing import Difference
from attn_lab.grade.graders_entry import Case, Known
from attn_lab.grade.inputs import shown
from attn_lab.grade.running import NO_NUMBER
from attn_lab.grade.wording import quoted
from attn_lab.show.numbers import three
from attn_lab.show.tables import plain_table, text_table

_TEXT = "color:var(--jp-content-font-color1,inherit);max-width:46em;line-height:1.5"
_FIRST = "The first difference comes"
_ROW = "The row that differs"
_SAME = "The same comes out of a known mistake"
_RAISED = "The same error comes out of a known mistake"
_STOPPED = "Plain Python stops here, where tensors go on with nan (not a number): a known mistake"


@dataclass(frozen=True)
class Finding:
    """The first thing that differs, or None and what was tried."""

    difference: Difference | None
    case: Case | None = None
    known: Known | None = None
    printed: str = ""
    about_values: bool = False
    stub: bool = False
    error: BaseException | None = None  # came in place of a value
    tried: tuple[str, ...] = ()

    def named(self, known: Known | None) -> "Finding":
        """Returns the finding with the mistake that gives the same."""
        return replace(self, known=known)


@dataclass(frozen=True, repr=False)
class Result:
    """A grader's verdict; as the last expression of a cell it shows its message.

    `mistake` is a name of `attn_lab.grade.mistakes`, and `mistake_name` the name of its
    misconception that the message says; both are "" where none gives the same.
    """

    passed: bool
    mistake: str
    message: str
    html: str = field(default="", compare=False)
    mistake_name: str = ""
    begun: bool = True  # False for a stub that is still as it was

    def __repr__(self) -> str:
        return self.message

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Mapping[str, str]:
        return {"text/html": self.html, "text/plain": self.message}


def result(finding: Finding, task: Task) -> Result:
    """Returns the verdict: its text and its HTML say the same."""
    differs = finding.difference
    if differs is None:
        tried = f"It gives what is expected with {'; '.join(finding.tried)}."
        return _result(finding, task, "passed", [tried, task.after])
    if finding.stub:
        said = differs.sentence
        return _result(finding, task, "not written yet", [said, f"Asked for: {task.asks}"])
    return _result(finding, task, "not yet", _said(finding, differs))


def with_note(one: Result, note: str) -> Result:
    """Returns a verdict with one more sentence at its end."""
    html = one.html.removesuffix("</div>") + f"{_paragraph(note)}</div>"
    return replace(one, message=f"{one.message}\n\n{note}", html=html)


def _said(finding: Finding, differs: Difference) -> list[Any]:
    said: list[Any] = []
    if finding.case is not None:
        lead = _FIRST if differs.columns else "Tried"
        said.append(f"{lead} with {finding.case.stage}. {differs.sentence}")
        said.append([f"{name} = {value}" for name, value in shown(finding.case.arguments)])
    else:
        said.append(differs.sentence)
    if differs.columns:
        said.append(differs)
    if finding.printed.strip():
        said.append(f"On the way it printed {quoted(finding.printed)}.")
    return [*said, *_named(finding.known, finding.error)]


def _named(known: Known | None, error: BaseException | None) -> list[str]:
    if known is None:
        return []
    lead = _SAME if error is None else _STOPPED if isinstance(error, NO_NUMBER) else _RAISED
    one = misconceptions()[known.misconception]
    check = one.check[:1].upper() + one.check[1:]
    rule = one.rule.rstrip(".")
    says = "" if known.says.rstrip(".").lower() == rule.lower() else f" {known.says}"
    return [
        f"{lead}, “{one.name}”.{says}",
        f"The code follows the rule “{rule}”. {one.holds} Check: {check}",
    ]


def _result(finding: Finding, task: Task, verdict: str, said: list[Any]) -> Result:
    first = f"Make {task.id}: {verdict}"
    text, html = [first], []
    for each in filter(None, said):
        if isinstance(each, str):
            text.append(each)
            html.append(_paragraph(each))
        elif isinstance(each, list):
            text.append("\n".join(each))
            html.append(f'<pre style="white-space:pre-wrap">{escape(text[-1])}</pre>')
        else:
            head, rows = ["", *each.columns], _rows(each)
            text.append(text_table(head, rows))
            html.append(plain_table(_ROW, head, rows))
    root = f'<div class="attn-grade" style="{_TEXT}"><p><b>{escape(first)}</b></p>'
    known = finding.known
    name = known.name if known else ""
    told = misconceptions()[known.misconception].name if known else ""
    passed = finding.difference is None
    message = "\n\n".join(text)
    whole = f"{root}{''.join(html)}</div>"
    return Result(passed, name, message, whole, told, not finding.stub)


def _rows(differs: Difference) -> list[list[str]]:
    both = {"expected": differs.expected, "got": differs.got}
    return [[name, *map(_entry, row)] for name, row in both.items()]


def _entry(value: str | float) -> str:
    return value if isinstance(value, str) else three(value)


def _paragraph(text: str) -> str:
    parts = escape(text).split("`")
    marked = "".join(f"<code>{each}</code>" if n % 2 else each for n, each in enumerate(parts))
    return f"<p>{marked if len(parts) % 2 else escape(text)}</p>"
