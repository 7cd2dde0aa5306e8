"""The question's form, the only part of `predict` with widgets: it asks, saves, and locks.

Rules: core ipywidgets without Output. Every control has a description and `tooltip=""` (JupyterLab
otherwise writes title="null"), and every handler shows its own errors, which JupyterLab hides in
a log. What cannot be told by a control alone is said as text beside it.
"""

from attn_lab.predict.view.afterwards import afterwards_line
from attn_lab.predict.view.controls import bundle
from attn_lab.predict.view.form import Form

__all__ = ["Form", "afterwards_line", "bundle"]
