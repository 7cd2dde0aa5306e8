"""The sentences that are said about a prediction.

The subject is the prediction, the computation or the next step, never the person. First what
agrees, then what differs, then the rule that the prediction follows and where that rule holds.
All results get the same form; nothing is scored.
"""

from collections.abc import Sequence
from typing import Any

from attn_lab.course.answer_groups import flat
from attn_lab.course.questions import Question, misconceptions
from attn_lab.predict.answers import places
from attn_lab.predict.verdicts import Verdict
from attn_lab.record import Attempt
from attn_lab.show.numbers import number, two

NOW = "In one sentence, what would you say now?"
_SUM_SLACK = 0.02 + 1e-9  # what rounding each number to two decimals may add up to


def feedback(question: Question, attempt: Attempt, verdict: Verdict) -> list[str]:
    """Returns what is said beside the comparison, one paragraph each."""
    said = [_first(attempt, verdict), *_places(question, attempt.answer, verdict)]
    said.append(_sum(question, attempt.answer))
    if question.kind == "choice":
        said.append(_behind(question.option(attempt.answer).sentence))
    elif verdict.near_miss:
        said.append(verdict.near_miss.sentence)
    rule = _rule(question, attempt, verdict)
    if rule:
        said.append(rule)
    elif not verdict.agrees and _has_steps(question) and not verdict.near_miss:
        said.append("Which step would have to be different for the prediction to come out?")
    if verdict.agrees and attempt.because:
        said.append("Compare the reason above with the one below: are they the same?")
    if attempt.seen:
        said.append("This prediction was made after the result had been shown.")
    return [each for each in said if each]


def _first(attempt: Attempt, verdict: Verdict) -> str:
    confidence = attempt.confidence
    if verdict.kind == "same" and confidence == "guess":
        return "Same as computed, from a guess. Before going on: which step makes it so?"
    if verdict.kind == "same":
        return "Same as computed."
    if verdict.kind == "close":
        return f"Within {_size(verdict)} of what was computed: close enough to reason with."
    if verdict.kind == "pattern":
        zeros = any(abs(value) < 1e-9 for value in attempt.answer)
        same = "Order and zeros agree" if zeros else "The order agrees"
        return f"{same}; the sizes differ by up to {_size(verdict)}."
    if confidence == "certain":
        return (
            "The prediction was certain, and the computation says something else: "
            "this one is worth a second look."
        )
    if confidence == "guess":
        return "It was a guess, and now there is something to compare it with."
    return "The computation differs from the prediction."


def _places(question: Question, predicted: Any, verdict: Verdict) -> list[str]:
    """First what agrees, then what differs; an answer of one place has nothing to list."""
    count = len(verdict.agree) + len(verdict.differ)
    if not verdict.differ or count == 1:
        return []
    if question.kind == "cells":
        said = [f"They agree in {len(verdict.agree)} of {count} cells."]
        painted = dict(zip(places(question), flat(predicted), strict=True))
        for side, on in (("Predicted, not computed", 1), ("Computed, not predicted", 0)):
            names = [name for name in verdict.differ if painted[name] == on]
            said += [f"{side}: {'; '.join(_few(names))}."] if names else []
        return [" ".join(said)]
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


def _size(verdict: Verdict) -> str:
    """The largest difference, rounded as in the table; never to 0, which it is not."""
    printed = number(verdict.largest, verdict.decimals)
    return f"{verdict.largest:.2g}" if set(printed) <= {"0", "."} else printed


def _sum(question: Question, predicted: Any) -> str:
    if not question.sums_to_one or abs(sum(predicted) - 1) <= _SUM_SLACK:
        return ""
    return f"The predicted numbers add to {two(sum(predicted))}; a row of weights adds to 1."


def _behind(sentence: str) -> str:
    """An option's sentence as a word about the answer: the one who reads it has just given it."""
    return sentence.replace("Someone who picks this", "This is the answer of someone who", 1)


def _has_steps(question: Question) -> bool:
    """Says whether an answer has several numbers, cells or a shape: a lone count has no steps."""
    return question.kind in ("cells", "shape") or len(question.labels) > 1
