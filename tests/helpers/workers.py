"""How the tests are shared out among processes (`pytest -n 2`, as `make test` runs them)."""

from collections import Counter

import pytest
from xdist.scheduler import LoadScopeScheduling

# Each file runs in one process, a notebook's cells too. These folders stay whole, for they share
# something costly: JupyterLab with its page, a Hub and its ports, trained models, the handout.
TOGETHER = {
    "tests/browser": "JupyterLab",
    "tests/classroom/hub": "Hub",
    "tests/models": "models",
    "attn_lab/models": "models",
    "tests/explore": "models",
    "tests/commands/handout": "handout",
}
# What takes longest begins first, so that the processes end at about the same time.
FIRST = ("tests/browser", "notebooks", "tests/models", "tests/classroom", "tests/commands")


def scope(nodeid: str) -> str:
    """The part of the tests that stays together."""
    path = nodeid.partition("::")[0]
    return next(
        (whole for folder, whole in TOGETHER.items() if path.startswith(f"{folder}/")), path
    )


def rank(nodeid: str) -> int:
    """The place of a test's folder among those that begin first."""
    return next((i for i, each in enumerate(FIRST) if nodeid.startswith(f"{each}/")), len(FIRST))


class ByFile(LoadScopeScheduling):
    """Hands a process one scope after the other, in the order of the tests."""

    def __init__(self, config: pytest.Config, log: object) -> None:
        config.option.loadscopereorder = False  # the most tests are not the most seconds
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)


def seconds(reports: list[pytest.TestReport]) -> list[str]:
    """Lines that say where the time went: by folder, and by process."""
    by_folder, by_process = Counter[str](), Counter[str]()
    for each in reports:
        path = each.nodeid.partition("::")[0]
        by_folder[path.rpartition("/")[0]] += each.duration
        by_process[each.node.gateway.id if hasattr(each, "node") else "one process"] += (
            each.duration
        )
    return [
        ", ".join(f"{name} {taken:.0f}" for name, taken in counts.most_common())
        for counts in (by_folder, by_process)
    ]
