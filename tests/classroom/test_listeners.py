"""A room that commits at once is there exactly once, nobody is waited for for ever, a log holds no
content.

How fast it is, is measured by `tests/bench/class_load.py`, for 300 learners.
"""

import http.client
import json
import logging
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from attn_lab.classroom.server import listeners
from attn_lab.classroom.wire import FAULT

from ..helpers.class_server import SECRET, Served


def test_half_open_requests_are_closed_and_the_room_goes_on(tmp_path, course, answer, monkeypatch):
    monkeypatch.setattr(listeners, "PATIENCE", 1)
    served = Served(f"sqlite:///{tmp_path}/class.sqlite", course)
    stalled = b"POST /answers HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nnot all"
    open_ones = []
    for n in range(60):
        one = socket.create_connection(("127.0.0.1", served.server.learner_port))
        one.sendall(stalled if n % 2 else b"POST /ans")
        one.settimeout(20)
        open_ones.append(one)
    assert served.learn(answer(1))[0] == 200
    began = time.monotonic()
    for one in open_ones:
        while one.recv(4096):  # whatever is said, then the end
            pass
        one.close()
    assert time.monotonic() - began < 15
    assert served.learn(answer(2))[0] == 200
    served.close()


def test_without_an_address_no_learner_is_listened_to(tmp_path, course):
    served = Served(f"sqlite:///{tmp_path}/class.sqlite", course, learner_host=None)
    assert served.server.learners is None
    assert served.server.room.join_string() == ""
    served.close()


def test_a_stopped_server_ends_its_streams_and_frees_its_ports(tmp_path, course):
    served = Served(f"sqlite:///{tmp_path}/class.sqlite", course)
    ports = (served.server.learner_port, served.server.instructor_port)
    headers = served.enter()
    stream = socket.create_connection(("127.0.0.1", ports[1]))
    head = f"GET /desk/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {headers['Cookie']}\r\n\r\n"
    stream.sendall(head.replace("127.0.0.1", f"127.0.0.1:{ports[1]}", 1).encode())
    assert stream.recv(100)
    served.close()
    stream.settimeout(20)
    while stream.recv(65536):
        pass
    stream.close()
    again = Served(
        f"sqlite:///{tmp_path}/class.sqlite",
        course,
        learner_port=ports[0],
        instructor_port=ports[1],
    )
    again.close()


def test_the_instructor_listens_on_the_loopback_address_alone(served):
    [listening] = served.server.instructor._sockets.values()
    assert listening.getsockname()[0] == "127.0.0.1"


def test_the_servers_process_loads_neither_torch_nor_matplotlib_nor_widgets():
    heavy = "torch numpy matplotlib ipywidgets IPython".split()
    code = (
        "import sys, attn_lab.classroom.server.running;"
        "import attn_lab.course.questions as q; q.questions(); q.misconceptions();"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    run = lambda code: subprocess.run(  # noqa: E731
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert run(code) == "[]"
    assert run("import numpy;" + code) == "['numpy']"  # the check can fail


def test_a_room_that_commits_at_once_is_there_once_and_on_the_page(served, answer):
    headers = served.enter()
    move = {"do": "move", "to": "first", "exercise": "04/ripple"}
    served.lead("POST", "/control", move, headers)
    seen = []

    def page():
        connection = http.client.HTTPConnection(
            "127.0.0.1", served.server.instructor_port, timeout=60
        )
        connection.request("GET", "/stage/events", headers=headers)
        reply = connection.getresponse()
        while not seen or seen[-1] < 60:
            line = reply.readline().decode()
            if line.startswith("data: "):
                seen.append(json.loads(line[6:])["answered"][0])
        connection.close()

    watching = threading.Thread(target=page, daemon=True)
    watching.start()

    def learner(n):
        own = {"secret": f"{n:032x}"}
        twice = [served.learn(answer(n), **own)[0] for _ in range(2)]  # a lost reply is sent again
        return twice, served.learn(answer(1000 + n, round=2, answer="row-4"), **own)[0]

    with ThreadPoolExecutor(20) as pool:
        said = list(pool.map(learner, range(60)))
    watching.join(60)
    assert said == [([200, 200], 200)] * 60
    rows = served.do(served.server.work(served.server.room.database.rows))
    assert len({row["id"] for row in rows}) == len(rows) == 2 * 60
    assert len({row["learner"] for row in rows}) == 60
    assert seen[-1] == 60
    assert len(seen) < 60  # whole states, not one for each answer


def test_the_log_holds_no_content(served, answer, caplog):
    caplog.set_level(logging.DEBUG)
    served.learn(answer(1, because="a private thought"))
    served.learn(answer(2, because="a private thought", answer="nothing-known"))
    served.learn(answer(3), code="ZZZZ-ZZZZ")
    served.learn(b"[" * 100 + b"private")
    headers = served.enter()
    served.lead("GET", "/private-path?private=1", headers=headers)
    served.lead("POST", "/control", {"do": "private"}, headers)
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert "POST answers 200" in lines
    assert "POST answers 401" in lines
    assert "GET unknown 404" in lines
    for private in ("private", "04/ripple", "127.0.0.1", SECRET, served.code, "ZZZZ", "certain"):
        assert private not in lines, private


def test_an_error_in_the_server_is_logged_without_its_values(served, answer, caplog, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("a private thought")

    monkeypatch.setattr(served.server.room.database, "save", broken)
    status, said, _ = served.learn(answer(1))
    assert (status, said) == (500, {"reason": FAULT.name, "error": FAULT.said})
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert "answers: RuntimeError" in lines
    assert "private" not in lines + caplog.text
