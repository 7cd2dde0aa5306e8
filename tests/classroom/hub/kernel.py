"""Runs code in a kernel of a server that the Hub has spawned for a user."""

import asyncio
import json
import uuid
from concurrent.futures import ThreadPoolExecutor

from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect


def run_in_kernel(hub, user, code):
    """What the code prints."""
    token = hub.token(user)
    headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}
    hub.get(None, f"/hub/api/users/{user}/server", body=b"", headers=headers, method="POST")

    def ready():
        _, said = hub.get(None, f"/hub/api/users/{user}", headers=headers)
        return json.loads(said)["servers"].get("", {}).get("ready")

    hub.until(ready)
    status, said = hub.get(
        None, f"/user/{user}/api/kernels", body={"name": "python3"}, headers=headers
    )
    assert status == 201, said
    kernel = json.loads(said)["id"]
    address = f"{hub.url.replace('http', 'ws', 1)}/user/{user}/api/kernels/{kernel}/channels"
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright keeps this thread's loop running
        return elsewhere.submit(lambda: asyncio.run(_run(address, headers, code))).result()


async def _run(address, headers, code):
    socket = await websocket_connect(HTTPRequest(address, headers=headers))
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3"}
    header |= {"username": "", "session": uuid.uuid4().hex}
    content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
    await socket.write_message(json.dumps(message | {"channel": "shell", "buffers": []}))
    printed = ""
    while True:
        reply = json.loads(await asyncio.wait_for(socket.read_message(), 60))
        if reply["parent_header"].get("msg_id") != header["msg_id"]:
            continue
        if reply["msg_type"] == "stream":
            printed += reply["content"]["text"]
        if reply["msg_type"] == "error":
            printed += "\n".join(reply["content"]["traceback"])
        if reply["msg_type"] == "execute_reply":
            break
    socket.close()
    while await asyncio.wait_for(socket.read_message(), 60) is not None:
        pass  # until the server has closed it too
    return printed
