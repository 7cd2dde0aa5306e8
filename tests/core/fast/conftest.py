"""The faster ways made to serve small inputs, so that every shape can be tried."""

import pytest

from attn_lab.core.fast import row_blocks, stand_in


@pytest.fixture
def small(monkeypatch):
    """Faster ways from the first pair on, in blocks of at most 8 rows, 4 of a head."""
    monkeypatch.setattr(stand_in, "PAYS_FROM", 1)
    monkeypatch.setattr(row_blocks, "LARGEST_BLOCK", (8, 4))
