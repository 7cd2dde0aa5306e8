"""In a class the form says what leaves and where it stands; outside it says nothing of it."""

import os
import subprocess
import sys
import threading

import pytest

from attn_lab.classroom.client import outbox
from attn_lab.classroom.client.sending import Outcome
from attn_lab.course.codes import codes_in, decode
from attn_lab.predict import ask, in_class, join, leave
from attn_lab.predict.form import Form, chat_code
from attn_lab.predict.in_class import IN_CHAT, LEFT, NOT_SENT
from attn_lab.record import Membership, open_store
from tests.helpers.panels import said

from ..helpers.questions import NUMBERS

TEXT = "http://127.0.0.1:9#KX7Q-2MWD"
FAR = "http://127.0.0.1:9"  # the port that discards; nothing is sent to it here


@pytest.fixture(autouse=True)
def wakes(monkeypatch):
    """A class that lets everybody in; counts how often the sender was woken, without its thread."""
    monkeypatch.delenv("ATTN_LAB_CLASS", raising=False)
    monkeypatch.setattr(outbox, "knock", lambda here: Outcome("sent"))
    calls = []
    monkeypatch.setattr(outbox._sender, "wake", lambda: calls.append("woken"))
    monkeypatch.setattr(in_class, "_watching", [])
    return calls


@pytest.fixture
def joined():
    open_store().add_membership(Membership(FAR, "KX7Q-2MWD"))


ALONE = """
import sys, threading
def listen(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise AssertionError("the network was touched: " + event)
sys.addaudithook(listen)
from attn_lab.predict import ask
first = ask("05/first-row")
first.commit([1, 0, 0, 0], confidence="guess")
first.reveal([1.0, 0.0, 0.0, 0.0])
first._repr_mimebundle_()
print(repr(first))
assert threading.active_count() == 1, threading.enumerate()
print(*[name for name in sys.modules if name.startswith("attn_lab.classroom")])
"""


def said_by(code, **environment):
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_learner_alone_has_no_thread_no_network_and_nothing_of_the_class_loaded():
    said = said_by(ALONE)
    assert "Committed, round 1" in said and "class" not in said.lower()


def test_the_client_alone_is_loaded_where_a_class_was_joined_or_is_named(joined, tmp_path):
    ask_once = "import sys\nfrom attn_lab.predict import ask\nask('05/first-row')\n"
    loaded = ask_once + "print(*[name for name in sys.modules if 'classroom' in name])"
    for environment in ({}, {"ATTN_LAB_STORE": str(tmp_path / "none"), "ATTN_LAB_CLASS": TEXT}):
        names = said_by(loaded, **environment)
        assert "attn_lab.classroom.client.outbox" in names and "classroom.server" not in names


def test_outside_a_class_nothing_is_said_woken_or_left_waiting(numbers, shown, wakes, own_store):
    before = threading.active_count()
    ask("05/first-row")
    assert not own_store.exists()
    form = Form(numbers)
    assert said(form.panel, "class") == ""
    numbers.commit([1, 0, 0, 0], "guess")
    form.refresh()
    assert said(form.panel, "class") == "" and numbers.attempt.sent == ""
    assert wakes == [] and threading.active_count() == before


def test_a_commit_in_a_class_waits_in_the_store_before_anything_is_woken(
    numbers, shown, joined, monkeypatch
):
    then = []
    monkeypatch.setattr(
        outbox._sender, "wake", lambda: then.append([a.sent for a in numbers.attempts])
    )
    numbers.commit([1, 0, 0, 0], "guess")
    assert then == [["waiting"]]


def test_a_locked_form_says_to_wait_for_the_room(numbers, shown, joined):
    numbers.commit([1, 0, 0, 0], "guess")
    words = said(Form(numbers).panel, "committed")
    assert "wait for the room; then run on, until you see the result" in words


def test_a_code_is_not_asked_for_twice_where_the_answer_is_sent(numbers, shown, joined):
    numbers.commit([1, 0, 0, 0], "guess")
    assert "Needed only while the answer is not sent" in chat_code(
        numbers.question, numbers.attempt
    )


