"""`attn-lab class` prints one string for learners and one link for the desk, and stops cleanly."""

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from attn_lab.classroom.join_string import read_string
from attn_lab.classroom.server.admission import CODE_ALPHABET
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.startup import own_address
from attn_lab.classroom.wire import Answer
from attn_lab.commands.class_ import add_arguments

START = """
import argparse, sys
from attn_lab.commands.class_ import add_arguments, run
parser = argparse.ArgumentParser(); add_arguments(parser)
sys.exit(run(parser.parse_args(sys.argv[1:])))
"""


def _class_of_one(folder, name="class.sqlite"):
    folder.mkdir(parents=True, exist_ok=True)
    database = ClassDatabase(f"sqlite:///{folder / name}")
    database.save("ann", Answer("answer-000001", "04/ripple", 1, False, "all", "guess"))
    database.engine.dispose()
    return folder / name


def _class(tmp_path, *options):
    command = [sys.executable, "-c", START, "--port", "0", "--desk-port", "0", *options]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
    )


def _until_stop(process):
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("Stop with"):
            break
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=20)
    assert process.returncode == 0, errors
    return "".join(lines) + rest


def test_learners_get_one_string_and_the_instructor_one_link(tmp_path):
    said = _until_stop(_class(tmp_path, "--address", "127.0.0.1"))
    code = rf"[{CODE_ALPHABET}]{{4}}-[{CODE_ALPHABET}]{{4}}"
    assert re.search(rf"Learners paste:  http://127\.0\.0\.1:\d+#{code}\n", said)
    assert re.search(r"http://127\.0\.0\.1:\d+/enter#\S{40,}", said)
    assert "Starting again today goes on with this class." in said
    assert re.findall(code, said)[0] in _until_stop(_class(tmp_path, "--address", "127.0.0.1"))


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "::1", "[::1]"])
def test_the_string_for_learners_names_one_address_that_can_be_joined(tmp_path, address):
    if "::" in address and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    said = _until_stop(_class(tmp_path, "--address", address))
    text = re.search(r"Learners paste:  (\S+)\n", said)[1]
    host = urlsplit(read_string(text)[0]).hostname
    assert host == ("::1" if "1" in address else own_address())


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs /proc")
def test_the_running_server_has_loaded_no_torch(tmp_path):
    process = _class(tmp_path, "--address", "127.0.0.1")
    assert process.stdout.readline().startswith("Learners paste")
    with open(f"/proc/{process.pid}/maps") as maps:
        loaded = maps.read()
    _until_stop(process)
    assert "sqlite" in loaded  # the check can find a library
    assert not any(heavy in loaded for heavy in ("torch", "matplotlib", "numpy"))


def test_a_rehearsal_keeps_nothing_and_lets_nobody_in(tmp_path):
    said = _until_stop(_class(tmp_path, "--rehearse"))
    assert "invented" in said
    assert "Learners paste" not in said and "goes on" not in said
    assert not (tmp_path / "attn_lab").exists()


def test_without_a_network_only_the_desk_is_there(tmp_path):
    said = _until_stop(_class(tmp_path, "--no-network"))
    assert "No network" in said
    assert "Learners paste" not in said


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = _class(tmp_path, "--no-network", "--desk-port", port)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert errors.startswith("The class cannot start:")
    assert "--desk-port" in errors
    assert "Traceback" not in errors


def test_a_second_server_on_the_same_class_is_refused_in_words(tmp_path):
    url = f"sqlite:///{tmp_path}/class.sqlite"
    first = _class(tmp_path, "--no-network", "--database", url)
    assert first.stdout.readline()
    second = _class(tmp_path, "--no-network", "--database", url)
    _, errors = second.communicate(timeout=30)
    assert second.returncode == 1
    assert "Another attn-lab class is running" in errors
    assert "Traceback" not in errors
    _until_stop(first)


def _refused(tmp_path, *options):
    process = _class(tmp_path, *options)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (1, 2)
    assert "Traceback" not in errors and len(errors.strip().splitlines()) == 1, errors
    return errors


def test_a_plain_path_is_a_file_for_the_class(tmp_path):
    path = tmp_path / "with #?% and spaces.sqlite"
    _until_stop(_class(tmp_path, "--no-network", "--database", str(path)))
    assert path.read_bytes().startswith(b"SQLite format 3")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "url",
    [
        "mysql://x",
        "odd+x://x",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:x",
        "postgresql://u:pw@h:x/d",
    ],
)
def test_a_database_that_no_class_can_use_is_said_in_one_line(tmp_path, url):
    assert _refused(tmp_path, "--database", url).startswith("--database: ")


