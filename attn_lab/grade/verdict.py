"""What a grader says: passed, or the first thing that differs, as a value, text and HTML.

The subject of its sentences is the code, never the person.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from attn_lab.course.misconceptions import misconceptions
from attn_lab.course.tasks import NOT_YET, Task, verdict_line
from attn_lab.grade.compare import Difference
from attn_lab.grade.naming import NO_NUMBER, said_of
from attn_lab.grade.sandbox import MOST, SECONDS, Call
from attn_lab.grade.signatures import NoPlaceError, parameters
from attn_lab.grade.tasks.task_entry import Case, Known
from attn_lab.show.as_written import in_html, visible
from attn_lab.show.chips import Tone, chip_html
from attn_lab.show.printed_numbers import three
from attn_lab.show.tables import plain_table, text_table

TYPED = 24  # numbers; more are not an input that anybody tries by hand
# how the sentence about a known mistake begins: after wrong values, an error, an overflow
SAME = "The same comes out of a known mistake"
RAISED = "The same error comes out of a known mistake"
STOPPED = "Plain Python stops here, where tensors go on with nan (not a number): a known mistake"
LEADS = (SAME, RAISED, STOPPED)
_CHIPS: dict[str, tuple[Tone, str]] = {
    "passed": ("good", "✓ passed"),
    "not written yet": ("none", "– not written yet"),
    "not graded": ("none", "– not graded"),
    NOT_YET: ("other", "≠ not yet"),
}
STYLE = "color:var(--jp-content-font-color1,inherit);max-width:46em;line-height:1.5"


@dataclass(frozen=True)
class Finding:
    """The first thing that differs, or None and what was tried."""

    difference: Difference | None
    case: Case | None = None
    known: Known | None = None
    printed: str = ""
    about_values: bool = False
    stub: bool = False
    older: bool = False  # a newer one was meant, and nothing was graded
    error: BaseException | None = None  # came in place of a value
    tried: tuple[str, ...] = ()


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
    begun: bool = True  # False for a stub that is still as it was, and where nothing was graded

    def __repr__(self) -> str:
        return self.message

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Mapping[str, str]:
        return {"text/html": self.html, "text/plain": self.message}


def result(finding: Finding, task: Task, note: str = "") -> Result:
    """The verdict, whose text and HTML say the same; a note comes at its end."""
    differs = finding.difference
    if differs is None:
        tried = f"It gives what is expected with {'; '.join(finding.tried)}."
        verdict, said = "passed", [tried, task.after]
    elif finding.stub:
        verdict, said = "not written yet", [differs.sentence, f"Asked for: {task.asks}"]
    elif finding.older:
        verdict, said = "not graded", [differs.sentence]
    else:
        verdict, said = NOT_YET, _said(finding, differs)
    first = verdict_line(task.id, verdict)
    text, html = [first], []
    for each in filter(None, [*said, note]):
        if isinstance(each, str):
            text.append(each)
            html.append(paragraph(each))
        elif isinstance(each, list):
            text.append("\n".join(each))
            html.append(f'<pre style="white-space:pre-wrap">{in_html(text[-1])}</pre>')
        else:
            head, rows = ["", *each.columns], _rows(each)
            text.append(text_table(head, rows))
            html.append(plain_table("The row that differs", head, rows))
    chip = chip_html(*_CHIPS[verdict], first)
    root = f'<div class="attn-grade" style="{STYLE}">{chip}'
    known = finding.known
    return Result(
        passed=differs is None,
        mistake=known.name if known else "",
        mistake_name=misconceptions()[known.misconception].name if known else "",
        message=visible("\n\n".join(text)),
        html=f"{root}{''.join(html)}</div>",
        begun=not (finding.stub or finding.older),
    )


def _said(finding: Finding, differs: Difference) -> list[Any]:
    said: list[Any] = []
    if finding.case is not None:
        lead = "The first difference comes" if differs.columns else "Tried"
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
    lead = SAME if error is None else STOPPED if isinstance(error, NO_NUMBER) else RAISED
    one = misconceptions()[known.misconception]
    check = one.check[:1].upper() + one.check[1:]
    rule = one.rule.rstrip(".")
    says = "" if known.says.rstrip(".").lower() == rule.lower() else f" {known.says}"
    return [
        f"{lead}, “{one.name}”.{says}",
        f"The code follows the rule “{rule}”. {one.holds} Check: {check}",
    ]


def _rows(differs: Difference) -> list[list[str]]:
    both = {"expected": differs.expected, "got": differs.got}
    return [[name, *map(_entry, row)] for name, row in both.items()]


def _entry(value: str | float) -> str:
    return value if isinstance(value, str) else three(value)


def paragraph(text: str) -> str:
    """A sentence as HTML, with the code in it marked."""
    parts = in_html(text).split("`")
    marked = "".join(f"<code>{each}</code>" if n % 2 else each for n, each in enumerate(parts))
    return f"<p>{marked if len(parts) % 2 else in_html(text)}</p>"


def shown(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give each argument's name and its value; a large tensor's is its shape.

    >>> import torch
    >>> dict(shown({"q": torch.tensor([[1.0, 0.5]]), "n_heads": 2}))
    {'q': '[[1, 0.5]]', 'n_heads': '2'}
    """
    for name, value in arguments.items():
        if isinstance(value, Tensor) and value.numel() > TYPED:
            yield name, f"a tensor of shape {list(value.shape)}"
        else:
            yield name, _literal(value)