def test_an_open_form_says_what_will_leave(numbers, joined):
    leaves = said(Form(numbers).panel, "class")
    assert FAR in leaves and "how sure you are, not your reasons" in leaves


def test_a_locked_form_follows_the_sender(numbers, shown, joined):
    numbers.commit([1, 0, 0, 0], "guess")
    form = Form(numbers)
    assert "Not yet sent to the class" in said(form.panel, "class")
    open_store().mark_sent(numbers.attempt, "sent")
    teller = threading.Thread(target=in_class.tell)
    teller.start()
    teller.join()
    assert "Sent to the class." in said(form.panel, "class")
    assert repr(numbers).endswith("Sent to the class.")


def test_an_open_form_hears_of_joining_and_of_leaving(numbers, joined):
    form = Form(numbers)
    outbox.leave()
    in_class.tell()
    assert said(form.panel, "class") == ""
    open_store().add_membership(Membership(FAR, "KX7Q-2MWD"))
    in_class.tell()
    assert FAR in said(form.panel, "class")


def test_who_watches_is_told_and_who_is_gone_is_not():
    class View:
        told = 0

        def fails(self):
            raise RuntimeError

        def follows(self):
            View.told += 1

    view = View()
    in_class.observe(view.fails)
    in_class.observe(view.follows)
    in_class.tell()
    assert View.told == 1
    del view
    in_class.tell()
    assert View.told == 1 and in_class._watching == []


def test_a_form_opened_again_says_what_leaves_and_not_where_the_last_one_is(numbers, shown, joined):
    numbers.commit([1, 0, 0, 0], "guess")
    form = Form(numbers)
    form.reopened()
    in_class.tell()
    assert FAR in said(form.panel, "class") and "Not yet sent" not in said(form.panel, "class")


def test_two_who_tell_at_once_leave_the_newer_state(numbers, shown, joined, monkeypatch):
    numbers.commit([1, 0, 0, 0], "guess")
    form = Form(numbers)
    read, go_on, says = threading.Event(), threading.Event(), outbox.says

    def slow(attempt):
        text = says(attempt)
        if threading.current_thread().name == "older":
            read.set()
            go_on.wait(20)
        return text

    monkeypatch.setattr(outbox, "says", slow)
    older = threading.Thread(target=form.tell, name="older")
    newer = threading.Thread(target=form.tell, name="newer")
    older.start()
    assert read.wait(20)
    open_store().mark_sent(numbers.attempt, "sent")
    newer.start()
    newer.join(0.3)  # it may end here only where nothing holds it
    go_on.set()
    older.join()
    newer.join()
    assert "Sent to the class." in said(form.panel, "class")


def test_a_new_kernel_sends_what_a_killed_one_left(joined, wakes):
    ask("05/first-row")
    assert wakes == ["woken"]


def test_where_results_are_always_shown_a_class_does_not_exist(
    numbers, shown, joined, wakes, always
):
    ask("05/first-row")
    form = Form(numbers)
    numbers.commit([1, 0, 0, 0], "guess")
    assert wakes == [] and in_class._watching == [] and said(form.panel, "class") == ""
    assert open_store().attempts() == []
    assert in_class.about() == ""


def test_the_code_for_the_chat_says_the_answer_and_stays_the_same(numbers, shown):
    numbers.commit([0.25] * 4, "certain", "my reason")
    attempt = numbers.attempt
    page = chat_code(NUMBERS, attempt)
    (code,) = codes_in(page)
    told = decode(code, [NUMBERS])
    assert (told.group.key, told.confidence, told.round) == ("even", "certain", 1)
    assert page == chat_code(NUMBERS, attempt) and "my reason" not in page
    assert page.startswith("<details>") and Form(numbers).panel.html["code"] == ""


