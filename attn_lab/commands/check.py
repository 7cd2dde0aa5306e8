"""`attn-lab check`: one line for each thing the notebooks need, and what to do about it."""

import argparse
from collections.abc import Callable

from attn_lab.commands.facts import (
    Fact,
    compute_fact,
    folder_fact,
    kernel_fact,
    package_facts,
    python_fact,
    store_fact,
    widget_fact,
)

NAME = "check"
HELP = "say whether everything the notebooks need is here, and what to do if not"

FACTS: tuple[Callable[[], list[Fact]], ...] = (
    python_fact,
    package_facts,
    compute_fact,
    widget_fact,
    kernel_fact,
    store_fact,
    folder_fact,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """This command has no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Print the facts; return 1 when something is to be mended."""
    facts = [fact for find in FACTS for fact in find()]
    print(*map(as_line, facts), sep="\n")
    wrong = [fact.name for fact in facts if fact.advice]
    print(f"To mend: {', '.join(wrong)}" if wrong else "setup complete")
    return 1 if wrong else 0


def as_line(fact: Fact) -> str:
    """Return one fact as a line: what it is, what was found, and what to do.

    >>> as_line(Fact("python", "3.12.1"))
    'ok    python          3.12.1'
    >>> as_line(Fact("python", "3.9.2", "Install Python 3.11 or newer."))
    'mend  python          3.9.2. Install Python 3.11 or newer.'
    """
    word = "mend" if fact.advice else "ok"
    return f"{word:<6}{fact.name:<16}{fact.found}{'. ' if fact.advice else ''}{fact.advice}"
