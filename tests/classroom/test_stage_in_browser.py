"""The stage on a projector: everything fits, whatever is asked and answered, and is large."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec.structs import replace
from playwright.sync_api import expect

from attn_lab.course.kinds import Option
from tests.helpers.class_server import Served

SIZES = [(1280, 720), (1920, 1080)]
ARABIC = "لا يغيّر القناع شيئاً في الصف الأول لأن كل مفتاح لاحق محجوب عنه في كل درجة حرارة " * 2
CHINESE = "第一行在任何温度下都不会改变因为后面的每个键都被遮挡了" * 4
LONG_WORD = "scaled_dot_product_attention" * 4
PROMPT = "Which of these cells change when the mask is left out, and which stay as they are? " * 5
FITS = """() => {
  const root = document.documentElement, main = document.querySelector("main");
  const seen = [...main.querySelectorAll("*")].filter((e) => e.getClientRects().length);
  const outside = seen.filter((e) => {
    const box = e.getBoundingClientRect();
    const past = [box.right - innerWidth, box.bottom - innerHeight, -box.left, -box.top];
    return Math.max(...past) > 1;
  });
  const over = main.querySelector("#body").getBoundingClientRect().bottom;
  const join = main.querySelector("#joining").getBoundingClientRect();
  return {
    scroll: [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight],
    outside: outside.map((e) => e.className || e.id || e.tagName),
    covered: join.height > 0 && over > join.top + 1,
  };
}"""
FITTING = {"scroll": [0, 0], "outside": [], "covered": False}


@pytest.fixture
def led(browser, tmp_path, course, answer):
    """A class at one question, its stage in a browser, and a way to vote and to move on."""
    opened = []

    def lead(question, width=1280, height=720):
        served = Served(f"sqlite:///{tmp_path}/class.sqlite", course | {question.id: question})
        served.server.room.address = f"http://127.0.0.1:{served.server.learner_port}"
        context = browser.new_context(viewport={"width": width, "height": height})
        opened.append((served, context))
        page = context.new_page()
        page.goto(served.do(served.server.link()))
        page.wait_for_url("**/desk")
        page.goto(f"http://127.0.0.1:{served.server.instructor_port}/stage")
        room = served.server.room

        def do(what, *words):
            served.do(served.server.work(getattr(room, what), *words))
            served.loop.call_soon_threadsafe(served.server.bell.ring)

        def vote(to, answers):
            do("move", to, question.id)
            for n, said in enumerate(answers):
                number = 1 if to == "first" else 2
                body = answer(1000 * number + n, exercise=question.id, answer=said, round=number)
                assert served.learn(body, secret=f"{n:032x}")[0] == 200

        return page, do, vote

    yield lead
    for served, context in opened:
        context.close()
        served.close()


def _grids(size):
    """Five grids of three people each, and six that stand alone."""
    ways = [n // 3 if n < 15 else n // 2 for n in range(21)]
    return [[[int(size * r + c <= way) for c in range(size)] for r in range(size)] for way in ways]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize(("size", "prompt"), [(4, "What then?"), (5, "What then?"), (5, PROMPT)])
def test_five_grids_in_both_rounds_fit_and_are_seen_from_the_last_row(
    led, course, size, prompt, width, height
):
    names = tuple("abcdefgh")[:size]
    legal = replace(course["04/legal"], prompt=prompt, rows=names, columns=names, near_misses=())
    page, do, vote = led(legal, width, height)
    vote("first", _grids(size))
    vote("second", _grids(size))
    do("move", "shown")
    expect(page.locator("#rounds .grid")).to_have_count(5)
    expect(page.locator("#rounds li")).to_have_count(6)
    assert page.evaluate(FITS) == FITTING
    squares = page.locator("#rounds .grid span").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).flatMap(box => [box.width, box.height])"
    )
    lines = page.locator("#rounds :is(.round, .count)").evaluate_all(
        "all => all.map(e => e.offsetHeight / parseFloat(getComputedStyle(e).fontSize))"
    )
    assert max(lines) < 2  # no count is broken
    assert len(squares) == 2 * 5 * size**2
    assert min(squares) >= 0.04 * height


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("label", [ARABIC, CHINESE, LONG_WORD], ids=["arabic", "chinese", "word"])
def test_long_answers_in_any_script_fit(led, course, label, width, height):
    options = tuple(Option(f"o{n}", f"{n} {label}", "…") for n in range(7))
    page, do, vote = led(replace(course["04/ripple"], options=options), width, height)
    votes = [f"o{n % 7}" for n in range(28)]
    vote("first", votes)
    expect(page.locator("#options li")).to_have_count(7)
    assert page.evaluate(FITS) == FITTING
    vote("second", votes)
    do("move", "shown")
    expect(page.locator("#rounds li")).to_have_count(6)
    assert page.evaluate(FITS) == FITTING


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_question_of_the_course_fits_and_its_letters_are_large(led, width, height):
    from attn_lab.course.questions import questions

    course = questions()
    page, _, _ = led(course[0], width, height)
    expect(page.locator("#exercise")).to_have_text("attn_lab")
    for each in course:
        paper = each.on_paper()
        state = {"phase": "first", "exercise": each.id, "since": 1, "now": 1, "joined": 0}
        state["join"] = "http://192.168.100.100:8765#AAAA-AAAA"
        state["answered"] = [0, 0]
        state["question"] = {
            "prompt": each.prompt,
            "options": paper.options,
            "caption": paper.caption,
        }
        page.evaluate("state => show(state)", state)
        assert page.evaluate(FITS) == FITTING, each.id
        letters = page.evaluate(
            "parseFloat(getComputedStyle(document.querySelector('#prompt')).fontSize)"
        )
        assert letters >= height / 30, each.id


def test_the_question_is_asked_on_the_stage_and_the_computed_answer_only_when_told(led, course):
    question = replace(course["04/ripple"], prompt="Row 4 of `q`  changes.\nWhat else?")
    page, do, vote = led(question)
    vote("first", ["row-4"] * 3 + ["all"] * 4)
    expect(page.locator("#prompt")).to_have_text("Row 4 of q  changes.\nWhat else?")
    expect(page.locator("#prompt code")).to_have_text("q")
    expect(page.locator("#options li")).to_have_text(["Row 4 alone", "Every row", "Column 4"])
    expect(page.locator("#count")).to_have_text("7 of 7 answered")
    do("move", "shown")
    expect(page.locator("#rounds li")).to_have_count(3)
    expect(page.locator("#options li")).to_have_count(0)
    assert "computed" not in page.locator("main").inner_text()
    do("tell", True)
    expect(page.locator("#rounds li.computed")).to_have_count(1)
    expect(page.locator("#rounds li.computed")).to_contain_text("Row 4 alone")
    expect(page.locator("#rounds li.computed")).to_contain_text("✓ computed")
    do("move", "first")
    do("move", "shown")
    expect(page.locator("#rounds li")).to_have_count(3)
    expect(page.locator("#rounds li.computed")).to_have_count(0)  # told anew each time


def test_an_answer_that_is_hidden_keeps_its_count_and_says_nothing(led, course):
    page, do, vote = led(course["04/ripple"])
    vote("first", ["row-4"] * 3 + ["all"] * 4)
    do("hide", "04/ripple", "all", True)
    do("move", "shown")
    expect(page.locator("#rounds li")).to_have_count(3)
    assert "Every row" not in page.locator("#rounds").inner_text()
    expect(page.locator("#rounds li").nth(1)).to_contain_text("an answer")
    expect(page.locator("#rounds li").nth(1).locator(".count")).to_have_text("4")
    do("hide", "04/ripple", "all", False)
    expect(page.locator("#rounds li").nth(1)).to_contain_text("Every row")


def test_a_computed_answer_that_nobody_gave_is_told_too(led, course):
    page, do, vote = led(course["05/first-row"])
    vote("first", [[0.266, 0, 0, 0]] * 4)
    do("mark", "05/first-row", "none of these")
    do("move", "shown")
    expect(page.locator("#rounds li")).to_have_count(1)
    expect(page.locator(".says")).to_have_count(0)
    do("tell", True)
    expect(page.locator(".says")).to_have_text("✓ None of these is the computed answer.")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_told_stage_reads_well_in_both_themes(led, course, theme):
    page, do, vote = led(course["04/legal"])
    page.emulate_media(color_scheme=theme)
    vote("first", [[[1, 0], [1, 1]]] * 4 + [[[1, 1], [1, 1]]] * 3)
    do("mark", "04/legal", "none of these")
    do("move", "shown")
    do("tell", True)
    expect(page.locator(".says")).to_be_visible()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []


def test_what_was_written_stands_in_its_own_direction_with_nothing_hidden(led, course):
    options = (Option("o0", "هل (أ) 1", "…"), Option("o1", "a\x07b", "…"), Option("o2", "c", "…"))
    page, do, vote = led(replace(course["04/ripple"], prompt="لماذا؟ a\x1b", options=options))
    vote("first", ["o0"] * 3 + ["o1"] * 3)
    expect(page.locator("#options li").nth(1)).to_have_text(r"a\x07b")
    expect(page.locator("#prompt")).to_have_text(r"لماذا؟ a\x1b")
    do("move", "shown")
    expect(page.locator("#rounds .label").first).to_be_visible()
    if "ATTN_LAB_SHOTS" in os.environ:
        page.screenshot(path=f"{os.environ['ATTN_LAB_SHOTS']}/as-written-stage.png")
    found = page.locator("#prompt, #rounds .label").evaluate_all(
        "all => all.map(e => [e, getComputedStyle(e)]).map(([e, look]) => "
        "[e.textContent, [look.direction, look.unicodeBidi]])"
    )
    assert dict(found)["هل (أ) 1"] == ["rtl", "isolate"]
    assert dict(found)[r"a\x07b"] == ["ltr", "isolate"]
    assert dict(found)[r"لماذا؟ a\x1b"][0] == "rtl"
