"""Each test of graders has a store of its own, and graders write to no other."""

import pytest


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.delenv("ATTN_LAB_REVEAL", raising=False)
