"""The instructor's pages answer to this machine's browser, their own pages and the cookie alone."""

import pytest

from attn_lab.classroom.server.instructor_access import check_host
from attn_lab.classroom.server.replies import Refused

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
    assert (status, "has been used" in said["error"]) == (401, True)


def test_who_comes_with_a_used_link_is_told_first_what_needs_no_restart(served):
    key = served.do(served.server.link()).split("#")[1]
    own = {"Origin": f"http://127.0.0.1:{served.server.instructor_port}"}
    served.lead("POST", "/enter-with", {"key": key}, own)
    said = served.lead("POST", "/enter-with", {"key": key}, own)[1]["error"]
    assert 0 < said.index("Another one-time link for yourself") < said.index("restart")


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


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8766", "localhost:1", "[::1]:80"])
def test_this_machine_has_these_names(host):
    check_host(host)


@pytest.mark.parametrize("host", ["", "evil.example", "127.0.0.1.evil.example", "[::1", "x@evil"])
def test_no_other_name_is_this_machine(host):
    with pytest.raises(Refused):
        check_host(host)


def test_another_link_is_given_to_who_is_inside(served):
    headers = served.enter()
    link = served.lead("POST", "/link", {}, headers)[1]["link"]
    own = {"Origin": headers["Origin"]}
    assert served.lead("POST", "/enter-with", {"key": link.split("#")[1]}, own)[0] == 200
