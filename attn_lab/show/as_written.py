r"""Text shown as it was written, wherever it stands: nothing in it acts, nothing in it is hidden.

Control characters, halves of a character and what XML cannot hold are shown as Python writes
them, such as \x07.
"""

import re
import unicodedata
from html import escape as _escape

_UNSEEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_MATHEMATICS = re.compile(r"[$\\]")


def visible(text: str) -> str:
    r"""`text` with what cannot be seen written out; new lines and tabs stay.

    >>> visible("a\x07b\ud83d")
    'a\\x07b\\ud83d'
    """
    if text.isprintable():  # nearly always, and an explorer draws a hundred cells at each step
        return text
    return _UNSEEN.sub(lambda found: escaped(found[0]), text.replace("\r\n", "\n"))


def escaped(character: str) -> str:
    r"""A character as Python writes it in a string.

    >>> print(escaped("\x07"), escaped("中"))
    \x07 \u4e2d
    """
    return character.encode("unicode_escape").decode()


def in_xml(text: str) -> str:
    """`text` in SVG, or in an attribute between quotes.

    >>> in_xml('1 < "2"')
    '1 &lt; &quot;2&quot;'
    """
    return _escape(visible(text))


def in_html(text: str) -> str:
    r"""`text` in the HTML of a page, where MathJax would typeset what stands between two dollars.

    It looks for a pair within one run of text, so each mark of mathematics has an element of its
    own.

    >>> in_html("from $1 to $2")
    'from <span>$</span>1 to <span>$</span>2'
    """
    return _MATHEMATICS.sub(r"<span>\g<0></span>", in_xml(text))


def width(text: str) -> int:
    """How many columns `text` takes in a table of plain text.

    >>> width("key"), width("中文"), width("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):  # stands on its neighbour
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
