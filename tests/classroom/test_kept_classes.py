"""Which classes are kept here, which one is meant, and that looking makes and changes nothing."""

import os
import re
import subprocess
import sys
from datetime import date

import pytest
from sqlalchemy.engine import URL

from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.kept_classes import (
    RUNNING,
    NoClassError,
    chosen_class,
    class_at,
    copied,
    kept_classes,
    latest_class,
    look,
    todays_class,
)
from attn_lab.classroom.wire import Answer

TODAY = date.today().isoformat()


def _url(path):
    return URL.create("sqlite", database=str(path))


def _keep(path, *, answers=0, **settings):
    database = ClassDatabase(_url(path))
    for n in range(answers):
        answer = Answer(f"answer-{n:06}", "04/ripple", 1, False, "all", "guess")
        database.save(f"learner {n % 2}", answer)
    database.put_all(settings)
    database.engine.dispose()
    return path


def test_a_restart_on_the_same_day_goes_on_with_the_last_class_of_it(tmp_path):
    first = todays_class(tmp_path / "classes")
    assert re.fullmatch(rf".*/classes/class-{TODAY}\.sqlite", first.database)
    assert todays_class(tmp_path / "classes", new=True) == first  # there is none yet
    _keep(first.database)
    assert todays_class(tmp_path / "classes") == first
    names = []
    for _ in range(10):
        another = todays_class(tmp_path / "classes", new=True)
        _keep(another.database)
        names.append(os.path.basename(another.database))
        assert todays_class(tmp_path / "classes") == another
    assert names == [f"class-{TODAY}-{n}.sqlite" for n in range(2, 12)]


def test_the_latest_class_is_the_newest_that_anybody_answered(tmp_path):
    _keep(tmp_path / "class-2026-01-02-2.sqlite", answers=3)
    _keep(tmp_path / "class-2026-01-02.sqlite", answers=1)
    _keep(tmp_path / "class-2026-01-02-10.sqlite", hands={"04/ripple": {"1": {"all": 7}}})
    _keep(tmp_path / "class-2026-02-01.sqlite")
    _keep(tmp_path / "zoo.sqlite", answers=4)
    found = latest_class(tmp_path)
    assert (found.url.database, found.size()) == (
        str(tmp_path / "class-2026-01-02-10.sqlite"),
        "0 people, 0 answers, 7 raised hands",
    )
    sizes = [each.size() for each in kept_classes(tmp_path)]
    assert sizes == [
        "0 people, 0 answers",
        found.size(),
        "2 people, 3 answers, 1 question",
        "1 person, 1 answer, 1 question",
        "2 people, 4 answers, 1 question",
    ]


def test_of_several_classes_the_one_whose_number_is_typed_is_meant(tmp_path):
    old = _keep(tmp_path / "class-2026-01-02.sqlite", answers=1)
    new = _keep(tmp_path / "class-2026-01-03.sqlite", answers=3)
    _keep(tmp_path / "class-2026-01-04.sqlite")  # nobody answered
    asked = []

    def typed(said):
        return lambda text: asked.append(text) or said

    assert chosen_class(tmp_path, typed("2")).url.database == str(old)
    assert chosen_class(tmp_path, typed(" ")).url.database == str(new)
    assert asked[0].splitlines()[0] == f"1  {new}: 2 people, 3 answers, 1 question"
    with pytest.raises(NoClassError, match="expected a number from 1 to 2, got '3'"):
        chosen_class(tmp_path, typed("3"))


def test_of_one_class_nothing_is_asked(tmp_path):
    only = _keep(tmp_path / "class-2026-01-02.sqlite", answers=1)
    assert chosen_class(tmp_path, lambda text: pytest.fail(text)).url.database == str(only)


def test_a_class_that_is_not_there_is_not_made_and_those_that_are_there_are_named(tmp_path):
    folder = tmp_path / "classes"
    with pytest.raises(NoClassError, match="None was started here yet"):
        latest_class(folder)
    with pytest.raises(NoClassError, match="no class is there"):
        class_at(_url(tmp_path / "none.sqlite"), folder)
    assert list(tmp_path.iterdir()) == []
    folder.mkdir()
    _keep(folder / "class-2026-02-01.sqlite")
    with pytest.raises(NoClassError, match=r"02-01\.sqlite: 0 people, 0 answers"):
        latest_class(folder)
    _keep(folder / "class-2026-02-01.sqlite", answers=3)
    with pytest.raises(NoClassError, match=r"02-01\.sqlite: 2 people, 3 answers"):
        class_at(_url(tmp_path / "none.sqlite"), folder)


@pytest.mark.parametrize(
    ("content", "said"), [(b"mine " * 100, "not a database"), (b"", "no class")], ids=["text", ""]
)
def test_what_is_no_class_is_said_to_be_none_and_stays(tmp_path, content, said):
    (tmp_path / "notes").write_bytes(content)
    with pytest.raises(NoClassError, match=said):
        class_at(_url(tmp_path / "notes"), tmp_path)
    assert (tmp_path / "notes").read_bytes() == content


def test_a_class_that_runs_is_said_to_run_and_comes_before_an_older_one(tmp_path):
    _keep(tmp_path / "class-2026-01-02.sqlite", answers=1)
    path = _keep(tmp_path / "class-2026-01-03.sqlite", answers=1)
    running = ClassDatabase(_url(path))
    running.put("a", 1)
    assert look(_url(path)).trouble == RUNNING
    with pytest.raises(NoClassError, match=r"01-03\.sqlite: it is running"):
        latest_class(tmp_path)
    running.engine.dispose()


def test_looking_at_a_class_or_copying_it_changes_nothing(tmp_path):
    path = _keep(tmp_path / "class.sqlite", answers=2)
    before = path.read_bytes()
    path.chmod(0o444)
    assert look(_url(path)).answers == 2
    with copied(_url(path)) as copy:
        database = ClassDatabase(copy)
        assert len(database.rows()) == 2
        database.put("a", 1)
        database.engine.dispose()
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_a_killed_server_left_in_its_log_is_counted(tmp_path):
    path = tmp_path / "class.sqlite"
    code = f"""
import os
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.wire import Answer
database = ClassDatabase("sqlite:///{path}")
database.save("ann", Answer("answer-000001", "04/ripple", 1, False, "all", "guess"))
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -9
    assert (tmp_path / "class.sqlite-wal").stat().st_size
    assert look(_url(path)).answers == 1
    with copied(_url(path)) as copy:
        assert look(copy).answers == 1
