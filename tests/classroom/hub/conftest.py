"""A real Hub on this machine, in a folder of its own, with the configuration that we ship."""

import http.cookiejar
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROXIES = (
    os.environ.get("ATTN_LAB_PROXY"),
    shutil.which("configurable-http-proxy"),
    ROOT / "build/hub/node_modules/.bin/configurable-http-proxy",
)


def _proxy():
    return next((str(path) for path in PROXIES if path and Path(path).exists()), None)


def pytest_collection_modifyitems(items):
    missing = [
        what
        for what, there in [
            ("pip install -r requirements-test.lock", importlib.util.find_spec("jupyterhub")),
            ("npm install --prefix build/hub configurable-http-proxy", _proxy()),
        ]
        if not there
    ]
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    reason = f"needs {' and '.join(missing)}"
    if ours and missing and os.environ.get("ATTN_LAB_REQUIRE_SERVERS") == "1":
        raise pytest.UsageError(f"tests/classroom/hub {reason}: ATTN_LAB_REQUIRE_SERVERS=1 is set")
    for item in ours if missing else ():
        item.add_marker(pytest.mark.skip(reason=reason))


def _four_free_ports():
    for base in range(28000, 48000, 17):
        try:
            for port in range(base, base + 4):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return base
        except OSError:
            continue
    raise OSError("no four free ports in a row")


class Hub:
    """A running Hub and a browser session for each user, without a browser."""

    def __init__(self, folder, base, **more):
        self.url, self.sessions = f"http://127.0.0.1:{base}", {}
        environment = os.environ | {
            "ATTN_LAB_HUB_PORT": str(base),
            "ATTN_LAB_PROXY": _proxy(),
            "PYTHONPATH": str(ROOT),
            "ATTN_LAB_KEEP": "PYTHONPATH",
            **more,
        }
        (folder / "homes").mkdir()
        self.log = folder / "hub.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "jupyterhub",
                    "-f",
                    str(ROOT / "notebooks/teaching/jupyterhub_config.py"),
                ],
                cwd=folder,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        up = "/hub/api" if more else "/services/class/"
        self.until(lambda: self.get(None, up)[0] == 200)

    def until(self, holds, seconds=120):
        deadline = time.monotonic() + seconds
        while True:
            try:
                if found := holds():
                    return found
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(self.log.read_text()[-3000:])
            time.sleep(0.2)

    def get(self, user, path, *, body=None, headers=None, method=None):
        """Status and text; redirects are followed, as a browser does."""
        opener = self.sessions.get(user)
        if opener is None:
            jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
            self.sessions[user] = opener = urllib.request.build_opener(jar)
            if user:
                _, form = self.get(user, "/hub/login")
                xsrf = re.search(r'name="_xsrf"\s+value="([^"]+)"', form)[1]
                fields = {"username": user, "password": "x", "_xsrf": xsrf}
                self.get(user, "/hub/login", body=urllib.parse.urlencode(fields).encode())
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, body, headers or {}, method=method)
        try:
            with opener.open(request, timeout=30) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def post(self, body, token, path="/services/class/answers"):
        """Send as a kernel does, with a token and without cookies."""
        headers = {"Authorization": f"Bearer {token}"}
        status, said = self.get(None, path, body=body, headers=headers)
        return status, json.loads(said)

    def token(self, user):
        """A token that this user made on the Hub's own page."""
        _, home = self.get(user, "/hub/token")
        xsrf = urllib.parse.quote(re.search(r'xsrf_token: "([^"]+)"', home)[1])
        path = f"/hub/api/users/{user}/tokens?_xsrf={xsrf}"
        headers = {"Content-Type": "application/json", "Referer": self.url + "/hub/token"}
        status, said = self.get(user, path, body={"note": "test"}, headers=headers)
        assert status in (200, 201), said
        return json.loads(said)["token"]

    def query(self, user):
        """What the instructor's page puts behind its requests."""
        status, page = self.get(user, "/services/class/desk")
        assert status == 200, page[:500]
        return re.search(r'data-query="([^"]+)"', page)[1]


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hub")
    running = Hub(folder, _four_free_ports())
    yield running
    running.process.terminate()
    running.process.wait(60)
