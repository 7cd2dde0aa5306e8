"""`attn-lab handout`: the whole course as pages to read or print, with results, and a worksheet."""

import argparse
import sys
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
    from attn_lab.commands.answer_key import answer_key
    from attn_lab.commands.handout_index import index_page
    from attn_lab.commands.handout_pages import (
        cells_without_run,
        notebook_page,
        read_editions,
    )
    from attn_lab.commands.learners_folder import shipped_folder
    from attn_lab.commands.printed_sheets import sheet_pages
    from attn_lab.commands.worksheet import chosen, worksheet

    asked = chosen(arguments.questions)
    folder, editions = arguments.folder.expanduser(), read_editions(shipped_folder())
    pages = {f"{name}.html": notebook_page(nb) for name, nb in editions.items()}
    pages |= {"worksheet.html": worksheet(asked), "answer_key.html": answer_key(asked, editions)}
    pages |= sheet_pages(shipped_folder() / "teaching")
    pages["index.html"] = index_page(pages)
    for name, page in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(page, encoding="utf-8")
    for name, nb in editions.items():
        if missing := cells_without_run(nb):
            print(f"{name}: {missing} cells were never run; no results there.", file=sys.stderr)
    print(f"Wrote {len(pages)} pages; begin with {folder / 'index.html'}")
    print("They hold the answers: only worksheet.html is for learners before they predict.")
    return 0
