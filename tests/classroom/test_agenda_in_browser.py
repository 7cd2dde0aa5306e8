"""The plan and the sheet at the desk: what is now and next, and what to say, at one glance."""

import random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from attn_lab.classroom.wire import Answer
from attn_lab.course.questions import questions
from attn_lab.course.reference import computed_answers
from tests.helpers.class_server import Served

AT_HAND = """e => {
  const box = e.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}"""


@pytest.fixture
def led(browser, tmp_path):
    """A class on the whole course and its desk, whose clock the test moves on."""
    course = {question.id: question for question in questions()}
    served = Served(f"sqlite:///{tmp_path}/class.sqlite", course, right=computed_answers())
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    desk, complaints = context.new_page(), []
    desk.on("pageerror", lambda error: complaints.append(str(error)))
    desk.clock.install()
    desk.goto(served.do(served.server.link()))
    expect(desk.locator("#plan option")).to_have_count(15)
    yield desk, served
    context.close()
    served.close()
    assert complaints == []


def _start(desk, plan, id):
    desk.select_option("#plan", plan)
    desk.select_option("#choose", id)
    desk.locator("h1").click()
    desk.keyboard.press("1")
    expect(desk.locator("#exercise")).to_have_text(id)


def _answer(served, id):
    room, draw = served.server.room, random.Random(1)
    for n in range(20):
        said = room.course[id].invented(draw)
        given = Answer(f"answer-{n:06}", id, 1, False, said, "guess")
        served.do(served.server.work(room.take, f"learner {n}", given))
    served.loop.call_soon_threadsafe(served.server.bell.ring)


def test_the_queue_shows_what_is_now_and_the_list_stands_at_what_is_next(led):
    desk, served = led
    expect(desk.locator("#queue")).to_be_hidden()
    desk.select_option("#plan", "90")
    expect(desk.locator("#queue li")).to_have_count(13)
    expect(desk.locator("#queue [aria-current]")).to_contain_text("arrival")
    expect(desk.locator("#session")).to_have_text(
        "0:00 of 1:17 h. The clock starts with the first step."
    )
    _start(desk, "90", "01/zero-score")
    expect(desk.locator("#queue [aria-current]")).to_contain_text("01/zero-score")
    expect(desk.locator("#session")).to_contain_text("Next: 01/louder-value. On time.")
    desk.locator("h1").click()
    desk.keyboard.press("5")
    expect(desk.locator("#choose")).to_have_value("01/louder-value")
    assert served.server.room.agenda.plan == "90"


def test_a_row_of_the_queue_chooses_its_question_or_begins_its_step(led):
    desk, _ = led
    _start(desk, "90", "01/zero-score")
    desk.locator("#queue button", has_text="explorer of 05").click()
    expect(desk.locator("#queue [aria-current]")).to_contain_text("explorer of 05")
    desk.locator("#queue button", has_text="04/ripple").focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("#choose")).to_have_value("04/ripple")
    expect(desk.locator("#moves button").first).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.locator("#queue [aria-current]")).to_contain_text("04/ripple")


def test_a_class_that_is_late_is_told_by_how_much_and_what_to_cut(led):
    desk, _ = led
    _start(desk, "90", "03/three-shifts")
    desk.clock.fast_forward(34 * 60 * 1000)  # planned to end after 28
    expect(desk.locator("#session")).to_contain_text("0:34 of 1:17 h. Next: 04/ripple. 6 min late.")
    expect(desk.locator("#session")).to_contain_text(
        "To cut: 05/mask-off (5), show 08/asked-removed (7)."
    )
    desk.click("#begin")
    expect(desk.locator("#session")).to_contain_text("0:00 of 1:17 h")


def test_the_timer_of_a_vote_has_marks_at_90_and_150_seconds(led):
    desk, _ = led
    _start(desk, "", "04/ripple")
    expect(desk.locator("#mark")).to_be_empty()
    desk.clock.fast_forward(91_000)
    expect(desk.locator("#mark")).to_contain_text("past 90 s: a choice")
    desk.clock.fast_forward(60_000)
    expect(desk.locator("#mark")).to_contain_text("past 150 s: numbers, cells and shapes")
    desk.keyboard.press("2")
    expect(desk.locator("#mark")).to_be_empty()


@pytest.mark.parametrize("id", ["04/late-zero", "06/empty-row-outputs", "08/asked-removed"])
def test_what_to_say_is_at_hand_without_scrolling_and_hidden_until_it_is_wanted(led, id):
    desk, served = led
    _start(desk, "180", id)
    _answer(served, id)
    right = served.server.room.right_answer(id).label
    expect(desk.locator("#count")).to_contain_text("Round 1: 20")
    assert not desk.get_by_text("Right answer", exact=True).is_visible()
    assert not desk.locator(".mark").first.is_visible()
    desk.keyboard.press("h")
    for said in ("Right answer", "Ask next", "Hint", "Wrong answers, and why"):
        name = desk.locator("#sheet dt", has_text=said)
        if not name.count():  # solo questions have no hint
            assert (said, id) == ("Hint", "06/empty-row-outputs"), said
            continue
        expect(name).to_be_in_viewport(ratio=1)  # once the desk has made room for the sheet
        assert name.evaluate(AT_HAND), said
    assert desk.locator("#sheet dd").evaluate_all(f"all => all.every({AT_HAND})")
    expect(desk.locator("#sheet dd").first).to_have_text(right)
    assert desk.locator("#note").evaluate(AT_HAND)
    for here in ("#moves", "#count", "#advice", "#queue [aria-current]", "#session"):
        assert desk.locator(here).evaluate(AT_HAND), here
    desk.locator("h1").click()
    desk.keyboard.press("h")
    assert not desk.get_by_text("Right answer", exact=True).is_visible()


def test_a_note_is_kept_with_its_question_while_others_are_led(led):
    desk, served = led
    _start(desk, "", "04/ripple")
    desk.keyboard.press("h")
    desk.locator("#note").press_sequentially("1: ask h, the back row")  # moves nothing
    desk.select_option("#choose", "04/legal")
    desk.click("[data-to=first]")
    expect(desk.locator("#of")).to_have_text("04/legal")
    expect(desk.locator("#note")).to_have_value("")
    desk.reload()
    desk.select_option("#choose", "04/ripple")
    desk.click("[data-to=first]")
    desk.locator("#sheet summary").click()
    expect(desk.locator("#note")).to_have_value("1: ask h, the back row")
    assert served.server.room.notes == {"04/ripple": "1: ask h, the back row"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_desk_with_plan_and_sheet_reads_well_in_both_themes_and_on_a_phone(led, theme):
    desk, _ = led
    desk.emulate_media(color_scheme=theme)
    _start(desk, "180", "04/ripple")
    desk.keyboard.press("h")
    for width, height in [(1280, 800), (1920, 1080), (375, 812)]:
        desk.set_viewport_size({"width": width, "height": height})
        assert desk.evaluate("document.documentElement.scrollWidth") <= width
        found = Axe().run(desk).response["violations"]
        assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
