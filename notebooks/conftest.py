"""Notebooks are compared with every answer revealed, against a scratch store.

The kernel inherits these variables; the tests of the package itself never see them.
"""

import tempfile
from collections.abc import Iterator

import pytest

STORE = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the scratch folder, and remove it at the end."""
    scratch = tempfile.TemporaryDirectory()
    config.add_cleanup(scratch.cleanup)
    config.stash[STORE] = f"{scratch.name}/store.db"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Set the variables around each cell of a notebook of this folder."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ATTN_LAB_REVEAL", "always")
        environment.setenv("ATTN_LAB_STORE", item.config.stash[STORE])
        environment.setenv("OMP_NUM_THREADS", "1")  # as the build: small tensors, one thread
        return (yield)
