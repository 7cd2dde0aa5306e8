"""A commit waits in the store until the class has named its id, and each state is said."""

import os
import subprocess
import sys
import threading
import time

import pytest

from attn_lab.classroom.client import outbox
from attn_lab.classroom.client.sending import Sender, answer_of, send
from attn_lab.classroom.wire import REFUSALS, SHUT
from attn_lab.record import Attempt, Membership, open_store
from tests.helpers.processes import until

from .class_stub import CODE, commit, make_room, own_sender, state  # noqa: F401 - fixtures


def test_outside_a_class_nothing_leaves_and_no_thread_runs():
    saved = commit()
    assert (saved.sent, outbox.says(saved)) == ("", "")
    assert outbox._sender._thread is None


def test_a_commit_in_a_class_is_sent_and_says_so(room):
    here = room()
    outbox.join(here.text)
    saved = commit()
    until(lambda: state(saved) == "sent")
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
    commit(because="mine")
    until(lambda: len(here.answers()) == 1)
    said = outbox.join(here.text, because=True)
    assert "and your reasons" in said
    commit("05/other", because="yours\0" + "x" * 600)
    until(lambda: len(here.answers()) == 2)
    assert "because" not in here.answers()[0]
    assert here.answers()[1]["because"] == "yours" + "x" * 495


@pytest.mark.parametrize(
    "refusal,said", [("too late: it is over", "too late: it is over"), ("", "no reason given")]
)
def test_a_refusal_is_said_with_its_reason_whatever_stands_in_it(refusal, said):
    refused = Attempt("05/x", [1], "guess", sent="refused", refusal=refusal)
    assert outbox.stands(refused) == f"Not taken by the class: {said}. It stays saved here."


@pytest.mark.parametrize("status", REFUSALS)
def test_a_refusal_is_said_and_not_tried_again(room, status):
    here = room(lambda body: (status, {"error": "it is too late"}, {}))
    outbox.join(here.text)
    saved = commit()
    until(lambda: state(saved).startswith("refused"))
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
    saved = commit()
    until(lambda: len(tries) >= 1)
    until(lambda: state(saved) == "sent")
    assert len(here.answers()) == 3
    assert {body["id"] for body in here.answers()} == {saved.id}


def test_without_a_network_the_answer_waits_and_is_sent_when_it_is_back(room):
    gone = room()
    outbox.join(gone.text)
    gone.shutdown()
    gone.server_close()
    saved = commit()
    until(lambda: "Not yet sent to the class (" in outbox.says(saved))
    back = room(port=gone.server_port)
    until(lambda: state(saved) == "sent")
    assert [body["id"] for body in back.answers()] == [saved.id]


def test_a_commit_is_not_held_up_by_a_class_that_does_not_answer(room):
    release = threading.Event()
    here = room()
    here.reply = lambda body: release.wait(20) and (200, {"saved": body["id"]}, {})
    outbox.join(here.text)
    began = time.monotonic()
    commits = [commit(f"05/row-{n}") for n in range(10)]
    assert time.monotonic() - began < 5  # one reply alone would take twenty
    release.set()
    until(lambda: all(state(one) == "sent" for one in commits))


