"""A class server in a process of its own, which can be killed and started again."""

import re
import signal
import socket
import subprocess
import sys

RUN = """
import argparse, sys
from attn_lab.commands.class_ import add_arguments, run
parser = argparse.ArgumentParser(); add_arguments(parser)
sys.exit(run(parser.parse_args(sys.argv[1:])))
"""

# The process ends after the given save has been committed and before anybody is told.
DIES_BETWEEN_COMMIT_AND_REPLY = """
import os
from attn_lab.classroom.database import ClassDatabase
save, calls = ClassDatabase.save, []
def failing(self, *args, **kwargs):
    outcome = save(self, *args, **kwargs)
    calls.append(outcome)
    if len(calls) == 3:
        os._exit(1)
    return outcome
ClassDatabase.save = failing
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
            [sys.executable, "-c", before + RUN, "--quiet", *told],
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
