"""A JupyterHub on one machine with a class of attn_lab: `jupyterhub -f jupyterhub_config.py`.

Needs `pip install 'attn-lab[hub]'` and `npm install configurable-http-proxy` in the
folder from which it is started; files of the Hub and of the class are kept there. The dummy
authenticator asks for no password: try it on 127.0.0.1, and use your institution's in earnest.
"""

import os
import sys
from pathlib import Path

from attn_lab.commands.lab import lab_environment

c = get_config()  # noqa: F821 - JupyterHub gives it
here = Path.cwd()
port = int(os.environ.get("ATTN_LAB_HUB_PORT", "8000"))
address = f"http://127.0.0.1:{port}"

c.JupyterHub.bind_url = address
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{port + 1}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{port + 2}"
c.ConfigurableHTTPProxy.command = [
    os.environ.get("ATTN_LAB_PROXY", str(here / "node_modules/.bin/configurable-http-proxy"))
]
c.JupyterHub.db_url = f"sqlite:///{here}/hub.sqlite"
c.JupyterHub.cookie_secret_file = str(here / "cookie_secret")

c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allowed_users = {"instructor", *(f"learner{n}" for n in range(1, 31))}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(here / "homes/{username}")
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]  # needs no PATH
c.Spawner.args = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
# Kernels send their Hub token to this address and to no other one.
c.Spawner.environment = lab_environment({"ATTN_LAB_CLASS": f"{address}/services/class/"})
c.Spawner.env_keep = [*os.environ.get("ATTN_LAB_KEEP", "").split(), "PATH", "LANG"]

c.JupyterHub.custom_scopes = {
    "custom:attn-lab-class:read": {"description": "See what the room predicted"}
}
c.JupyterHub.load_groups = {"instructors": {"users": ["instructor"]}}
# The first two replace the Hub's own roles of these names, so they repeat what those allow.
c.JupyterHub.load_roles = [
    {"name": "user", "scopes": ["self", "access:services!service=class"]},
    {
        "name": "server",
        "scopes": [
            "users:activity!user",
            "access:servers!server",
            "access:services!service=class",
        ],
    },
    {
        "name": "class-instructor",
        "scopes": ["custom:attn-lab-class:read"],
        "groups": ["instructors"],
    },
]
service = {
    "name": "class",
    "url": f"http://127.0.0.1:{port + 3}",
    # a browser's token holds the instructor's scope only if it is named here
    "oauth_client_allowed_scopes": ["custom:attn-lab-class:read"],
    "oauth_no_confirm": True,
}
if "ATTN_LAB_CLASS_TOKEN" in os.environ:
    # Started by somebody else, as on Kubernetes, with the same token and these variables:
    # JUPYTERHUB_API_TOKEN, JUPYTERHUB_API_URL, JUPYTERHUB_BASE_URL, JUPYTERHUB_SERVICE_NAME,
    # JUPYTERHUB_SERVICE_PREFIX, JUPYTERHUB_SERVICE_URL, JUPYTERHUB_CLIENT_ID=service-class,
    # JUPYTERHUB_OAUTH_CALLBACK_URL, JUPYTERHUB_OAUTH_ACCESS_SCOPES and ATTN_LAB_CLASS_DATABASE.
    service["api_token"] = os.environ["ATTN_LAB_CLASS_TOKEN"]
else:
    service["command"] = [sys.executable, "-m", "attn_lab.classroom.hub"]
    service["environment"] = {
        "ATTN_LAB_CLASS_DATABASE": f"sqlite:///{here}/class.sqlite",
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
    }
c.JupyterHub.services = [service]