def test_what_a_killed_kernel_left_is_sent_by_the_next_one_under_the_same_pseudonym(room):
    here = room()
    outbox.join(here.text)
    port = here.server_port
    here.shutdown()
    here.server_close()
    code = (
        "import os, signal\nfrom attn_lab.classroom.client import outbox\n"
        "from attn_lab.record import Attempt, open_store\n"
        "open_store().add(outbox.addressed(Attempt('05/first-row', [1], 'guess')))\n"
        "outbox.wake()\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code], env=os.environ.copy()).returncode == -9
    back = room(port=port)
    outbox.wake()
    until(lambda: [a.sent for a in open_store().attempts()] == ["sent"])
    secrets = [h["Authorization"] for _, _, h in here.seen + back.seen]
    assert len(secrets) == 2
    assert secrets[0] == secrets[1]


def test_a_kernel_ends_at_once_while_the_thread_waits(room):
    here = room(lambda body: (503, {"error": "full"}, {}))
    code = (
        "from attn_lab.classroom.client import outbox\n"
        "from attn_lab.record import Attempt, open_store\n"
        f"outbox.join({here.text!r})\n"
        "open_store().add(outbox.addressed(Attempt('05/first-row', [1], 'guess')))\n"
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
    until(lambda: {a.sent for a in open_store().attempts()} == {"sent"})
    assert len({body["id"] for body in here.answers()}) == 8
    other.stop()


def test_a_forked_process_has_a_thread_of_its_own(room):
    here = room()
    outbox.join(here.text)
    one = commit()
    until(lambda: state(one) == "sent")
    first = outbox._sender._thread
    outbox._sender._pid = -1  # as it is in a child
    other = commit("05/other")
    until(lambda: state(other) == "sent")
    assert outbox._sender._thread is not first


def test_the_thread_outlives_a_store_that_fails(room):
    here, failures = room(), [OSError("gone"), RuntimeError("odd")]

    def open_or_fail():
        if failures and threading.current_thread() is not threading.main_thread():
            raise failures.pop()
        return open_store()

    outbox._sender.open_store = open_or_fail
    outbox.join(here.text)
    saved = commit()
    until(lambda: state(saved) == "sent")
    assert failures == []


def test_who_watches_is_told_though_somebody_else_fails(room):
    here, told = room(), []
    outbox.observe(lambda: 1 / 0)
    outbox.observe(lambda: told.append("told"))
    outbox.join(here.text)
    saved = commit()
    until(lambda: state(saved) == "sent" and told)


def test_joining_works_where_nothing_can_be_written(room, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("ATTN_LAB_STORE", str(blocked / "predictions.sqlite"))
    here = room()
    outbox.join(here.text)
    saved = commit()
    until(lambda: state(saved) == "sent")
    assert len(here.answers()) == 1


def test_the_body_is_bounded_so_that_the_class_can_take_it(room):
    attempt = Attempt("05/x", [1], "guess", because="\ud800" + "é" * 2000)
    answer = answer_of(attempt, 1, because=True)
    assert len(answer.because) == 500
    assert send(Membership(room().address, CODE), answer).state == "sent"


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999", "http://[::1", "http://a..b"])
def test_an_address_that_is_none_keeps_the_answer_waiting(address):
    answer = answer_of(Attempt("05/x", [1], "guess"), 1, because=False)
    assert send(Membership(address, CODE), answer).state == "waiting"


@pytest.mark.parametrize("status", SHUT)
def test_who_is_not_let_in_as_things_stand_waits_and_is_told_why(room, status):
    here = room()
    outbox.join(here.text)
    good, here.reply = here.reply, lambda body: (status, {"error": "no"}, {})
    saved = commit()
    until(lambda: outbox.says(saved).startswith("Not yet sent to the class (no); it is saved"))
    here.reply = good
    until(lambda: state(saved) == "sent")


def test_why_answers_wait_is_said_of_the_class_they_wait_for(room):
    old, new = room(lambda body: (503, {"error": "full"}, {})), room()
    outbox.join(old.text)
    lost = commit("01/zero-score")
    new.reply = lambda body: (503, {"error": "away"}, {})
    outbox.join(new.text.replace("KX7Q", "AAAA"))
    saved = commit()
    until(lambda: "(full)" in outbox.says(lost) and "(away)" in outbox.says(saved))


def test_joining_anew_tries_again_what_was_refused(room):
    here = room(lambda body: (400, {"error": "unknown"}, {}))
    outbox.join(here.text)
    saved = commit()
    until(lambda: state(saved) == "refused")
    elsewhere = open_store().add(Attempt("05/x", [1], "guess", sent="refused", to_class="A b"))
    here.reply = lambda body: (200, {"saved": body["id"]}, {})
    outbox.join(here.text)
    until(lambda: state(saved) == "sent")
    assert state(elsewhere) == "refused"
