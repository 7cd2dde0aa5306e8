"""A page finds its server again; who was not let in, or stands on another port, moves nothing."""

import functools
import http.server
import threading
import time

import pytest
from playwright.sync_api import expect

from attn_lab.classroom.server.instructor_access import InstructorHandler
from tests.helpers.class_server import Served


def test_a_server_that_comes_back_finds_its_pages_again(browser, course, tmp_path):
    url = f"sqlite:///{tmp_path}/class.sqlite"
    first = Served(url, course)
    port = first.server.instructor_port
    context = browser.new_context()
    desk = context.new_page()
    desk.goto(first.do(first.server.link()))
    desk.select_option("#choose", "04/ripple")
    desk.click("[data-to=first]")
    expect(desk.locator("#exercise")).to_have_text("04/ripple")
    first.close()
    expect(desk.locator("#lost")).to_be_visible(timeout=20_000)
    second = Served(url, course, instructor_port=port)
    expect(desk.locator("#lost")).to_be_hidden(timeout=20_000)
    desk.click("[data-to=discuss]")
    expect(desk.locator("#moves [aria-pressed=true]")).to_contain_text("Discuss")
    assert second.server.room.state.phase == "discuss"
    context.close()
    second.close()


def test_a_page_that_was_refused_once_is_not_called_lost_after_it_has_come_back(browser, served):
    context = browser.new_context()
    desk = context.new_page()
    desk.clock.install()
    desk.route("**/desk/events", lambda route: route.fulfill(status=503), times=1)
    desk.goto(served.do(served.server.link()))
    desk.wait_for_url("**/desk")  # the link leads there by a page that lets one in
    while not desk.evaluate("typeof losing === 'number' && losing"):
        time.sleep(0.05)  # until the refusal has been heard; the page's own clock stands still
    desk.clock.run_for(2_000)
    expect(desk.locator("#choose option")).to_have_count(4)
    desk.clock.run_for(2_000)
    assert desk.locator("#lost").is_hidden()
    context.close()


@pytest.fixture
def hostile(tmp_path, served):
    """A page on another port of 127.0.0.1 that tries to move the room on."""
    word = '{"do": "move", "to": "first", "exercise": "04/ripple"}'
    aim = f"http://127.0.0.1:{served.server.instructor_port}/control"
    (tmp_path / "index.html").write_text(
        f"<script>fetch('{aim}', {{method: 'POST', mode: 'no-cors', credentials: 'include',"
        f"body: '{word}'}}).finally(() => document.title = 'tried')</script>"
    )

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("checked", [True, False])
def test_a_page_on_another_port_moves_nothing_because_its_origin_is_looked_at(
    browser, served, hostile, monkeypatch, checked
):
    if not checked:  # then the cookie alone would let it in: another port is the same site
        monkeypatch.setattr(InstructorHandler, "_check_origin", lambda self: None)
    context = browser.new_context()
    page = context.new_page()
    page.goto(served.do(served.server.link()))
    expect(page).to_have_title("Desk · desk")
    page.goto(hostile)
    expect(page).to_have_title("tried")
    assert served.server.room.state.phase == ("waiting" if checked else "first")
    context.close()


def test_a_browser_that_was_not_let_in_is_told_so(browser, served):
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{served.server.instructor_port}/desk")
    expect(page.locator("#said")).to_contain_text("This browser has not been let in")
    expect(page.locator("button")).to_have_count(0)
    page.close()


def test_an_open_desk_whose_link_was_for_another_class_is_told_so(browser, served):
    page = browser.new_page()
    page.goto(served.do(served.server.link()))
    expect(page.locator("#choose option").first).to_be_attached()
    page.context.clear_cookies()
    served.do(served.server.instructor.close_all_connections())
    expect(page.locator("#lost")).to_contain_text("has not been let in", timeout=20_000)
    page.close()


def test_a_new_link_that_is_pasted_into_the_open_page_lets_in(browser, served):
    used, context = served.do(served.server.link()), browser.new_context()
    fresh = served.do(served.server.link())  # with it the one before stops working
    page = context.new_page()
    page.goto(used)
    expect(page.locator("#said")).to_contain_text("this link has been used")
    page.goto(fresh)  # as pasted into the address: the same page, with another "#"
    expect(page).to_have_title("Desk · desk")
    context.close()
