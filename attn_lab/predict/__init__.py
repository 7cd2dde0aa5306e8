"""One prediction's life: ask, commit, reveal.

Rule: a computed answer never exists before `reveal` is called, and nothing is shown by it until
a prediction has been committed. `form` and `panels` alone hold widgets; everything else is plain
Python, so that a notebook works in any front end and in none.
"""

from attn_lab.predict.ask import Exercise, ask
from attn_lab.predict.closing import summary
from attn_lab.predict.in_class import join, leave

__all__ = ["Exercise", "ask", "join", "leave", "summary"]
