"""What is shown says the same as HTML and as text."""

from attn_lab.predict.shown import line


def test_a_line_is_bare_in_both_forms():
    shown = line("Write < first")
    assert (shown.html, repr(shown)) == ("Write &lt; first", "Write < first")
