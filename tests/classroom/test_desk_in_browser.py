"""Desk and stage in a real browser: keys, live counts, both themes, a phone, a projector."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.helpers.axe import COLOURS


@pytest.fixture
def pages(browser, served):
    """Desk and stage, come in by the one-time link; whatever they complain of fails."""
    served.server.room.address = f"http://127.0.0.1:{served.server.learner_port}"
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    desk, complaints = context.new_page(), []
    context.on(
        "console", lambda said: said.type in ("error", "warning") and complaints.append(said.text)
    )
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    desk.goto(served.do(served.server.link()))
    expect(desk).to_have_title("Desk · desk")
    stage = context.new_page()
    stage.goto(f"http://127.0.0.1:{served.server.instructor_port}/stage")
    yield desk, stage
    context.close()
    assert complaints == []


def _fill(served, answer, count, said="all", round=1, start=0):
    for n in range(start, start + count):
        body = answer(1000 * round + n, answer=said, round=round)
        assert served.learn(body, secret=f"{n:032x}")[0] == 200


def _press(desk, key):
    desk.locator("h1").click()  # keys count where nothing is being typed
    desk.keyboard.press(key)


def test_a_question_is_led_by_keyboard_from_prediction_to_both_rounds(pages, served, answer):
    desk, stage = pages
    cell = f'from attn_lab.predict import join\njoin("{served.server.room.join_string()}")'
    expect(stage.locator("#how")).to_contain_text("in a cell of your notebook")
    expect(stage.locator("#join")).to_have_text(cell)
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    expect(stage.locator("#exercise")).to_have_text("04/ripple")
    expect(stage.locator("#phase")).to_contain_text("Predict alone. Commit.")
    _fill(served, answer, 4)
    _fill(served, answer, 3, "row-4", start=4)
    expect(stage.locator("#count")).to_have_text("7 of 7 answered")
    expect(stage.locator("#rounds")).to_be_hidden()
    expect(stage.locator("#rounds li")).to_have_count(0)
    expect(desk.locator(".bars")).to_contain_text("Every row")
    expect(desk.locator("#advice")).to_contain_text("3 of 7 as computed. Between")
    _press(desk, "2")
    expect(stage.locator("#phase")).to_have_text("Talk to someone with another answer.")
    _press(desk, "3")
    expect(stage.locator("#count")).to_have_text("0 of 7 answered")
    _fill(served, answer, 7, "row-4", round=2)
    expect(stage.locator("#count")).to_have_text("7 of 7 answered")
    _press(desk, "4")
    lines = stage.locator("#rounds li").first
    expect(lines).to_contain_text("Row 4 alone")
    expect(lines.locator(".count").nth(0)).to_have_text("3")
    expect(lines.locator(".count").nth(1)).to_have_text("7")
    _press(desk, "5")
    expect(stage.locator("#rounds")).to_be_hidden()
    expect(stage.locator("#exercise")).to_have_text("attn_lab")


def test_a_hasty_second_answer_is_a_correction_in_the_vote_that_is_open(pages, served, answer):
    desk, stage = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    _fill(served, answer, 4)
    _fill(served, answer, 1, round=2)
    expect(desk.locator("#count")).to_contain_text("Round 1: 4 ")
    expect(desk.locator("#count")).not_to_contain_text("Round 2")
    expect(stage.locator("#count")).to_have_text("4 of 4 answered")


def test_a_vote_is_closed_by_its_button_and_what_comes_later_is_said(pages, served, answer):
    desk, _ = pages
    expect(desk.locator("#close")).to_be_disabled()
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    expect(desk.locator("#close")).to_have_text("Close the vote")
    _fill(served, answer, 3)
    desk.click("#close")
    expect(desk.locator("#close")).to_have_text("The vote is closed")
    reply = served.learn(answer(99), secret=f"{99:032x}")[1]
    assert reply == {"saved": "answer-000099", "late": True}
    expect(desk.locator("#count")).to_contain_text("1 came after the vote was closed")
    _press(desk, "3")
    expect(desk.locator("#close")).to_be_enabled()


def test_the_desk_says_when_its_list_and_the_room_are_at_two_exercises(pages):
    desk, _ = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    expect(desk.locator("#exercise")).to_have_text("04/ripple")
    desk.select_option("#choose", "04/legal")
    expect(desk.locator("#apart")).to_contain_text("2 to 5 still act on 04/ripple")
    _press(desk, "1")
    expect(desk.locator("#exercise")).to_have_text("04/legal")
    expect(desk.locator("#apart")).to_be_empty()


def test_latecomers_see_how_to_join_while_a_question_is_open(pages, served):
    desk, stage = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    expect(stage.locator("#exercise")).to_have_text("04/ripple")
    expect(stage.locator("#join")).to_be_visible()
    expect(stage.locator("#join")).to_contain_text(served.server.room.join_string())
    expect(stage.locator("#halfway")).to_contain_text("Run All Above Selected Cell")


def test_the_stage_says_when_to_run_and_when_not_yet(pages, served, answer):
    desk, stage = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    expect(stage.locator("#phase")).to_contain_text("Run nothing yet")
    _fill(served, answer, 3)
    _press(desk, "4")
    expect(stage.locator("#phase")).to_contain_text("Now run on")


def test_the_list_stands_at_the_next_exercise_once_the_stage_is_cleared(pages, course):
    desk, stage = pages
    ids = list(course)
    desk.select_option("#choose", ids[1])
    _press(desk, "1")
    expect(stage.locator("#exercise")).to_have_text(ids[1])
    _press(desk, "5")
    expect(desk.locator("#choose")).to_have_value(ids[2])
    _press(desk, "1")
    expect(stage.locator("#exercise")).to_have_text(ids[2])


def test_a_key_pressed_after_choosing_with_the_mouse_opens_what_was_chosen(pages, served):
    desk, stage = pages
    desk.locator("#choose").focus()  # a list keeps the focus, and would take 1 for the start of 10
    desk.select_option("#choose", "04/ripple")
    desk.keyboard.press("1")
    expect(stage.locator("#exercise")).to_have_text("04/ripple")


def test_the_list_keeps_the_focus_of_those_who_choose_by_keyboard(pages):
    desk, _ = pages
    desk.locator("#choose").focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowDown")
    assert desk.evaluate("document.activeElement.id") == "choose"
    expect(desk.locator("#choose")).to_have_value("04/legal")


def test_cells_stand_as_a_grid_on_the_stage_and_hands_say_what_they_mean(pages, served):
    desk, stage = pages
    desk.select_option("#choose", "04/legal")
    _press(desk, "1")
    desk.locator("#hands summary").click()
    for label, count in (("as computed", "5"), ("not itself", "4")):
        desk.locator("#hands fieldset").first.get_by_label(label).fill(count)
        desk.keyboard.press("Tab")
    expect(desk.locator("#count")).to_contain_text("Round 1: 9 (9 hands)")
    _press(desk, "4")
    grid = stage.locator("#rounds .label").nth(1).get_by_role("img", name="□□ / ■□")
    expect(grid.locator("span")).to_have_count(4)
    tops = grid.locator("span").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert tops[0] == tops[1] < tops[2] == tops[3]


def test_keys_do_nothing_while_something_is_typed(pages, served):
    desk, stage = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    expect(stage.locator("#exercise")).to_have_text("04/ripple")
    desk.locator("#hands summary").click()
    field = desk.locator("#hands input").first
    field.fill("")
    field.press_sequentially("25")
    field.press("Tab")
    expect(desk.locator("#count")).to_contain_text("25 hands")
    expect(stage.locator("#phase")).to_contain_text("Predict alone. Commit.")
    expect(stage.locator("#count")).to_have_text("25 answers")


@pytest.mark.parametrize(
    "where", ["#hands fieldset:first-child [data-key=all]", ".mark[data-key=all]"]
)
def test_answers_that_arrive_leave_the_focus_where_it_is(pages, served, answer, where):
    desk, _ = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    _fill(served, answer, 3, "row-4")
    expect(desk.locator("#count")).to_contain_text("Round 1: 3 ")
    desk.locator("#hands summary").click()
    desk.locator("#sheet summary").click()  # what tells right from wrong is seen with it alone
    desk.locator(where).focus()
    _fill(served, answer, 1, "row-4", start=3)
    expect(desk.locator("#count")).to_contain_text("Round 1: 4 ")
    expect(desk.locator(where)).to_be_focused()


def test_a_later_word_never_overtakes_an_earlier_one_that_is_slow(pages, served):
    desk, _ = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    desk.locator("#hands summary").click()
    held, fields = [], desk.locator("#hands fieldset").first.locator("input")
    desk.route("**/control", lambda route: held.append(route), times=1)
    for field, count in ((fields.nth(0), "5"), (fields.nth(1), "4")):
        field.fill(count)
        field.press("Tab")
    expect(desk.locator("#count")).to_have_text("0 here")  # nothing has overtaken it
    held[0].continue_()
    expect(desk.locator("#count")).to_contain_text("Round 1: 9 (9 hands)")


def test_a_chat_is_pasted_and_its_codes_are_counted(pages, served, ripple):
    from attn_lab.course.codes import encode

    desk, _ = pages
    desk.get_by_text("Read codes from the chat").click()
    desk.fill("#chat", f"Ann: {encode(ripple, 'all', 'guess', 1, noise='a')} yes")
    desk.click("#read")
    expect(desk.locator("#said")).to_have_text("1 code read, 1 new, 0 not readable.")


def test_a_chat_that_is_too_long_is_said_so(pages):
    desk, _ = pages
    desk.get_by_text("Read codes from the chat").click()
    desk.evaluate("document.getElementById('chat').value = 'word '.repeat(900_000)")
    desk.click("#read")
    expect(desk.locator("#said")).to_contain_text("this chat is over 1 MB")


def test_the_ideas_that_moved_are_told_afterwards(pages, served, answer):
    desk, _ = pages
    _fill(served, answer, 5)
    served.do(served.server.work(served.server.room.move, "second", "04/ripple"))
    _fill(served, answer, 5, "row-4", round=2)
    desk.get_by_text("Which ideas moved").click()
    expect(desk.locator("#ideas tbody tr")).to_have_count(1)
    expect(desk.locator("#ideas tbody")).to_contain_text("04/ripple")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_pages_read_well_on_a_phone_and_on_a_projector(pages, served, answer, theme):
    desk, stage = pages
    desk.select_option("#choose", "04/ripple")
    _press(desk, "1")
    _fill(served, answer, 25)
    _press(desk, "4")
    expect(stage.locator("#rounds .count").first).to_be_visible()
    desk.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    # A theme changes nothing but colours: what else axe asks, the light one has answered.
    options = {"resultTypes": ["violations"]} | ({"runOnly": COLOURS} if theme == "dark" else {})
    for page, sizes in ((desk, [(375, 812), (1280, 800)]), (stage, [(375, 812), (1024, 768)])):
        page.emulate_media(color_scheme=theme)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            # The stage fits its letters when the window tells of its new size: a moment later.
            page.wait_for_function(
                "w => innerWidth === w && document.documentElement.scrollWidth <= w", arg=width
            )
            found = Axe().run(page, options=options).response["violations"]
            assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
    stage.wait_for_function("document.documentElement.scrollHeight <= 768")
