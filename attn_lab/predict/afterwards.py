"""What is asked after a prediction that differed: what would the learner say now?"""

from typing import Any

from attn_lab.course.questions import Question
from attn_lab.predict.wording import NOW


class Afterwards:
    """The optional line after a prediction that differed."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def __repr__(self) -> str:
        return f'{NOW} {self.question.variable}.afterwards("…")'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from attn_lab.predict.view import afterwards_line, bundle

        return bundle(afterwards_line(self.question), repr(self))
