"""The optional line after a prediction that differed: what would the learner say now?"""

import ipywidgets as w

from attn_lab.course.kinds import Question
from attn_lab.predict.commit import save_afterwards
from attn_lab.predict.reveal import css_id
from attn_lab.predict.view.controls import PLAIN, ROOT, button, live
from attn_lab.predict.view.locked import CSS, said
from attn_lab.predict.wording import NOW
from attn_lab.widgets.mending import mending


def afterwards_line(question: Question) -> w.VBox:
    """Returns one field with a button; what is written is kept beside the first words."""
    message = live()
    field = w.Text(
        description=NOW,
        placeholder="optional, kept beside your first words",
        layout={"width": "calc(100% - 4px)"},
        **PLAIN,
    )
    field.add_class("attn-now")

    def keep() -> None:
        message.value = said(save_afterwards(question, field.value))

    keep_button = button("Keep", "attn-keep-words", keep, message)
    mend = w.HTML(f"{mending(ROOT, question.id)}<style>{CSS}</style>")
    mend.layout.height = "0"
    root = w.VBox([mend, field, keep_button, message])
    root.add_class(ROOT)
    root.add_class(css_id(question) + "-afterwards")
    return root
