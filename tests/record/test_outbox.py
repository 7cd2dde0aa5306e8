"""A commit waits in the store until the class has named its id, and each state is said."""

import http.server
import json
import os
import subprocess
import sys
import threading
import time

import pytest

from attn_lab.record import memberships, outbox, sender
from attn_lab.record.attempts import Attempt
from attn_lab.record.memberships import Membership, class_of, read_string
from attn_lab.record.post import REFUSALS, body_of, send
from attn_lab.record.sender import Sender
from attn_lab.record.store import open_store

CODE = "KX7Q-2MWD"


class FakeClass(http.server.ThreadingHTTPServer):
    """Answers with what `reply(body)` gives: status, JSON or text, headers. Keeps what came."""

    daemon_threads = True

    def __init__(self, reply=None, port=0):
        self.seen = []
        self.at_the_door = (200, {"joined": True}, {})
        self.reply = reply or (lambda body: (200, {"saved": body["id"]}, {}))
        super().__init__(("127.0.0.1", port), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.text = f"{self.address}#{CODE}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def answers(self):
        return [body for path, body, _ in self.seen if path == "/answers"]


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, body, dict(self.headers)))
        joining = self.path == "/join"
        status, said, headers = self.server.at_the_door if joining else self.server.reply(body)
        raw = said.encode() if isinstance(said, str) else json.dumps(said).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "predictions.sqlite"))
    monkeypatch.delenv("ATTN_LAB_CLASS", raising=False)
    monkeypatch.setattr(sender, "FIRST_WAIT", 0.02)
    monkeypatch.setattr(sender, "LONGEST_WAIT", 0.1)
    own = Sender(open_store, outbox._tell)
    monkeypatch.setattr(outbox, "_sender", own)
    yield
    own.stop()
    outbox._watching.clear()


@pytest.fixture
def room():
    opened = []

    def start(*args, **kwargs):
        opened.append(FakeClass(*args, **kwargs))
        return opened[-1]

    yield start
    for one in opened:
        one.shutdown()
        one.server_close()


def _commit(exercise="05/first-row", answer=(1, 0), **more):
    attempt = Attempt(exercise, list(answer), "certain", sent=outbox.first_state(), **more)
    saved = open_store().add(attempt)
    outbox.wake()
    return saved


def _until(holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)


def _state(attempt):
    return next(a.sent for a in open_store().attempts() if a.id == attempt.id)


def test_outside_a_class_nothing_leaves_and_no_thread_runs():
    saved = _commit()
    assert (saved.sent, outbox.says(saved)) == ("", "")
    assert outbox._sender._thread is None


def test_a_commit_in_a_class_is_sent_and_says_so(room):
    here = room()
    outbox.join(here.text)
    saved = _commit()
    _until(lambda: _state(saved) == "sent")
    assert outbox.says(saved) == "Sent to the class."
    assert here.answers() == [
        {
            "id": saved.id,
            "exercise": "05/first-row",
            "round": 1,
            "seen": False,
            "answer": [1, 0],
            "confidence": "certain",
        }
    ]


def test_the_reason_stays_unless_the_learner_chose_otherwise(room):
    here = room()
    outbox.join(here.text)
    _commit(because="mine")
    _until(lambda: len(here.answers()) == 1)
    said = outbox.join(here.text, because=True)
    assert "and your reasons" in said
    _commit("05/other", because="yours\0" + "x" * 600)
    _until(lambda: len(here.answers()) == 2)
    assert "because" not in here.answers()[0]
    assert here.answers()[1]["because"] == "yours" + "x" * 495


def test_joining_says_what_leaves_the_laptop(room):
    said = outbox.join(room().text)
    assert said.startswith(
        "Joined. From now on your answers and how sure you are, not your reasons"
    )


def test_answers_from_before_joining_stay(room):
    here = room()
    early = _commit("01/zero-score")
    outbox.join(here.text)
    late = _commit("05/first-row")
    _until(lambda: _state(late) == "sent")
    assert _state(early) == ""
    assert [body["id"] for body in here.answers()] == [late.id]


def test_rounds_are_counted_since_joining(room):
    here = room()
    _commit()
    time.sleep(0.01)
    outbox.join(here.text)
    again = [_commit(), _commit()]
    _until(lambda: {_state(one) for one in again} == {"sent"})
    assert [body["round"] for body in here.answers()] == [1, 2]


def test_the_pseudonym_is_steady_in_one_class_and_another_in_the_next(room):
    one, two = room(), room()
    for text in (one.text, one.text, two.text.replace("KX7Q", "AAAA")):
        outbox.join(text)
    secrets = [headers["Authorization"] for here in (one, two) for _, _, headers in here.seen]
    assert secrets[0] == secrets[1] != secrets[2]
    assert len(secrets[0]) == len("Bearer ") + 32


