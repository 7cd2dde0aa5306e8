"""On a Hub learners write only their own answers, and instructors alone read, in the browser."""

import json
import re
import uuid

import pytest
from playwright.sync_api import expect

from attn_lab.classroom.hub import NO_TOKEN
from attn_lab.classroom.wire import CONFLICT
from attn_lab.commands.lab import SETTINGS

CLASS = "/services/class"


def _answer(**changes):
    fields = {"id": str(uuid.uuid4()), "exercise": "01/zero-score", "round": 1, "seen": False}
    return fields | {"answer": "none", "confidence": "guess"} | changes


def _desk(hub):
    """The first state of the desk's stream."""
    import urllib.request

    query = hub.query("instructor")
    address = f"{hub.url}{CLASS}/desk/events{query}"
    with hub.sessions["instructor"].open(urllib.request.Request(address), timeout=30) as stream:
        return json.loads(stream.readline().decode().removeprefix("data: "))


def test_a_user_sends_with_a_hub_token_and_is_kept_under_no_name(hub, tmp_path_factory):
    body = _answer()
    assert hub.post(body, hub.token("learner1")) == (200, {"saved": body["id"]})
    assert hub.post(body, hub.token("learner1"))[0] == 200  # again: the same one
    status, said = hub.post(body, hub.token("learner2"))
    assert (status, said["reason"]) == (409, CONFLICT.name)
    raw = b"".join(p.read_bytes() for p in hub.log.parent.glob("class.sqlite*"))
    assert body["id"].encode() in raw
    assert b"learner1" not in raw


@pytest.mark.parametrize("token", ["", "wrong"])
def test_without_a_token_nothing_is_written_and_no_login_page_looks_like_success(hub, token):
    status, said = hub.post(_answer(), token)
    assert (status, said["reason"]) == (401, NO_TOKEN.name)


def test_a_page_that_a_learner_is_made_to_open_cannot_answer_for_them(hub):
    hub.get("learner3", "/hub/home")
    status, said = hub.get("learner3", f"{CLASS}/answers", body=_answer())
    assert status == 401, said


def test_the_instructor_reads_and_leads_in_the_browser(hub):
    hub.post(_answer(exercise="05/first-row", answer=[1, 0, 0, 0]), hub.token("learner4"))
    query = hub.query("instructor")
    move = {"do": "move", "to": "first", "exercise": "05/first-row"}
    assert hub.get("instructor", f"{CLASS}/control{query}", body=move)[0] == 200
    state = _desk(hub)
    assert (state["exercise"], state["answered"]) == ("05/first-row", [1, 0])
    assert state["join"].startswith("Everybody on this Hub")
    assert hub.get("instructor", f"{CLASS}/answers.csv{query}")[1].startswith("learner,exercise")


def test_a_word_without_the_pages_own_token_is_refused(hub):
    hub.query("instructor")
    move = {"do": "move", "to": "waiting"}
    assert hub.get("instructor", f"{CLASS}/control", body=move)[0] == 401


@pytest.mark.parametrize("path", ["desk", "stage", "desk/events", "answers.csv", "moves"])
def test_a_learner_reads_nothing_in_the_browser(hub, path):
    hub.get("learner5", f"{CLASS}/desk")  # goes through the Hub's login for this service
    status, said = hub.get("learner5", f"{CLASS}/{path}")
    assert status in (401, 403)
    assert "exercise" not in said


@pytest.mark.parametrize("path", ["/desk/events", "/answers.csv", "/moves"])
def test_no_token_of_a_kernel_reads_the_room_not_even_a_learners(hub, path):
    headers = {"Authorization": f"Bearer {hub.token('learner1')}"}
    assert hub.get(None, CLASS + path, headers=headers)[0] == 403


def test_who_is_not_logged_in_is_sent_to_the_hub(hub):
    status, page = hub.get(None, f"{CLASS}/desk")
    assert status == 200
    assert "username" in page  # the Hub's login form, not the desk
    assert "data-query" not in page


def test_a_kernel_sends_by_itself_from_a_server_that_the_hub_has_spawned(hub):
    from .kernel import run_in_kernel

    code = (
        "import os, time\n"
        "from attn_lab.classroom.client import outbox\n"
        "from attn_lab.record import Attempt, open_store\n"
        "a = open_store().add(outbox.addressed(Attempt('01/zero-score', 'third',"
        " 'certain')))\n"
        "outbox.wake()\n"
        "for _ in range(200):\n"
        "    time.sleep(0.1)\n"
        "    if 'Sent' in outbox.says(a) or 'Not taken' in outbox.says(a): break\n"
        "print(outbox.says(a), '|', outbox.about(), os.environ.get('JUPYTER_CONFIG_PATH'))\n"
    )
    said = run_in_kernel(hub, "learner6", code)
    assert said.startswith("Sent to the class. | From now on your answers and how sure you are")
    assert "under a number in place of your name" in said
    assert said.strip().endswith(str(SETTINGS))  # JupyterLab has our settings there too


def test_the_desk_follows_the_stream_in_a_real_browser(hub, browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{hub.url}{CLASS}/desk")
        page.fill("#username_input", "instructor")
        page.fill("#password_input", "x")
        page.click("#login_submit")
        expect(page).to_have_title(re.compile("· desk$"), timeout=30_000)
        page.select_option("#choose", "01/two-weights")
        page.click("[data-to=first]")
        expect(page.locator("#exercise")).to_have_text("01/two-weights")
        for n in (7, 8, 9):
            body = _answer(exercise="01/two-weights", answer=[0.67, 0.33])
            assert hub.post(body, hub.token(f"learner{n}"))[0] == 200
        expect(page.locator("#count")).to_contain_text("Round 1: 3 (3 by notebook)")
        expect(page.locator(".bars")).to_contain_text("0.67, 0.33")
        expect(page.locator("#link")).to_be_hidden()
