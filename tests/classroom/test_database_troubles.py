"""A database that cannot be used says what it is and what to do, in one sentence."""

import os
import tempfile
import traceback
from pathlib import Path

import pytest
from sqlalchemy.exc import SQLAlchemyError

from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.database_troubles import IN_USE, NO_FOLDER, READ_ONLY, why_not

NOBODY = 65534


@pytest.fixture
def folder():
    """One that another user may reach, as pytest's own is not."""
    with tempfile.TemporaryDirectory(prefix="attn-lab-class-") as name:
        yield Path(name)


def _said_to_somebody(url):
    """What is said when this is opened by a user whom the system does not let do everything."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            ClassDatabase(url)
        except SQLAlchemyError as error:
            os.write(write, why_not(error).encode())
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    with open(read) as said:
        return said.read()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="another user needs a process of its own")
@pytest.mark.parametrize(
    ("file", "parent", "said"),
    [
        (0o444, 0o777, READ_ONLY),
        (0o444, 0o555, READ_ONLY),
        (0o644, 0o555, READ_ONLY),
        (0o000, 0o777, NO_FOLDER),
    ],
)
def test_a_database_that_may_only_be_read_is_said_to_be_that(folder, file, parent, said):
    path = folder / "class.sqlite"
    ClassDatabase(f"sqlite:///{path}").engine.dispose()
    for each, mode in ((path, file), (folder, parent)):
        if os.geteuid() == 0:
            os.chown(each, NOBODY, NOBODY)
        each.chmod(mode)
    told = _said_to_somebody(f"sqlite:///{path}")
    folder.chmod(0o777)
    assert said in told and "disk I/O" not in told


def test_a_database_that_another_class_holds_is_said_to_be_that(folder):
    url = f"sqlite:///{folder}/class.sqlite"
    held = ClassDatabase(url)
    held.put("a", 1)
    with pytest.raises(SQLAlchemyError) as caught:
        ClassDatabase(url)
    assert IN_USE in why_not(caught.value)
    held.engine.dispose()