def test_a_class_that_refuses_is_not_joined(room):
    here = room()
    here.at_the_door = (401, {"error": "the join code is not the one of this class"}, {})
    assert outbox.join(here.text).startswith("Not joined: the join code is not")
    assert outbox.current() is None


@pytest.mark.parametrize("status", REFUSALS)
def test_a_refusal_is_said_and_not_tried_again(room, status):
    here = room(lambda body: (status, {"error": "it is too late"}, {}))
    outbox.join(here.text)
    saved = _commit()
    _until(lambda: _state(saved).startswith("refused"))
    assert outbox.says(saved) == "Not taken by the class: it is too late. It stays saved here."
    outbox.wake()
    time.sleep(0.3)
    assert len(here.answers()) == 1


@pytest.mark.parametrize(
    "reply",
    [
        (429, {"error": "too many"}, {"Retry-After": "0"}),
        (503, {"error": "full"}, {}),
        (500, {"error": "broken"}, {}),
        (404, "not found", {}),
        (401, "<html>a login page</html>", {}),
        (200, "<html>a login page</html>", {}),
        (200, {"saved": "another"}, {}),
        (200, [], {}),
        (302, "", {"Location": "http://127.0.0.1:9/"}),
    ],
    ids=lambda reply: f"{reply[0]} {str(reply[1])[:18]}",
)
def test_whatever_is_not_the_classs_word_is_tried_again_until_it_is(room, reply):
    here = room()
    good, tries = here.reply, []
    here.reply = lambda body: tries.append(1) or (reply if len(tries) < 3 else good(body))
    outbox.join(here.text)
    saved = _commit()
    _until(lambda: len(tries) >= 1)
    _until(lambda: _state(saved) == "sent")
    assert len(here.answers()) == 3
    assert {body["id"] for body in here.answers()} == {saved.id}


def test_without_a_network_the_answer_waits_and_is_sent_when_it_is_back(room):
    gone = room()
    outbox.join(gone.text)
    gone.shutdown()
    gone.server_close()
    saved = _commit()
    _until(lambda: "Not yet sent to the class (" in outbox.says(saved))
    back = room(port=gone.server_port)
    _until(lambda: _state(saved) == "sent")
    assert [body["id"] for body in back.answers()] == [saved.id]


def test_a_commit_is_not_held_up_by_a_class_that_does_not_answer(room):
    release = threading.Event()
    here = room()
    here.reply = lambda body: release.wait(20) and (200, {"saved": body["id"]}, {})
    outbox.join(here.text)
    began = time.monotonic()
    commits = [_commit(f"05/row-{n}") for n in range(10)]
    assert time.monotonic() - began < 5  # one reply alone would take twenty
    release.set()
    _until(lambda: all(_state(one) == "sent" for one in commits))


