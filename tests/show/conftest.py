import re
from html.parser import HTMLParser

import numpy as np
import pytest


class Outline(HTMLParser):
    """What a picture's HTML holds: tags, attributes, and its cells as text, row by row."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.rows, self.styles, self.words = [], [], [], []
        self._open = []
        self.feed(html)
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("img", "br"):
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.styles.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.styles[-1].append(dict(attrs).get("style", ""))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)
        if self._open and self._open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

    def named(self, name):
        return [attrs for tag, attrs in self.tags if tag == name]


@pytest.fixture
def outline():
    return Outline


@pytest.fixture
def causal():
    """Even weights over the legal keys of four positions, and what is allowed."""
    allowed = np.tril(np.ones((4, 4), dtype=bool))
    return allowed / allowed.sum(axis=1, keepdims=True), allowed


@pytest.fixture
def fit_for_a_notebook():
    """Check what every output must keep to: no heading, no script, no inline drawing."""

    def check(picture):
        html = picture.html
        assert not re.search(r"<(h[1-6]|script|svg|iframe|link)\b", html)
        assert "http:" not in html and "https:" not in html
        assert picture.text.startswith(picture.sentence)
        bundle = picture._repr_mimebundle_()
        assert bundle == {"text/html": html, "text/plain": picture.text}
        assert repr(picture) == picture.text
        Outline(html)
        return True

    return check
