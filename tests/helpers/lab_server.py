"""One JupyterLab for all browser tests, started as `attn-lab lab` starts it."""

import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from attn_lab.commands.lab import lab_command, lab_environment, needs_allow_root
from tests.helpers.processes import free_port, until

TOKEN = "browser-tests"
START_SECONDS = 90
END_SECONDS = 30


@dataclass(frozen=True)
class LabServer:
    """A running JupyterLab: where it answers, its root folder, and the learner's store."""

    address: str
    root: Path
    store: Path

    def forget(self) -> None:
        """Remove all that learners wrote so far."""
        for path in self.store.parent.glob(self.store.name + "*"):
            path.unlink()

    def await_no_kernel(self) -> None:
        """Wait until the kernels of closed notebooks have ended."""
        until(lambda: self.get("/api/kernels") == b"[]", END_SECONDS, pause=0.05)

    def get(self, path: str) -> bytes:
        """What the server's API says."""
        request = urllib.request.Request(self.address + path)
        request.add_header("Authorization", f"token {TOKEN}")
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read()


@contextmanager
def lab_server(folder: Path) -> Iterator[LabServer]:
    """Run JupyterLab on a free port of this machine, with a home and settings of its own."""
    root, store = folder / "root", folder / "store" / "attempts.db"
    for path in (root, store.parent, folder / "home"):
        path.mkdir(parents=True)
    port = free_port()
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            _command(root, port),
            env=_environment(folder, store),
            cwd=root,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            server = LabServer(f"http://127.0.0.1:{port}", root, store)
            _wait(server, process, log)
            yield server
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def _command(root: Path, port: int) -> list[str]:
    ours = [
        "--no-browser",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}",
        "--LabApp.expose_app_in_browser=True",  # the tests ask it for the kernel's state
    ]
    if needs_allow_root(ours):
        ours.append("--allow-root")
    return lab_command(root, "", ours)


def _environment(folder: Path, store: Path) -> dict[str, str]:
    own = {
        "HOME": str(folder / "home"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "ATTN_LAB_STORE": str(store),
        "OMP_NUM_THREADS": "1",
    }
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("ATTN_LAB", "JUPYTER"))}
    return lab_environment(inherited | own)


def _wait(server: LabServer, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            server.get("/api/status")
            return
        except OSError:
            time.sleep(0.1)  # between two attempts to reach a server that is starting
    raise RuntimeError(f"JupyterLab did not answer; its log ends with\n{log.read_text()[-3000:]}")
