"""A class server in this process or in one of its own, and four questions to ask it."""

import asyncio
import http.client
import json
import re
import signal
import subprocess
import sys
import threading

from attn_lab.classroom.server.listeners import start
from attn_lab.course.kinds import KINDS, NearMiss, Option
from tests.helpers.processes import free_port

SECRET = "0123456789abcdef" * 2  # a learner's
RUN = """
import sys
from attn_lab.cli import main
sys.exit(main(["class", "--quiet", *sys.argv[1:]]))
"""

# The process ends after the given save has been committed and before anybody is told.
DIES_BETWEEN_COMMIT_AND_REPLY = """
import os
from attn_lab.classroom.server.class_database import ClassDatabase
save, calls = ClassDatabase.save, []
def failing(self, *args, **kwargs):
    outcome = save(self, *args, **kwargs)
    calls.append(outcome)
    if len(calls) == 3:
        os._exit(1)
    return outcome
ClassDatabase.save = failing
"""


def _question(id, kind, **fields):
    common = {"prompt": "What then?", "depth": "class", "statements": ("S26",), "minutes": 4}
    return KINDS[kind](id=id, explanation="Because.", **(common | fields))


RIPPLE = _question(
    "04/ripple",
    "choice",
    discuss=True,
    ask_next="What is in the denominator?",
    options=(
        Option("row-4", "Row 4 alone", "…"),
        Option("all", "Every row", "…", "future-flows-back"),
        Option("column", "Column 4", "…", "axes-swapped"),
    ),
)
FIRST_ROW = _question(
    "05/first-row",
    "numbers",
    labels=("key 1", "key 2", "key 3", "key 4"),
    tolerance=0.01,
    near_misses=(
        NearMiss("zeroed after softmax", [0.266, 0, 0, 0], "…", "mask-after-softmax"),
        NearMiss("mask forgotten", [0.266, 0.266, 0.266, 0.202], "…", "mask-forgotten"),
    ),
)
LEGAL = _question(
    "04/legal",
    "cells",
    rows=("query 1", "query 2"),
    columns=("key 1", "key 2"),
    near_misses=(NearMiss("not itself", [[0, 0], [1, 0]], "…", "not-itself"),),
)
SPLIT = _question(
    "07/split",
    "shape",
    labels=("one head",),
    near_misses=(NearMiss("heads last", [4, 64, 8], "…", "axes-swapped"),),
)


class ClassProcess:
    """`text` is what learners paste, `link` the instructor's way in; the port stays the same."""

    def __init__(self, url):
        self.url, self.port, self.desk_port = url, free_port(), free_port()
        self.process = None

    def start(self, before=""):
        if self.process is not None:
            self.process.stdout.close()
        options = {
            "--address": "127.0.0.1",
            "--port": self.port,
            "--desk-port": self.desk_port,
            "--database": self.url,
        }
        told = [str(part) for option in options.items() for part in option]
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + RUN, *told],
            stdout=subprocess.PIPE,
            text=True,
        )
        said = ""
        for line in self.process.stdout:
            said += line
            if line.startswith("Stop with"):
                break
        self.text = re.search(r"paste:\s+(\S+)", said)[1]
        self.link = re.search(r"http://\S+/enter#\S+", said)[0]
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)
        self.process.stdout.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        self.process.stdout.close()


class Served:
    """A class server in a thread of its own, and requests to its two listeners."""

    def __init__(self, url, course, learner_host="127.0.0.1", **options):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self.do(start(url, course, learner_host=learner_host, **options))
        self.code = self.server.room.code

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(20)

    def close(self):
        self.do(self.server.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    def ask(self, port, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body).encode()
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            raw = reply.read()
            is_json = "json" in (reply.getheader("Content-Type") or "")
            return reply.status, json.loads(raw) if is_json else raw.decode(), reply.headers
        finally:
            connection.close()

    def learn(self, body, secret=SECRET, path="/answers", code=None, **headers):
        code = self.code if code is None else code
        own = {"Attn-Lab-Code": code, "Authorization": f"Bearer {secret}"} | headers
        return self.ask(self.server.learner_port, "POST", path, body, own)

    def enter(self):
        """Come in by a fresh link: the headers that the instructor's pages send."""
        link = self.do(self.server.link())
        own = {"Origin": f"http://127.0.0.1:{self.server.instructor_port}"}
        key = {"key": link.split("#")[1]}
        status, _, headers = self.ask(self.server.instructor_port, "POST", "/enter-with", key, own)
        assert status == 200
        return own | {"Cookie": headers["Set-Cookie"].split(";")[0]}

    def lead(self, method, path, body=None, headers=None):
        return self.ask(self.server.instructor_port, method, path, body, headers)

    def stream(self, page, headers):
        """The open connection of a page's stream, and the states that come along it."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.server.instructor_port, timeout=20
        )
        connection.request("GET", f"/{page}/events", headers=headers)
        reply = connection.getresponse()
        assert reply.status == 200
        assert reply.getheader("Content-Type") == "text/event-stream"

        def states():
            while True:
                line = reply.readline().decode()
                if line.startswith("data: "):
                    yield json.loads(line[6:])

        return connection, states()
