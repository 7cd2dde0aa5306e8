"""The wrong ideas of the course, each named once; questions and mistakes refer to them by id."""

from functools import cache
from pathlib import Path

from attn_lab.course.loading import Checked, check_key, read_table, read_toml

PATH = Path(__file__).parent / "misconceptions.toml"


class Misconception(Checked, frozen=True):
    """A rule that works somewhere, and is followed where it does not."""

    id: str
    name: str
    rule: str
    holds: str
    check: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_key("id", self.id)


def read_misconceptions(path: Path) -> dict[str, Misconception]:
    """The misconceptions of one file by id, every field checked.

    Raises: ValueError naming file, misconception and field, what was expected and what came.
    """
    found = {}
    for id, table in read_toml(path).items():
        named = {"id": id, **table} if isinstance(table, dict) else table
        found[id] = read_table(Misconception, named, f"{path.name}, {id}")
    return found


@cache
def misconceptions() -> dict[str, Misconception]:
    """Every misconception by its id."""
    return read_misconceptions(PATH)
