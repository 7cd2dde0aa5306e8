"""The learner's folder: where it is, and that it is one."""

from pathlib import Path

from attn_lab.record.paths import named_path

SHIPPED_LAST = ".attn-lab-shipped.json"  # the digest of each file as it was last offered here


def learner_home() -> Path:
    """Return the learner's folder: ATTN_LAB_HOME, or attn-lab-notebooks where they are now.

    Where they are now may be that folder itself: a notebook runs in the folder it lies in.
    Raises: ValueError where ATTN_LAB_HOME begins with the home of a user who is not here, and
    where the folder that they are in has been deleted.
    """
    try:
        if named := named_path("ATTN_LAB_HOME"):
            return named
        here = Path.cwd()
    except FileNotFoundError:
        raise ValueError(
            "the folder that you are in is gone: it was deleted or moved. Go to another one, "
            "such as with cd ~, and try again."
        ) from None
    return here if (here / SHIPPED_LAST).is_file() else here / "attn-lab-notebooks"


def make_folder(home: Path) -> None:
    """Make the learner's folder where there is none.

    Raises: ValueError that says what is in the way, and what to set.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        file = next((each for each in (home, *home.parents) if each.is_file()), None)
        why = f"{file} is a file" if file else f"it cannot be made ({problem.strerror})"
        raise ValueError(
            f"ATTN_LAB_HOME needs a folder for your notebooks; {home} is none, because {why}. "
            "Set ATTN_LAB_HOME to another folder."
        ) from None
