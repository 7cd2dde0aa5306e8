"""`attn-lab`: the one command. Each subcommand is a file of `attn_lab/commands/`."""

import argparse
import codecs
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from attn_lab import __version__
from attn_lab.commands import check, class_, copy, forget, handout, lab, report
from attn_lab.commands.relative_paths import make_whole
from attn_lab.show.as_written import escaped

CLOSED = 141  # what a shell reports of a program whose reader has gone
PLAINER = "attn-lab-plainer"  # how Python knows `plainer`
# What a terminal's encoding may lack, and what says the same in ASCII.
_PLAIN = {"−": "-", "–": "-", "—": "-", "“": '"', "”": '"', "‘": "'", "’": "'", "…": "...",
          "·": "-", "×": "x", "÷": "/", "√": "sqrt ", "→": "->", "≠": "!=", "≈": "~",
          "■": "#", "□": ".", "●": "*", "○": "o", "✓": "v"}  # fmt: skip
COMMANDS = (lab, copy, check, report, forget, handout, class_)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand, `lab` where none is named; what comes back is the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help", "--version")):
        given.insert(0, lab.NAME)
    parser = make_parser()
    known, extra = parser.parse_known_args(given)
    if extra and not getattr(known.command, "PASSES_ON", False):
        known.parser.error(f"unknown arguments: {' '.join(extra)}")
    known.extra = extra
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=PLAINER)
    try:
        make_whole(os.environ)
        status = known.command.run(known)
        if sys.stdout:  # there is none after `>&-`
            sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader, such as `| head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED
    except (OSError, ValueError) as error:
        print(f"attn-lab {known.command.NAME}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def plainer(problem: UnicodeError) -> tuple[str, int]:
    r"""What is printed in place of what an encoding lacks: ASCII that says the same, or its number.

    >>> print("−0.25 中".encode("ascii", PLAINER).decode())
    -0.25 \u4e2d
    """
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    return "".join(_PLAIN.get(each, escaped(each)) for each in lacking), problem.end


codecs.register_error(PLAINER, plainer)


def make_parser() -> argparse.ArgumentParser:
    """The parser with one subparser for each command."""
    parser = argparse.ArgumentParser(
        prog="attn-lab",
        description="Notebooks that teach attention: write a prediction, run the cell, compare.",
        epilog="attn-lab COMMAND --help says more about one command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"attn-lab {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        subparser = commands.add_parser(
            command.NAME, help=command.HELP, description=command.__doc__, allow_abbrev=False
        )
        command.add_arguments(subparser)
        subparser.set_defaults(command=command, parser=subparser)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
