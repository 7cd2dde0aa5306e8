"""panel.js alone in a bare page: a model that only keeps and tells, no kernel, no JupyterLab."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from attn_lab.show import bars
from attn_lab.widgets import parts
from attn_lab.widgets.panel import MOVES, Panel

# A model as a front end has it: what is set is kept and told; `sent` holds what went to the kernel.
SHOW = """async ([script, style, state]) => {
  const file = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
  const {default: {render}} = await import(file);
  const heard = {};
  const model = globalThis.model = {
    state, sent: [], heard,
    get: name => state[name],
    set: (name, value) => { state[name] = value; model.sent.push({[name]: value}); },
    save_changes: () => {},
    send: message => model.sent.push(message),
    on: (event, then) => (heard[event] ||= []).push(then),
    off: (event, then) => heard[event] = heard[event].filter(each => each !== then),
    tell: (event, said) => (heard[event] || []).forEach(then => then(said)),
    write: (name, value) => { state[name] = value; model.tell(`change:${name}`); },
  };
  document.head.insertAdjacentHTML('beforeend', `<style>${style}</style>`);
  globalThis.view = () =>
    render({model, el: document.body.appendChild(document.createElement('div'))});
  globalThis.leave = view();
}"""
VIEW_AGAIN = "() => { view() }"  # as JupyterLab's "Create New View for Output" does


class Shown:
    """A panel in a bare page: what stands there, and what it told its model."""

    def __init__(self, page: Page, made: list[parts.Part], **state: Any) -> None:
        self.page = page
        empty = {"values": {}, "html": {}, "notes": {}, "css": "", "fresh": False}
        page.evaluate(SHOW, [Panel._esm, Panel._css, {"parts": made, **empty, **state}])

    @property
    def panel(self) -> Locator:
        return self.page.locator(".attn-panel").last

    @property
    def values(self) -> dict[str, Any]:
        """What the model holds, without the count of moves."""
        held: dict[str, Any] = self.page.evaluate("() => model.state.values")
        return {name: value for name, value in held.items() if name != MOVES}

    @property
    def sent(self) -> list[dict[str, Any]]:
        return self.page.evaluate("() => model.sent")

    def write(self, name: str, value: Any) -> None:
        """Change the model as the kernel does."""
        self.page.evaluate("([name, value]) => model.write(name, value)", [name, value])


@pytest.fixture(scope="module")
def shared_page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 900, "height": 700}) as context:
        yield context.new_page()


@pytest.fixture
def page(shared_page: Page) -> Page:
    shared_page.goto("about:blank")
    return shared_page


def options(**more: Any) -> parts.Part:
    return parts.options("o", "which?", [("a", "one"), ("b", "two")], row=False, **more)


def test_options_are_chosen_by_mouse_and_by_arrow_key(page):
    shown = Shown(page, [options()], values={"o": None})
    assert page.get_by_role("radio", checked=True).count() == 0
    page.get_by_label("one").click()
    assert shown.values == {"o": "a"}
    page.keyboard.press("ArrowDown")
    assert shown.values == {"o": "b"}
    expect(page.get_by_role("group", name="which?")).to_be_visible()


def test_a_long_choice_is_a_list_that_gives_the_key_not_its_text(page):
    many = [(f"name {i}", i) for i in range(9)]
    shown = Shown(page, [parts.choice("c", "which?", many)], values={"c": 3})
    assert page.get_by_label("which?").evaluate("e => e.selectedOptions[0].text") == "name 3"
    page.get_by_label("which?").select_option("name 7")
    page.get_by_label("which?").focus()
    page.keyboard.press("ArrowUp")
    assert shown.values == {"c": 6}


def test_a_field_is_sent_while_it_is_typed_and_one_that_waits_at_enter(page):
    shown = Shown(page, [parts.field("f", "now"), parts.entry("e", "later")], values={})
    page.get_by_label("now").press_sequentially("1/4")
    page.wait_for_function("() => model.state.values.f === '1/4'")
    page.get_by_label("later").press_sequentially("2")
    assert "e" not in shown.values
    page.keyboard.press("Enter")
    assert shown.values == {"f": "1/4", "e": "2"}


def test_a_counter_says_its_range_and_an_empty_one_is_not_zero(page):
    shown = Shown(page, [parts.counter("n", "tiles", 9)], values={"n": 4})
    page.get_by_label("tiles (1 to 9)").focus()
    page.keyboard.press("ArrowUp")
    assert shown.values == {"n": 5}
    page.get_by_label("tiles (1 to 9)").fill("")
    page.keyboard.press("Tab")
    assert shown.values == {"n": None}


def test_a_tick_is_set_by_its_label_and_by_space(page):
    shown = Shown(page, [parts.tick("t", "mask")], values={"t": False})
    page.get_by_text("mask").click()
    assert shown.values == {"t": True}
    page.keyboard.press("Space")
    assert shown.values == {"t": False}


def test_a_slider_says_its_step_and_marks_some(page):
    shown = Shown(page, [parts.slider("s", "τ", ["0.1", "1", "10"], [0, 2])], values={"s": 1})
    slider = page.get_by_role("slider", name="τ")
    assert slider.get_attribute("aria-valuetext") == "1"
    slider.press("ArrowRight")
    assert shown.values == {"s": 2} and slider.get_attribute("aria-valuetext") == "10"
    assert page.locator(".attn-marks span").all_inner_texts() == ["0.1", "10"]
    box = slider.bounding_box()
    page.mouse.click(box["x"] + 3, box["y"] + box["height"] / 2)
    assert shown.values == {"s": 0}


def test_a_grid_is_painted_by_click_and_by_space_where_the_arrows_lead(page):
    made = parts.grid("g", "cells", ["query 1", "query 2"], ["key 1", "key 2"], "reads")
    shown = Shown(page, [made], values={"g": [[0, 0], [0, 0]]})
    page.get_by_role("button", name="query 1 reads key 1").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # there is nothing further right
    page.keyboard.press("Space")
    assert shown.values == {"g": [[1, 0], [0, 1]]}
    assert page.locator(".attn-cell[aria-pressed=true]").all_inner_texts() == ["✓", "✓"]
    assert page.locator(".attn-cell[tabindex='0']").count() == 1


POINTS = [("key 1", "key", False), ("key 2", "key", True), ("query", "query", True)]
ARROWS = parts.plane("p", "arrows", POINTS, (-2, 2))
START = {"p": {"query": [1, 0], "key 1": [1, 0], "key 2": [0, 1]}}


def test_a_point_of_a_plane_is_moved_by_arrow_keys_and_stays_inside(page):
    shown = Shown(page, [ARROWS], values=START)
    point = page.get_by_role("slider", name="query")
    point.press("ArrowUp")
    point.press("Shift+ArrowLeft")
    assert shown.values["p"] == {**START["p"], "query": [0.5, 0.1]}
    for _ in range(6):
        point.press("Shift+ArrowLeft")
    assert shown.values["p"]["query"] == [-2, 0.1]
    assert point.get_attribute("aria-valuetext") == "−2, 0.1"


def test_a_point_of_a_plane_is_dragged_to_where_the_pointer_is(page):
    shown = Shown(page, [ARROWS], values=START)
    box = page.locator(".attn-plane").bounding_box()
    centre, unit = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), box["width"] / 4
    page.mouse.move(centre[0] + unit, centre[1])
    page.mouse.down()
    page.mouse.move(centre[0] - unit, centre[1] + unit, steps=3)
    page.mouse.up()
    assert shown.values["p"]["query"] == [-1, -1]
    page.mouse.move(centre[0] - unit + 7, centre[1] + unit)  # let go: it follows no longer
    assert shown.values["p"]["query"] == [-1, -1]


def test_a_key_that_is_held_fast_takes_no_drag_and_no_focus(page):
    shown = Shown(page, [ARROWS], values={"p": {**START["p"], "query": [0, -1]}})
    assert page.get_by_role("slider", name="key 1").count() == 0
    box = page.locator(".attn-plane").bounding_box()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 4)
    page.mouse.up()
    assert shown.sent == []


def test_a_point_is_dragged_by_a_finger_and_the_page_is_not(browser):
    with browser.new_context(has_touch=True, viewport={"width": 375, "height": 500}) as context:
        page = context.new_page()
        shown = Shown(page, [ARROWS], values=START)
        page.evaluate("() => { document.body.style.height = '2000px' }")
        box = page.locator(".attn-plane").bounding_box()
        centre, unit = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), box["width"] / 4
        finger = context.new_cdp_session(page)

        def touch(kind, *places):
            points = [{"x": x, "y": y} for x, y in places]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        # beside the point, for a finger is wide
        touch("touchStart", (centre[0] + unit + 14, centre[1]))
        for step in range(1, 11):
            touch("touchMove", (centre[0] + unit, centre[1] - step * unit / 10))
        touch("touchEnd")
        assert shown.values["p"] == {**START["p"], "query": [1, 1]}
        assert page.evaluate("() => scrollY") == 0


def test_a_press_takes_the_last_digits_along_and_a_double_click_is_one(page):
    made = [parts.field("f", "number"), parts.buttons(parts.button("go", "Go"))]
    shown = Shown(page, made, values={"f": ""})
    page.get_by_label("number").press_sequentially("12")
    # as voice control presses it, without the focus
    page.get_by_role("button", name="Go").evaluate("e => (e.click(), e.click())")
    presses = [each for each in shown.sent if "press" in each]
    assert [(each["press"], each["values"]["f"]) for each in presses] == [("go", "12")]
    page.get_by_text("This is done as soon as the running cell is.").wait_for()
    page.evaluate("number => model.tell('msg:custom', {done: number})", presses[0]["number"])
    expect(page.locator(".attn-waits")).to_have_count(0)
    page.get_by_role("button", name="Go").click()
    assert len([each for each in shown.sent if "press" in each]) == 2


def test_a_click_in_a_map_says_the_cell_and_nothing_else_does(page):
    table = """<p>outside</p><div data-cells="cell"><table><tr><td></td><th scope="col">k</th></tr>
      <tr><th scope="row">one</th><td>1</td></tr><tr><th scope="row">two</th><td>2</td></tr></table>
      <p>legend</p></div>"""
    shown = Shown(page, [parts.region("map")], html={"map": table})
    answered = "() => model.tell('msg:custom', {done: model.sent.at(-1)?.number})"
    for text in ("outside", "legend", "2", "one", "k"):
        page.get_by_text(text, exact=True).click()
        page.evaluate(answered)
    assert [each["value"] for each in shown.sent] == [[1, 0], [0, -1]]


def test_a_value_that_comes_late_takes_back_no_later_move(page):
    made = [parts.slider("s", "τ", [*"abcdef"]), parts.field("f", "typed")]
    shown = Shown(page, made, values={"s": 0, "f": "a"})
    slider = page.get_by_role("slider")
    slider.press("ArrowRight")
    seen = page.evaluate("() => model.state.values")  # what the kernel answers to
    slider.press("ArrowRight")
    shown.write("values", {**seen, "f": "b"})
    assert slider.input_value() == "2"
    shown.write("values", {"s": 2, "f": "c", MOVES: {"s": 2}})
    assert (slider.input_value(), page.get_by_label("typed").input_value()) == ("2", "c")


def test_what_is_still_typed_is_not_replaced_by_what_the_kernel_holds(page):
    shown = Shown(page, [parts.entry("e", "number")], values={"e": "1"})
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    shown.write("values", {"e": "7"})
    assert page.get_by_label("number").input_value() == "2" and shown.values == {"e": "7"}


def test_new_html_keeps_what_was_scrolled_and_opened_in_it(page):
    wide = "<div class='attn-scroll' style='width:80px'><div style='width:400px'>{}</div></div>"
    html = wide + "<details><summary>more</summary>text</details>"
    shown = Shown(page, [parts.region("r")], html={"r": html.format("old")})
    page.get_by_text("more").click()
    page.evaluate("() => { document.querySelector('.attn-scroll').scrollLeft = 60 }")
    shown.write("html", {"r": html.format("new")})
    assert page.get_by_text("new").count() == 1 and page.get_by_text("text").is_visible()
    assert page.evaluate("() => document.querySelector('.attn-scroll').scrollLeft") == 60


def test_other_parts_keep_the_keyboard_on_the_panel(page):
    again = parts.buttons(parts.button("again", "Again"))
    shown = Shown(page, [parts.buttons(parts.button("go", "Go"))])
    page.get_by_role("button", name="Go").focus()
    shown.write("parts", [parts.region("r"), again])
    expect(page.get_by_role("button", name="Again")).to_be_focused()


def test_a_note_stands_beside_its_control(page):
    shown = Shown(page, [parts.field("f", "number")], values={"f": ""}, notes={})
    shown.write("notes", {"f": "Write a number."})
    field = page.get_by_label("number")
    assert field.get_attribute("aria-describedby") == page.get_by_role("alert").get_attribute("id")
    assert page.get_by_role("alert").inner_text() == "Write a number."


def test_a_lost_kernel_is_said_once_and_what_was_left_hears_no_more(page):
    shown = Shown(page, [options()], values={"o": "a"})
    page.evaluate("() => model.tell('comm_live_update')")
    said = "getComputedStyle(e, '::before').content"
    assert "The kernel that drew this is gone" in shown.panel.evaluate(f"e => {said}")
    page.evaluate("() => leave()")
    assert page.evaluate("() => Object.values(model.heard).flat()") == []


EVERYTHING = [
    options(),
    parts.choice("c", "long", [(f"name {i}", i) for i in range(9)]),
    parts.field("f", "number"),
    parts.counter("n", "count", 9),
    parts.tick("t", "mask"),
    parts.slider("s", "τ", ["1", "2"]),
    parts.fold("more", parts.field("w", "words", wide=True)),
    ARROWS,
]


def test_ids_are_unique_and_every_control_has_a_name_though_panels_are_alike(page):
    values = {**START, "s": 0}
    for _ in range(2):
        Shown(page, EVERYTHING, values=values)
    page.evaluate(VIEW_AGAIN)
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)) >= 10
    groups = page.evaluate("() => [...document.querySelectorAll('[type=radio]')].map(e => e.name)")
    assert len(set(groups)) == 3
    unnamed = """() => [...document.querySelectorAll('input, select')]
      .filter(e => !e.labels?.length).map(e => e.outerHTML)"""
    assert page.evaluate(unnamed) == []


def test_no_key_in_a_panel_is_taken_for_a_command_of_the_notebook(page):
    shown = Shown(page, EVERYTHING, values={**START, "s": 0})
    unmarked = """e => [...e.querySelectorAll('button, input, select, summary, [tabindex]')]
      .filter(e => !e.hasAttribute('data-lm-suppress-shortcuts')).map(e => e.outerHTML)"""
    assert shown.panel.evaluate(unmarked) == []


def test_text_stands_as_it_was_written(page):
    named = parts.choice("c", "<b>which</b>", [("<i>one</i>", 1)])
    Shown(page, [named, parts.presets({"<b>bold</b>": "<i>why</i>"})], values={"c": 1})
    for text in ("<b>which</b>", "<i>one</i>", "<b>bold</b>", "<i>why</i>"):
        assert page.get_by_text(text, exact=True).count() == 1


def test_a_figure_on_white_is_turned_dark_with_the_theme_and_keeps_its_hue(page):
    white_and_blue = bars({"weight": [0.7, 0.3]}).html
    Shown(page, [parts.region("shown")], html={"shown": white_and_blue})
    image = page.locator(".attn-picture img")
    page.evaluate("document.body.setAttribute('data-jp-theme-light', 'true')")
    assert image.evaluate("e => getComputedStyle(e).filter") == "none"
    page.evaluate("document.body.setAttribute('data-jp-theme-light', 'false')")
    assert image.evaluate("e => getComputedStyle(e).filter") == "invert(0.93) hue-rotate(180deg)"
