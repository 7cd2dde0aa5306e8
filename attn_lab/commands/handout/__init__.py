"""`attn-lab handout`: the whole course as pages to read or print, with results, and a worksheet."""

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

NAME = "handout"
HELP = (
    "write the course as HTML: every result shown, a worksheet to print, an answer key; "
    "run sheets too where notebooks/teaching is (a clone has it, an installed package not)"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder, and which questions the worksheet has."""
    parser.add_argument(
        "folder",
        nargs="?",
        default="attn-lab-handout",
        type=Path,
        help="folder for the pages, which hold answers (default: %(default)s, here)",
    )
    parser.add_argument(
        "--questions",
        nargs="+",
        metavar="ID",
        help="for worksheet and key: ids such as 04/late-zero, or notebooks such as 04 "
        "(default: every question above the stop lines)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pages, and say which notebooks lack results."""
    from attn_lab.commands.handout.answer_key import answer_key
    from attn_lab.commands.handout.notebook_pages import (
        cells_without_run,
        notebook_page,
        read_editions,
    )
    from attn_lab.commands.handout.rendering import filled
    from attn_lab.commands.handout.run_sheets import read_sheets, sheet_page
    from attn_lab.commands.handout.worksheet import chosen, worksheet
    from attn_lab.commands.handout.writing import write_pages
    from attn_lab.commands.learners_folder import shipped_folder

    asked = chosen(arguments.questions)
    folder, editions = arguments.folder.expanduser(), read_editions(shipped_folder())
    sheets = read_sheets(shipped_folder() / "teaching")
    pages = {
        "worksheet.html": worksheet(asked),
        "answer_key.html": answer_key(asked, editions),
        **{f"{name}.html": notebook_page(name, nb) for name, nb in editions.items()},
        **{f"teaching/{name}.html": sheet_page(text) for name, text in sheets.items()},
        "index.html": filled("index.html", groups=_groups(editions, sheets)),
    }
    write_pages(folder, pages)
    for name, nb in editions.items():
        if missing := cells_without_run(nb):
            print(f"{name}: {missing} cells were never run; no results there.", file=sys.stderr)
    print(f"Wrote {len(pages)} pages; begin with {folder / 'index.html'}")
    print("They hold the answers: only worksheet.html is for learners before they predict.")
    return 0


def _groups(editions: Iterable[str], sheets: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """The pages that the first one links to, as address and title, by who may have them."""
    from attn_lab.commands.handout.run_sheets import heading
    from attn_lab.course.questions import notebook

    titles = {name: heading(text) for name, text in sheets.items()}
    return {
        "For learners, before they predict: no answers": [("worksheet.html", "Worksheet")],
        "For learners, once they have predicted: these hold the answers": [
            (f"{name}.html", f"{name[:2]} {notebook(name[:2]).title}") for name in editions
        ],
        "For you alone: the answers, and how to lead a class": [
            ("answer_key.html", "Answer key"),
            *(
                (f"teaching/{name}.html", f"Run sheet {title}" if name[:2].isdecimal() else title)
                for name, title in titles.items()
            ),
        ],
    }
