"""The instructor's pages answer to this machine's browser, their own pages and the cookie alone."""

import time

import pytest
from msgspec import to_builtins
from tornado.web import create_signed_value

from attn_lab.classroom.server.instructor_access import COOKIE_DAYS, OTHER_HOST, USED

from ..helpers.class_server import Served

DATA = [
    "/desk/events",
    "/stage/events",
    "/answers.csv",
    "/moves.csv",
    "/counts.csv",
    "/moves",
    "/moves.svg",
]


def test_a_link_works_once(served):
    key = served.do(served.server.link()).split("#")[1]
    own = {"Origin": f"http://127.0.0.1:{served.server.instructor_port}"}
    assert served.lead("POST", "/enter-with", {"key": key}, own)[0] == 200
    status, said, _ = served.lead("POST", "/enter-with", {"key": key}, own)
    assert (status, said["reason"]) == (401, USED.name)


def test_who_comes_with_a_used_link_is_told_first_what_needs_no_restart():
    assert 0 < USED.said.index("Another one-time link for yourself") < USED.said.index("restart")


@pytest.mark.parametrize("path", ["/desk", "/stage", "/desk.html"])
def test_a_browser_that_was_not_let_in_sees_no_controls(served, path):
    assert "Coming in" in served.lead("GET", path)[1]
    assert "Coming in" in served.lead("GET", path, headers={"Cookie": "attn-lab-class-1=x"})[1]
    assert "Coming in" not in served.lead("GET", path, headers=served.enter())[1]


def test_a_new_link_ends_the_one_before(served):
    own = {"Origin": f"http://127.0.0.1:{served.server.instructor_port}"}
    old = served.do(served.server.link()).split("#")[1]
    new = served.do(served.server.link()).split("#")[1]
    assert served.lead("POST", "/enter-with", {"key": old}, own)[0] == 401
    assert served.lead("POST", "/enter-with", {"key": new}, own)[0] == 200


def test_guessing_the_key_is_slowed_down(served):
    own = {"Origin": f"http://127.0.0.1:{served.server.instructor_port}"}
    said = [served.lead("POST", "/enter-with", {"key": "x"}, own)[0] for _ in range(20)]
    assert said[-1] == 429
    key = served.do(served.server.link()).split("#")[1]
    assert served.lead("POST", "/enter-with", {"key": key}, own)[0] == 200


def test_the_cookie_is_hidden_from_scripts_and_other_sites(served):
    key = served.do(served.server.link()).split("#")[1]
    own = {"Origin": f"http://127.0.0.1:{served.server.instructor_port}"}
    cookie = served.lead("POST", "/enter-with", {"key": key}, own)[2]["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert cookie.startswith(f"attn-lab-class-{served.server.instructor_port}=")


def _signed(served, value="in", secret=None, days_ago=0.0):
    """A cookie as the class signs it, or as it does not."""
    name = f"attn-lab-class-{served.server.instructor_port}"
    secret = secret or served.server.room.cookie_secret()
    clock = lambda: time.time() - 86400 * days_ago  # noqa: E731
    return {"Cookie": f"{name}={create_signed_value(secret, name, value, clock=clock).decode()}"}


def test_a_cookie_lets_in_until_it_is_a_day_old(served):
    assert served.lead("GET", "/moves", headers=_signed(served, days_ago=0.9))[0] == 200
    late = _signed(served, days_ago=COOKIE_DAYS + 0.1)
    assert served.lead("GET", "/moves", headers=late)[0] == 401


def test_a_cookie_that_the_class_did_not_sign_lets_nobody_in(served):
    other_class = _signed(served, secret="0" * 64)
    name, _, value = served.enter()["Cookie"].partition("=")
    other_port = {"Cookie": f"attn-lab-class-1={value}; {name}={value[:-1]}"}
    earlier = {"Cookie": f"{name}=Zq3hTb0cQm8T7g0c1n2w5uXyqk4tC6i0p3v9sRr1aLk"}  # a session's key
    for cookie in (other_class, other_port, earlier):
        assert served.lead("GET", "/moves", headers=cookie)[0] == 401


def test_a_server_that_was_started_again_knows_its_cookies(tmp_path, course):
    url = f"sqlite:///{tmp_path}/class.sqlite"
    first = Served(url, course)
    headers, port = first.enter(), first.server.instructor_port
    first.close()
    second = Served(url, course, instructor_port=port)
    assert second.lead("GET", "/moves", headers=headers)[0] == 200
    second.close()


@pytest.mark.parametrize("path", DATA)
def test_without_the_cookie_nothing_is_read(served, path):
    assert served.lead("GET", path)[0] == 401
    assert served.lead("GET", path, headers={"Cookie": "attn-lab-class-1=x"})[0] == 401


def test_without_the_cookie_nothing_is_changed(served):
    own = {"Origin": f"http://127.0.0.1:{served.server.instructor_port}"}
    move = {"do": "move", "to": "first", "exercise": "04/ripple"}
    assert served.lead("POST", "/control", move, own)[0] == 401
    assert served.server.room.state.phase == "waiting"


@pytest.mark.parametrize("path", ["/desk", "/stage", "/enter", *DATA])
def test_a_foreign_host_is_refused_everywhere(served, path):
    # no Origin: that is how a page gets at a name that it has bound to this machine
    headers = {"Cookie": served.enter()["Cookie"], "Host": "evil.example:80"}
    assert served.lead("GET", path, headers=headers)[0] == 403


def test_a_page_on_another_port_of_this_machine_changes_nothing(served):
    headers = served.enter()
    move = {"do": "move", "to": "first", "exercise": "04/ripple"}
    for foreign in (
        {"Origin": "http://127.0.0.1:8888"},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ):
        assert served.lead("POST", "/control", move, headers | foreign)[0] == 403, foreign
    plain = {"Cookie": headers["Cookie"]}
    assert served.lead("POST", "/control", move, plain)[0] == 403  # says nothing of its origin
    assert served.server.room.state.phase == "waiting"
    assert served.lead("POST", "/control", move, headers)[0] == 200
    assert served.server.room.state.phase == "first"


def test_a_page_on_another_port_reads_nothing(served):
    headers = served.enter()
    del headers["Origin"]
    for foreign in ({"Sec-Fetch-Site": "same-site"}, {"Origin": "http://127.0.0.1:8888"}):
        assert served.lead("GET", "/moves", headers=headers | foreign)[0] == 403, foreign
    assert (
        served.lead("GET", "/moves", headers=headers | {"Sec-Fetch-Site": "same-origin"})[0] == 200
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8766", "LocalHost:1", "[::1]:80"])
def test_this_machine_has_these_names(served, host):
    assert served.lead("GET", "/desk", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1.evil.example",
        "xlocalhost",
        "127x0.0.1",
        "[::1",
        "x@evil",
        "::1",
    ],
)
def test_no_other_name_is_this_machine(served, host):
    status, said, _ = served.lead("GET", "/desk", headers={"Host": host})
    assert status == 400 or (status, said) == (403, to_builtins(OTHER_HOST.reply()))


def test_another_link_is_given_to_who_is_inside(served):
    headers = served.enter()
    link = served.lead("POST", "/link", {}, headers)[1]["link"]
    own = {"Origin": headers["Origin"]}
    assert served.lead("POST", "/enter-with", {"key": link.split("#")[1]}, own)[0] == 200