def _literal(value: Any) -> str:
    if isinstance(value, Tensor):
        return _literal(value.tolist())
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))})"
    return f"{value + 0.0:.6g}" if isinstance(value, float) else str(value)


def unfinished(function: Callable[..., Any]) -> str:
    """That the stub is still as it was."""
    return f"{name_of(function)} still returns `...`, the place for its result."


def older(function: Callable[..., Any], why: str) -> str:
    """That the newest cell has failed, and the name stands for a function of before."""
    name = name_of(function)
    return (
        f"The newest cell that defines {name} stopped with {why}. Until it runs, {name} is the "
        "function of an earlier cell, which is not what stands there now."
    )


def nothing(printed: str) -> str:
    """That a function returned None, and what it printed in place of that."""
    if printed.strip():
        return (
            f"The function printed {quoted(printed)} and returned nothing. "
            "print shows a value to a person; what hands it on to the next line of code?"
        )
    return "The function returned nothing (None). Does every way through it reach a return?"


def broken_off(made: Call) -> str:
    """How a call ended that did not return."""
    line = f" The line: `{made.line}`" if made.line else ""
    if made.ended == "asked":
        return (
            f"The function calls `{made.asked}`, and nobody answers while it is graded: what it "
            f"needs comes with its arguments.{line}"
        )
    if made.ended == "interrupted":
        return (
            f"The function had not ended after {SECONDS:.0f} seconds, and was interrupted. "
            "Which of its loops has a condition that stays true?"
        )
    if made.ended == "running":
        return (
            f"The function had not ended after {SECONDS:.0f} seconds and cannot be interrupted: "
            "it waits inside a library, or it catches every error, the interruption too. It goes "
            "on in the background, where its output is not shown, until it ends by itself or the "
            "kernel is restarted (Kernel ▸ Restart Kernel)."
        )
    return f"The function stopped with {cut(said_of(made.error), 200)}.{line}".replace("..", ".")


def misfit(made: Call, case: Case, function: Callable[..., Any]) -> str:
    """That a function takes other arguments than it is given, or ""."""
    takes = ", ".join(
        str(each.replace(annotation=each.empty, default=each.empty))
        for each in (parameters(function) or {}).values()
    )
    if isinstance(made.error, NoPlaceError):
        return f"The function takes ({takes}), and the task asks for `{made.error}` as well."
    if not isinstance(made.error, TypeError) or made.line or "argument" not in said_of(made.error):
        return ""
    return f"The function is called with ({', '.join(case.arguments)}) and takes ({takes})."


def changed(names: Sequence[str]) -> str:
    """That arguments were changed in place."""
    return (
        f"The result is right, but {' and '.join(names)} did not survive the call: the function "
        "changed what it was given. Which line writes into it?"
    )


def quoted(printed: str) -> str:
    """What a function printed, short enough for a sentence."""
    more = " (the beginning of more than is kept)" if len(printed) >= MOST else ""
    return f"“{cut(' '.join(printed.split()), 60)}”{more}"


def cut(text: str, most: int) -> str:
    """A text, cut where it is too long.

    >>> cut("0123456789", 5)
    '0123…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def name_of(function: Callable[..., Any]) -> str:
    """A function's own name."""
    return getattr(function, "__name__", type(function).__name__)