def test_what_a_killed_kernel_left_is_sent_by_the_next_one_under_the_same_pseudonym(room):
    here = room()
    outbox.join(here.text)
    port = here.server_port
    here.shutdown()
    here.server_close()
    code = (
        "import os, signal\nfrom attn_lab.record import Attempt, open_store, outbox\n"
        "open_store().add(Attempt('05/first-row', [1], 'guess', sent=outbox.first_state()))\n"
        "outbox.wake()\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code], env=os.environ.copy()).returncode == -9
    back = room(port=port)
    outbox.wake()
    _until(lambda: [a.sent for a in open_store().attempts()] == ["sent"])
    secrets = [h["Authorization"] for _, _, h in here.seen + back.seen]
    assert len(secrets) == 2
    assert secrets[0] == secrets[1]


def test_a_kernel_ends_at_once_while_the_thread_waits(room):
    here = room(lambda body: (503, {"error": "full"}, {}))
    code = (
        "from attn_lab.record import Attempt, open_store, outbox\n"
        f"outbox.join({here.text!r})\n"
        "open_store().add(Attempt('05/first-row', [1], 'guess', sent=outbox.first_state()))\n"
        "outbox.wake()\nimport time; time.sleep(0.3)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=20).returncode == 0
    assert [a.sent for a in open_store().attempts()] == ["waiting"]


def test_two_kernels_that_empty_one_outbox_send_each_answer_to_its_end(room):
    here = room()
    outbox.join(here.text)
    for n in range(8):
        open_store().add(Attempt(f"05/row-{n}", [1], "guess", sent="waiting"))
    other = Sender(open_store)
    other.wake()
    outbox.wake()
    _until(lambda: {a.sent for a in open_store().attempts()} == {"sent"})
    assert len({body["id"] for body in here.answers()}) == 8
    other.stop()


def test_a_forked_process_has_a_thread_of_its_own(room):
    here = room()
    outbox.join(here.text)
    one = _commit()
    _until(lambda: _state(one) == "sent")
    first = outbox._sender._thread
    outbox._sender._pid = -1  # as it is in a child
    other = _commit("05/other")
    _until(lambda: _state(other) == "sent")
    assert outbox._sender._thread is not first


def test_who_watches_is_told_and_who_is_gone_is_not(room):
    class View:
        told = 0

        def refresh(self):
            View.told += 1

    here, view = room(), View()
    outbox.observe(view.refresh)
    outbox.observe(lambda: 1 / 0)  # a view that fails is no one else's trouble
    outbox.join(here.text)
    saved = _commit()
    _until(lambda: _state(saved) == "sent" and View.told > 0)
    del view
    outbox._tell()
    counted = View.told
    outbox._tell()
    assert View.told == counted


def test_answers_that_wait_for_an_old_class_do_not_go_to_the_new_one(room):
    old, new = room(), room()
    outbox.join(old.text)
    old.shutdown()
    old.server_close()
    lost = _commit("01/zero-score")
    time.sleep(0.01)
    outbox.join(new.text.replace("KX7Q", "AAAA"))
    here = _commit("05/first-row")
    _until(lambda: _state(here) == "sent")
    assert _state(lost) == "waiting"
    assert [body["id"] for body in new.answers()] == [here.id]


def test_a_class_whose_server_got_another_address_gets_what_waited_for_it(room):
    old = room()
    outbox.join(old.text)
    old.shutdown()
    old.server_close()
    saved = _commit()
    new = room()
    outbox.join(new.text)
    _until(lambda: _state(saved) == "sent")
    secrets = {headers["Authorization"] for _, _, headers in old.seen + new.seen}
    assert len(secrets) == 1


def test_after_leaving_nothing_is_sent(room):
    here = room()
    outbox.join(here.text)
    time.sleep(0.01)
    outbox.leave()
    saved = _commit()
    assert saved.sent == ""
    assert outbox.current() is None


def test_the_environment_joins_once_and_a_later_choice_stands(room, monkeypatch):
    given, chosen = room(), room()
    monkeypatch.setenv("ATTN_LAB_CLASS", given.text)
    assert outbox.current().address == given.address
    joined = outbox.current().joined
    outbox.join(chosen.text.replace("KX7Q", "AAAA"))
    assert outbox.current().address == chosen.address
    outbox.leave()
    assert outbox.current() is None
    assert joined


def test_a_malformed_environment_is_no_class(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_CLASS", "http://127.0.0.1:1")
    assert outbox.first_state() == ""


@pytest.mark.parametrize(
    "text", ["", "KX7Q-2MWD", "http://x", "ftp://x#AAAA", "http://#AAAA", "x#"]
)
def test_what_is_no_class_string_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="expected the whole string that the instructor shows"):
        read_string(text)


def test_joining_works_where_nothing_can_be_written(room, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("ATTN_LAB_STORE", str(blocked / "predictions.sqlite"))
    here = room()
    outbox.join(here.text)
    saved = _commit()
    _until(lambda: _state(saved) == "sent")
    assert len(here.answers()) == 1
    memberships._in_memory.clear()


def test_the_hubs_token_goes_only_where_the_kernel_was_started_with(room):
    here = room()
    show = "from attn_lab.record import outbox; print(outbox.current())"
    hub = {"JUPYTERHUB_API_TOKEN": "hub-token"}

    def run(code, **environment):
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=os.environ | hub | environment,
            check=True,
        ).stdout

    pasted = f"import os; os.environ['ATTN_LAB_CLASS'] = '{here.address}/'; " + show
    assert run(pasted) == "None\n"
    assert here.address in run(show, ATTN_LAB_CLASS=here.address + "/")
    sent = (
        "from attn_lab.record.attempts import Attempt; from attn_lab.record.post import *;"
        "from attn_lab.record import outbox;"
        "a = body_of(Attempt('05/x', [1], 'guess'), 1, because=False);"
        "print(send(outbox.current(), a))"
    )
    assert "sent" in run(sent, ATTN_LAB_CLASS=here.address + "/")
    assert here.seen[-1][2]["Authorization"] == "Bearer hub-token"


def test_the_body_is_bounded_so_that_the_class_can_take_it(room):
    attempt = Attempt("05/x", [1], "guess", because="\ud800" + "é" * 2000)
    body = body_of(attempt, 1, because=True)
    assert len(body["because"]) == 500
    assert send(Membership(room().address, CODE), body).state == "sent"


def test_an_attempt_belongs_to_the_class_that_was_joined_before_it():
    early, late = (Membership("http://a", "A", joined=t) for t in ("2026-01-01", "2026-01-03"))
    left = Membership("", "", joined="2026-01-05")
    known = [early, late, left]
    at = {
        day: class_of(Attempt("x", 1, "guess", time=f"2026-01-0{day}T"), known) for day in (2, 4, 6)
    }
    assert at == {2: early, 4: late, 6: None}
    assert class_of(Attempt("x", 1, "guess", time="2025"), known) is None
