"""The sentences that are said about a prediction.

The subject is the prediction, the computation or the next step, never the person. First what
agrees, then what differs, then the rule that the prediction follows and where that rule holds.
All results get the same form; nothing is scored.
"""

from attn_lab.course.kinds import Question, Verdict
from attn_lab.course.misconceptions import misconceptions
from attn_lab.record import Attempt
from attn_lab.show.printed_numbers import number

NOW = "In one sentence, what would you say now?"


def feedback(question: Question, attempt: Attempt, verdict: Verdict) -> list[str]:
    """What is said beside the comparison, one paragraph each."""
    said = [_first(attempt, verdict), question.where(attempt.answer, verdict)]
    said.append(question.remark(attempt.answer))
    said.append(question.sentence(attempt.answer, verdict))
    rule = _rule(question, attempt, verdict)
    if rule:
        said.append(rule)
    elif not verdict.agrees and question.has_steps and not verdict.near_miss:
        said.append("Which step would have to be different for the prediction to come out?")
    if verdict.agrees and attempt.because:
        said.append("Compare the reason above with the one below: are they the same?")
    if attempt.seen:
        said.append("This prediction was made after the result had been shown.")
    return [each for each in said if each]


def _first(attempt: Attempt, verdict: Verdict) -> str:
    confidence = attempt.confidence
    if verdict.outcome == "same" and confidence == "guess":
        return "Same as computed, from a guess. Before going on: which step makes it so?"
    if verdict.outcome == "same":
        return "Same as computed."
    if verdict.outcome == "close":
        return f"Within {_size(verdict)} of what was computed: close enough to reason with."
    if verdict.outcome == "pattern":
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


def _rule(question: Question, attempt: Attempt, verdict: Verdict) -> str:
    if verdict.agrees:
        return ""
    known = misconceptions().get(question.misconception(attempt.answer, verdict) or "")
    if known is None:
        return ""
    rule, check = known.rule.rstrip("."), known.check[:1].upper() + known.check[1:]
    return f"The prediction follows the rule “{rule}”. {known.holds} Check: {check}"


def _size(verdict: Verdict) -> str:
    """The largest difference, rounded as in the table; never to 0, which it is not."""
    printed = number(verdict.largest, verdict.decimals)
    return f"{verdict.largest:.2g}" if set(printed) <= {"0", "."} else printed
