"""The kinds of question: each file holds all that differs for its kind, and no other file asks.

A question comes from the course's TOML as one of these frozen types. What a program wants of an
answer, it asks the question: `question.read(answer)`, `question.compare(predicted, computed)`.

A new kind is one file and its line in `KINDS`: a subclass of `Open` (of `Question`, where all its
answers are listed) with its fields, `tag`, `control`, `form`, `fits`, `read`, `spelled` and
`stand_in`. What else differs for it, it overrides; `question.py` says what there is. A `control`
that no kind has yet needs its inputs in `predict/inputs.py`.
"""

from attn_lab.course.kinds.cells import Cells
from attn_lab.course.kinds.choice import Choice, Option
from attn_lab.course.kinds.comparison import Paper, Table, Verdict
from attn_lab.course.kinds.near_misses import NearMiss
from attn_lab.course.kinds.numbers import Numbers
from attn_lab.course.kinds.question import UNNAMED, Group, Question
from attn_lab.course.kinds.shape import Shape

KINDS: dict[str, type[Question]] = {
    "choice": Choice,
    "numbers": Numbers,
    "cells": Cells,
    "shape": Shape,
}

__all__ = [
    "KINDS",
    "UNNAMED",
    "Cells",
    "Choice",
    "Group",
    "NearMiss",
    "Numbers",
    "Option",
    "Paper",
    "Question",
    "Shape",
    "Table",
    "Verdict",
]