def test_a_class_without_a_network_has_codes_and_sends_nothing(numbers, shown, wakes, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_CLASS", "")
    join("Chat")
    assert repr(shown[-1]) == IN_CHAT
    numbers.commit([0.25] * 4, "certain")
    panel = Form(numbers).panel
    assert panel.html["code"] == chat_code(NUMBERS, numbers.attempt) != ""
    assert "05/first-row" in panel.html["question"]
    assert wakes == [] and numbers.attempt.sent == ""


def test_who_goes_on_in_the_chat_has_left_the_class_of_before(numbers, shown, joined, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_CLASS", "")
    join("chat")
    assert outbox.current() is None
    numbers.commit([0.25] * 4, "certain")
    assert numbers.attempt.sent == ""


def test_the_code_stands_on_the_page_in_a_class_alone(numbers, shown, joined):
    numbers.commit([0.25] * 4, "certain")
    assert Form(numbers).panel.html["code"] == chat_code(NUMBERS, numbers.attempt) != ""


def test_practice_has_no_code_and_a_reveal_shows_none(numbers, shown):
    numbers.commit([0.25] * 4, "certain")
    (code,) = codes_in(chat_code(NUMBERS, numbers.attempt))
    shown.clear()
    numbers.reveal([1.0, 0.0, 0.0, 0.0])
    assert "an even share" in shown[0].html.lower() and code not in shown[0].html
    numbers.commit([1, 0, 0, 0], "certain", again=True)
    assert numbers.attempt.seen and chat_code(NUMBERS, numbers.attempt) == ""
    assert Form(numbers).panel.html["code"] == ""


def test_joining_says_in_one_line_what_leaves(shown, wakes):
    join(TEXT)
    assert repr(shown[0]).startswith(
        "Joined. From now on your answers and how sure you are, not your"
    )
    join(TEXT, because=True)
    assert "and your reasons go to" in repr(shown[1]) and len(shown) == 2 and wakes


def test_leaving_keeps_here_what_comes_and_sends_what_came(shown, wakes):
    join(TEXT)
    wakes.clear()
    leave()
    assert repr(shown[-1]) == LEFT and outbox.current() is None and wakes == ["woken"]


def test_a_class_of_the_environment_can_be_left_in_the_first_cell(shown, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_CLASS", TEXT)
    leave()
    assert outbox.current() is None


@pytest.mark.parametrize("text", ["KX7Q", "http://127.0.0.1:9/desk#KX7Q-2MWD", "", None])
def test_a_string_that_is_none_is_one_calm_line_and_joins_nothing(shown, text):
    join(text)
    assert repr(shown[0]).startswith(
        "Not joined: class: expected the whole string that the instructor"
    )
    assert repr(shown[0]).endswith("Copy it again, with its end.") and len(shown) == 1
    assert outbox.current() is None


def test_where_results_are_always_shown_nothing_is_joined(shown, always, wakes, own_store):
    join(TEXT)
    leave()
    assert repr(shown[0]) == NOT_SENT and wakes == [] and not own_store.exists()


def test_who_commits_and_then_joins_is_told_what_goes_too_and_its_form_follows(
    numbers, shown, monkeypatch
):
    monkeypatch.setattr(outbox, "knock", lambda here: Outcome("sent", age=3600))
    monkeypatch.setattr(in_class, "_asked", {numbers.question.id})
    numbers.commit([1, 0, 0, 0], "guess", "mine")
    form = Form(numbers)
    join(TEXT)
    assert f"sent too ({numbers.question.id})" in repr(shown[-1])
    assert numbers.attempt.sent == "waiting"
    in_class.tell()  # as the sender does
    assert "Not yet sent to the class" in form.panel.html["class"]


def test_to_ask_is_to_be_of_this_notebook(monkeypatch):
    monkeypatch.setattr(in_class, "_asked", set())
    ask("05/first-row")
    assert in_class._asked == {"05/first-row"}


def test_a_class_without_a_network_leaves_the_one_of_before(shown, joined, monkeypatch):
    monkeypatch.setattr(outbox, "depart", lambda here: None)
    monkeypatch.setenv("ATTN_LAB_CLASS", "")
    join("chat")
    assert outbox.current() is None and in_class.in_chat() and in_class.about() == ""
    join(TEXT)
    assert outbox.current() is not None and not in_class.in_chat()
