"""The class started by somebody else than the Hub, as on Kubernetes; it survives the Hub."""

import os
import subprocess
import sys
import uuid

import pytest

from attn_lab.classroom.hub import HUB_AWAY

from .conftest import ROOT, Hub, _four_free_ports

TOKEN = "a-secret-of-the-administrator-0123456789"


@pytest.fixture
def both(tmp_path):
    base = _four_free_ports()
    variables = {
        "JUPYTERHUB_API_TOKEN": TOKEN,
        "JUPYTERHUB_API_URL": f"http://127.0.0.1:{base + 1}/hub/api",
        "JUPYTERHUB_BASE_URL": "/",
        "JUPYTERHUB_SERVICE_NAME": "class",
        "JUPYTERHUB_SERVICE_PREFIX": "/services/class/",
        "JUPYTERHUB_SERVICE_URL": f"http://127.0.0.1:{base + 3}",
        "JUPYTERHUB_CLIENT_ID": "service-class",
        "JUPYTERHUB_OAUTH_CALLBACK_URL": "/services/class/oauth_callback",
        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": '["access:services!service=class"]',
        "ATTN_LAB_CLASS_DATABASE": f"sqlite:///{tmp_path}/class.sqlite",
        "PYTHONPATH": str(ROOT),
    }
    service = subprocess.Popen(
        [sys.executable, "-m", "attn_lab.classroom.hub"],
        env=os.environ | variables,
        stderr=subprocess.DEVNULL,
    )
    hub = Hub(tmp_path, base, ATTN_LAB_CLASS_TOKEN=TOKEN)
    hub.until(lambda: hub.get(None, "/services/class/")[0] == 200)
    yield hub, service
    service.terminate()
    service.wait(30)
    hub.process.terminate()
    hub.process.wait(60)


def test_an_external_class_takes_answers_and_survives_the_hub(both):
    hub, service = both
    body = {"id": str(uuid.uuid4()), "exercise": "01/zero-score", "round": 1, "seen": False}
    body |= {"answer": "none", "confidence": "guess"}
    token = hub.token("learner1")
    assert hub.post(body, token) == (200, {"saved": body["id"]})
    assert hub.query("instructor").startswith("?_xsrf=")
    assert hub.get("learner2", "/services/class/desk")[0] == 403
    hub.process.terminate()
    hub.process.wait(60)
    assert service.poll() is None
    direct = hub.url.rsplit(":", 1)[0] + f":{int(hub.url.rsplit(':', 1)[1]) + 3}"
    hub.url = direct  # the proxy went with the Hub
    status, said = hub.post(body, "never-seen-before")
    assert (status, said["reason"]) == (503, HUB_AWAY.name)
    assert hub.post(body, token)[0] == 200  # known for five minutes
