"""`attn-lab forget`: delete the learner's predictions and task results, not their notebooks."""

import argparse

NAME = "forget"
HELP = "delete all your predictions and the results of your tasks from this computer"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --yes, for when nobody is there to be asked."""
    parser.add_argument("--yes", action="store_true", help="do not ask first")


def run(arguments: argparse.Namespace) -> int:
    """Say what would go, ask, and delete."""
    from attn_lab.record import open_store

    store = open_store()
    with store.one_action():
        kept = (
            f"{_count(len(store.attempts()), 'prediction')} and "
            f"{_count(len(store.tasks()), 'task result')} in {store.path}"
        )
        if store.trouble:
            kept = f"all that is in {store.path}, which cannot be read just now"
    if not arguments.yes and not _is_sure(kept):
        print("Nothing was deleted.")
        return 1
    unseen = store.trouble  # forgetting empties it
    removed = store.forget()
    left = store.beside()
    for path in removed:
        print(f"Deleted {path}")
    for path in left:
        print(f"Left alone {path}: it is not a file of attn_lab.")
    if not removed and not left and unseen:
        print(f"Nothing could be deleted: {store.path} cannot be looked at.")
    elif not removed and not left:
        print(f"There was nothing to delete: {store.path} does not exist.")
    return 0


def _is_sure(what: str) -> bool:
    print(f"This deletes {what}.")
    print("Results that were already shown stay in the notebooks that you saved.")
    try:
        return input("It cannot be undone. Type yes: ").strip().lower() == "yes"
    except EOFError:
        print()
        return False


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
