import re
from html import unescape

import pytest


@pytest.fixture
def words():
    """What a widget's HTML says, without its tags."""

    def read(html):
        return unescape(re.sub(r"<[^>]*>", " ", html)).strip()

    return read
