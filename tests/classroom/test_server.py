"""Two listeners that do not wait for ever, and a process that stops cleanly."""

import socket
import time

from attn_lab.classroom import server as module

from .conftest import Served


def test_half_open_requests_are_closed_and_the_room_goes_on(tmp_path, course, answer, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1)
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
