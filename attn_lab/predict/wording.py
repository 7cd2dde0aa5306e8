"""What is said about a prediction.

The subject is the prediction, the computation or the next step, never the person. All results
get the same form; nothing is scored.
"""

from attn_lab.course.kinds import Question, Verdict
from attn_lab.course.misconceptions import misconceptions
from attn_lab.record import Attempt
from attn_lab.show.chips import Tone
from attn_lab.show.printed_numbers import number

Chip = tuple[Tone, str, str]  # its tone, an icon with a word, and what is to be added

NOW = "In one sentence, what would you say now?"
SECOND_LOOK = "The prediction was certain: this one is worth a second look."
SEEN = "Made after the result had been shown."
WHICH_STEP = "Which step would have to be different for the prediction to come out?"


def chip(attempt: Attempt | None, verdict: Verdict | None) -> Chip:
    """How a prediction came out: its tone, an icon with a word, and what is to be added."""
    if attempt is None or verdict is None:
        return "none", "– no prediction", ""
    tone, word, more = _outcome(attempt, verdict)
    return tone, word, " ".join(filter(None, [more, SEEN if attempt.seen else ""]))


def _outcome(attempt: Attempt, verdict: Verdict) -> Chip:
    if verdict.outcome == "same":
        return "good", "✓ as predicted", ""
    if verdict.outcome == "close":
        return "good", "≈ close", f"Within {_size(verdict)}: close enough to reason with."
    second = SECOND_LOOK if attempt.confidence == "certain" else ""
    if verdict.outcome == "pattern":
        sizes = f"The sizes differ by up to {_size(verdict)}."
        return "near", "◐ the pattern is right", " ".join(filter(None, [sizes, second]))
    return "other", "≠ something else", second


def why(question: Question, attempt: Attempt, verdict: Verdict) -> list[str]:
    """How one comes to this answer, and where that rule does hold; [] where nothing is known."""
    said = [question.sentence(attempt.answer, verdict)]
    known = misconceptions().get(question.misconception(attempt.answer, verdict) or "")
    if known and not verdict.agrees:
        rule, check = known.rule.rstrip("."), known.check[:1].upper() + known.check[1:]
        said.append(f"The rule behind it: “{rule}”. {known.holds} Check: {check}")
    elif not verdict.agrees and question.has_steps and not verdict.near_miss:
        said.append(WHICH_STEP)
    return [each for each in said if each]


def _size(verdict: Verdict) -> str:
    """The largest difference, rounded as in the table; never to 0, which it is not."""
    printed = number(verdict.largest, verdict.decimals)
    return f"{verdict.largest:.2g}" if set(printed) <= {"0", "."} else printed
