"""A class that answers as a test tells it to, and a store and a sender for each test."""

import http.server
import json
import threading

import pytest

from attn_lab.classroom.client import outbox, sending
from attn_lab.classroom.client.sending import Sender
from attn_lab.record import Attempt, open_store

CODE = "KX7Q-2MWD"


class FakeClass(http.server.ThreadingHTTPServer):
    """Answers with what `reply(body)` gives: status, JSON or text, headers. Keeps what came."""

    daemon_threads = True

    def __init__(self, reply=None, port=0):
        self.seen = []
        self.at_the_door = (200, {"joined": True}, {})
        self.reply = reply or (lambda body: (200, {"saved": body["id"]}, {}))
        super().__init__(("127.0.0.1", port), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.text = f"{self.address}#{CODE}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def answers(self):
        return [body for path, body, _ in self.seen if path == "/answers"]


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, body, dict(self.headers)))
        fixed = {"/join": self.server.at_the_door, "/leave": (200, {"left": True}, {})}
        status, said, headers = fixed.get(self.path) or self.server.reply(body)
        raw = said.encode() if isinstance(said, str) else json.dumps(said).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


@pytest.fixture(autouse=True)
def own_sender(own_store, monkeypatch):
    monkeypatch.setattr(sending, "FIRST_WAIT", 0.02)
    monkeypatch.setattr(sending, "LONGEST_WAIT", 0.1)
    own = Sender(open_store, outbox._tell)
    monkeypatch.setattr(outbox, "_sender", own)
    yield
    own.stop()
    outbox._watching.clear()


@pytest.fixture(name="room")
def make_room():
    opened = []

    def start(*args, **kwargs):
        opened.append(FakeClass(*args, **kwargs))
        return opened[-1]

    yield start
    for one in opened:
        one.shutdown()
        one.server_close()


def commit(exercise="05/first-row", answer=(1, 0), **more):
    attempt = outbox.addressed(Attempt(exercise, list(answer), "certain", **more))
    saved = open_store().add(attempt)
    if saved.sent:
        outbox.wake()
    return saved


def state(attempt):
    return next(a.sent for a in open_store().attempts() if a.id == attempt.id)
