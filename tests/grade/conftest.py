"""Each test of graders has a store of its own, and graders write to no other."""

import pytest


@pytest.fixture(autouse=True)
def kept_apart(own_store):
    return own_store