def test_a_file_that_is_no_database_is_said_in_one_line_and_stays(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine " * 1000)
    assert "not a database. Give another" in _refused(tmp_path, "--database", str(path))
    assert path.read_text() == "mine " * 1000


def test_the_advice_fits_what_went_wrong(tmp_path):
    (tmp_path / "file").write_text("")
    missing = str(tmp_path / "missing" / "class.sqlite")
    said = [
        _refused(
            tmp_path, "--report", str(tmp_path / "file"), "--database", str(_class_of_one(tmp_path))
        ),
        _refused(tmp_path, "--address", "192.0.2.1"),
        _refused(tmp_path, "--address", "no-such-host.invalid"),
        _refused(tmp_path, "--database", missing),
    ]
    assert not any("--port" in one or "another attn-lab" in one.lower() for one in said)
    assert said[0].startswith("The report cannot be written:") and "File exists" in said[0]
    assert "leave out --address" in said[1] and "leave out --address" in said[2]
    assert "folder has to exist" in said[3]


@pytest.mark.parametrize("option", ["--port", "--desk-port"])
@pytest.mark.parametrize("number", ["99999", "65536", "-1", "x"])
def test_a_port_that_no_machine_has_is_refused(option, number, capsys):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([f"{option}={number}"])
    assert f"expected a port from 0 to 65535, got {number!r}" in capsys.readouterr().err


def test_a_rehearsal_has_no_report(tmp_path):
    folder = tmp_path / "report"
    assert "leave one of them out" in _refused(tmp_path, "--rehearse", "--report", str(folder))
    assert not folder.exists()


def test_the_address_is_one_of_this_machine():
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", own_address())


@pytest.mark.parametrize("options", [["--rehearse"], ["--no-network"], ["--quiet"], []])
def test_every_option_has_its_word(options):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert parser.parse_args(options).port == 8765


def test_reading_the_options_loads_no_server():
    heavy = "sqlalchemy tornado asyncio matplotlib torch".split()
    code = f"import sys, attn_lab.commands.class_; print({heavy} & sys.modules.keys())"
    code = code.replace(str(heavy), f"set({heavy})")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_a_report_is_written_from_the_command_line(tmp_path):
    _class_of_one(tmp_path / "attn_lab" / "classes", "class-2026-01-02.sqlite")
    process = _class(tmp_path, "--report", str(tmp_path / "report"))
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    held = r"1 person, 1 answer, 1 question\."
    assert re.match(rf"The class in \S+/class-2026-01-02\.sqlite: {held}\n", said)
    assert said.count("Written: ") == 6
    assert "hold what notebooks sent" in said
    assert (tmp_path / "report" / "moves.svg").exists()


def test_the_classes_kept_here_are_listed_with_people_answers_and_questions(tmp_path):
    assert _class(tmp_path, "--list").communicate(timeout=60)[0].startswith("No class was started")
    _class_of_one(tmp_path / "attn_lab" / "classes", "class-2026-01-02.sqlite")
    said, _ = _class(tmp_path, "--list").communicate(timeout=60)
    assert said.endswith("/class-2026-01-02.sqlite: 1 person, 1 answer, 1 question\n")


def test_a_report_of_no_class_is_refused_and_makes_none(tmp_path):
    report = str(tmp_path / "report")
    lines = [
        _refused(tmp_path, "--report", report),
        _refused(tmp_path, "--report", report, "--database", str(tmp_path / "none.sqlite")),
    ]
    assert "no class on this computer was answered" in lines[0]
    assert "no class is there" in lines[1]
    assert list(tmp_path.iterdir()) == []


def test_a_second_group_on_one_day_gets_a_class_of_its_own(tmp_path):
    network = ("--address", "127.0.0.1")
    first = _until_stop(_class(tmp_path, *network))
    assert "Going on" not in first and "A new class" not in first
    folder = tmp_path / "attn_lab" / "classes"
    [file] = folder.iterdir()
    _class_of_one(folder, file.name)
    again = _until_stop(_class(tmp_path, *network))
    assert again.startswith(f"Going on with the class in {file}: 1 person, 1 answer, 1 question.")
    assert "For another group: attn-lab class --new" in again.splitlines()[0]
    new = _until_stop(_class(tmp_path, *network, "--new"))
    assert new.startswith("A new class.") and f"{file}: 1 person, 1 answer" in new.splitlines()[0]
    codes = [re.search(r"paste:  \S+#(\S+)", said)[1] for said in (first, again, new)]
    assert codes[0] == codes[1] != codes[2]
    assert len(list(folder.iterdir())) == 2
    assert codes[2] in _until_stop(_class(tmp_path, *network))  # the last one of the day


@pytest.mark.parametrize("option", [["--database", "x.sqlite"], ["--report", "x"], ["--rehearse"]])
def test_a_new_class_is_todays_and_is_held(tmp_path, option):
    assert "--new begins a class with a file of its own" in _refused(tmp_path, "--new", *option)
