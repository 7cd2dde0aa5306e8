"""Plain text becomes HTML without losing a line or gaining markup."""

from attn_lab.show.prose import prose


def test_paragraphs_lines_and_code_are_kept():
    assert prose("One `triu(1)`.\nTwo.\n\nThree  wide.") == (
        "<p>One <code>triu(1)</code>.<br>Two.</p><p>Three&nbsp; wide.</p>"
    )


def test_markup_is_shown_as_text():
    assert prose("a < b & `<c>`") == "<p>a &lt; b &amp; <code>&lt;c&gt;</code></p>"


def test_a_single_mark_is_left_alone():
    assert prose("it`s") == "<p>it`s</p>"
