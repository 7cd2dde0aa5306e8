"""The sentences that are said about a prediction.

The subject is the prediction, the computation or the next step, never the person. First what
agrees, then what differs, then the rule that the prediction follows and where that rule holds.
All results get the same form; nothing is scored.
"""

from collections.abc import Sequence

from attn_lab.course.questions import Question, misconceptions
from attn_lab.predict.verdicts import Verdict
from attn_lab.record import Attempt

NOW = "In one sentence, what would you say now?"


def feedback(question: Question, attempt: Attempt, verdict: Verdict) -> list[str]:
    """Returns what is said beside the comparison, one paragraph each."""
    said = [_first(verdict, attempt.confidence), *_places(question, verdict)]
    if question.kind == "choice":
        said.append(question.option(attempt.answer).sentence)
    elif verdict.near_miss:
        said.append(verdict.near_miss.sentence)
    rule = _rule(question, attempt, verdict)
    if rule:
        said.append(rule)
    elif not verdict.agrees and question.kind != "choice" and not verdict.near_miss:
        said.append("Which step would have to be different for the prediction to come out?")
    if verdict.agrees and attempt.because:
        said.append("Compare the reason above with the one below: are they the same?")
    if attempt.seen:
        said.append("This prediction was made after the result had been shown.")
    return [each for each in said if each]


def _first(verdict: Verdict, confidence: str) -> str:
    if verdict.kind == "same" and confidence == "guess":
        return "Same as computed, from a guess. Before going on: which step makes it so?"
    if verdict.kind == "same":
        return "Same as computed."
    if verdict.kind == "close":
        return f"Within {_size(verdict.largest)} of what was computed: close enough to reason with."
    if verdict.kind == "pattern":
        return f"Order and zeros agree; the sizes differ by up to {_size(verdict.largest)}."
    if confidence == "certain":
        return (
            "The prediction was certain, and the computation says something else. "
            "Such surprises are the ones most often corrected: this one is worth a second look."
        )
    if confidence == "guess":
        return "It was a guess, and now there is something to compare it with."
    return "The computation differs from the prediction."


def _places(question: Question, verdict: Verdict) -> list[str]:
    """First what agrees, then what differs; an answer of one place has nothing to list."""
    count = len(verdict.agree) + len(verdict.differ)
    if not verdict.differ or count == 1:
        return []
    if question.kind == "cells":
        cells = f"They agree in {len(verdict.agree)} of {count} cells."
        return [f"{cells} They differ here: {'; '.join(_few(verdict.differ))}."]
    agree = f"They agree at {_listed(verdict.agree)}. " if verdict.agree else ""
    most = f", most at {verdict.most}" if verdict.most and len(verdict.differ) > 1 else ""
    return [f"{agree}They differ at {_listed(verdict.differ)}{most}."]


def _rule(question: Question, attempt: Attempt, verdict: Verdict) -> str:
    if verdict.agrees:
        return ""
    if question.kind == "choice":
        id = question.option(attempt.answer).misconception
    else:
        id = verdict.near_miss.misconception if verdict.near_miss else None
    known = misconceptions().get(id or "")
    if known is None:
        return ""
    rule, check = known.rule.rstrip("."), known.check[:1].upper() + known.check[1:]
    return f"The prediction follows the rule “{rule}”. {known.holds} Check: {check}"


def _listed(names: Sequence[str]) -> str:
    *most, last = _few(names)
    return f"{', '.join(most)} and {last}" if most else last


def _few(names: Sequence[str], most: int = 4) -> list[str]:
    if len(names) <= most + 1:
        return list(names)
    return [*names[:most], f"{len(names) - most} more"]


def _size(value: float) -> str:
    return f"{value:.2f}" if value >= 0.01 else f"{value:.2g}"
