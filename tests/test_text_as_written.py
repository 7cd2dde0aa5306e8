r"""The same nasty strings at every place where a learner or a label speaks: shown as written.

In HTML no run of text holds a pair that MathJax would typeset, SVG is valid XML, matplotlib takes
nothing for mathematics and warns of nothing, and what cannot be seen is written out.
"""

import base64
import io
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.text import Text

from attn_lab.classroom.count import moves
from attn_lab.classroom.count.csv_tables import as_csv
from attn_lab.commands.check import Fact
from attn_lab.commands.report import attempt_lines
from attn_lab.commands.setup_check import SetupCheck
from attn_lab.grade.verdict import paragraph
from attn_lab.predict import closing
from attn_lab.predict.ask import Exercise
from attn_lab.predict.card import card
from attn_lab.predict.form import Form, committed_html
from attn_lab.record import Attempt, Store, open_store
from attn_lab.show import bars, curve, figure_text, heatmap, places_map, row_steps, side_by_side
from attn_lab.show.as_written import in_html, in_xml, visible
from attn_lab.show.figure_text import NO_FONT, as_written
from attn_lab.show.tables import text_table
from attn_lab.widgets.panel import Panel, problem_html
from attn_lab.widgets.parts import choice, grid, slider
from tests.helpers.questions import NUMBERS

LONG = "scaled_dot_product_attention" * 8
WRITTEN = {
    "dollars": ("from $100 to $10_0", "from $100 to $10_0"),
    "display": ("$$x$$ and $", "$$x$$ and $"),
    "a fraction": (r"\frac{x", r"\frac{x"),
    "brackets": (r"\(a_b\) \[c^d\] \begin{align}", r"\(a_b\) \[c^d\] \begin{align}"),
    "a tag": ('<b class="x">&amp;', '<b class="x">&amp;'),
    "Arabic": ("سلام 12", "سلام 12"),
    "Chinese": ("中文", "中文"),
    "emoji with joiner": ("👩\u200d💻", "👩\u200d💻"),
    "combining": ("e\u0301\u0308", "e\u0301\u0308"),
    "bell and escape": ("a\x07\x1b[31m\0", r"a\x07\x1b[31m\x00"),
    "return and delete": ("a\rb\x7f\x85c", r"a\rb\x7f\x85c"),
    "half a character": ("\ud83d", r"\ud83d"),
    "no character": ("\ufffe\uffff", r"\ufffe\uffff"),
    "long": (LONG, LONG),
}
NASTY = pytest.mark.parametrize(("nasty", "seen"), WRITTEN.values(), ids=WRITTEN)

PICTURES = {
    "heatmap": lambda s: heatmap(
        [[0.5, 0.5]] * 2, keys=[s, "b"], queries=["a", s], title=s, axes=(s, s)
    ),
    "large heatmap": lambda s: heatmap(
        [[0.05] * 20] * 20, keys=[s] * 20, queries=[s] * 20, title=s, axes=(s, s)
    ),
    "row_steps": lambda s: row_steps([[1, 0]], [[1, 0]] * 2, [[1, 0]] * 2, keys=[s, "b"], title=s),
    "bars": lambda s: bars(
        {s: [0.5, 0.5], "b": [0, 1]}, labels=[s, "b"], title=s, axis=s, quantity=s
    ),
    "curve": lambda s: curve([1, 2], {s: [1, 2], "b": [1, 3]}, x_name=s, y_name=s, title=s),
    "places_map": lambda s: places_map(
        [[0, 0], [1, 1]], [0.5, 0.5], labels=[s, "b"], axes=(s, s), title=s
    ),
    "places_map of rows": lambda s: places_map(
        [[0, 0], [1, 1]], [[0.5, 0.5]] * 2, labels=[s, "b"], queries=[s, "b"]
    ),
    "side_by_side": lambda s: side_by_side({s: [s, 1]}, columns=[s, "b"], title=s),
}
BOTH = ("DejaVu Sans", "STIXGeneral")
EVERY = pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)


class Page(HTMLParser):
    """What a page holds: its runs of text as MathJax reads them, and its attributes."""

    def __init__(self, html):
        super().__init__()
        self.runs, self.said = [""], {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag != "br":  # MathJax reads on across a line break
            self.runs.append("")
        for name, value in attrs:
            self.said.setdefault(name, []).append(value)

    def handle_endtag(self, tag):
        self.runs.append("")

    def handle_data(self, data):
        self.runs[-1] += data

    @property
    def text(self):
        return "".join(self.runs)


def shows(html, seen):
    """Whether HTML shows a text and nothing in it can become mathematics."""
    page = Page(html)
    marks = [run for run in page.runs if "$" in run or "\\" in run]
    assert set(marks) <= {"$", "\\"}
    assert html == visible(html)
    return seen in page.text


# ---- HTML


@NASTY
def test_a_page_shows_it_in_its_text_and_in_its_attributes(nasty, seen):
    page = Page(f'<p title="{in_xml(nasty)}">{in_html(nasty)}</p>')
    assert page.said["title"] == [page.text] == [seen]
    assert shows(in_html(nasty), seen)


def test_each_mark_of_mathematics_stands_in_an_element_of_its_own():
    assert in_html(r"$1 \(") == r"<span>$</span>1 <span>\</span>("


@EVERY
@NASTY
def test_every_picture_shows_it_as_html_and_as_text(draw, nasty, seen):
    picture = draw(nasty)
    assert shows(picture.html, seen) and seen in repr(picture)
    assert picture._repr_mimebundle_()["text/plain"] == visible(repr(picture))


@NASTY
def test_what_a_learner_wrote_is_shown_on_form_card_and_in_the_look_back(nasty, seen, own_store):
    asked = NUMBERS  # what an author writes is refused where it holds markup
    exercise = Exercise(asked)
    form = Form(exercise, repr(exercise))
    exercise.commit([0.25] * 4, "certain", because=nasty)
    kept = "�" if nasty == "\ud83d" else seen.strip()  # half a character is not kept
    last = open_store().attempts(asked.id)[-1]
    assert shows(committed_html(asked, [last], False), kept)
    form.refresh()
    assert shows(form.panel.html["committed"], kept) and kept in repr(form.panel) + repr(exercise)
    shown = card(asked, [1, 0, 0, 0], [last], asked.compare(last.answer, [1, 0, 0, 0]))
    assert shows(shown.html, kept) and kept in repr(shown)
    looked = closing._looked_back([(nasty, [nasty])])
    assert shows(looked.html, seen) and repr(looked).count(seen) == 2


@NASTY
def test_graders_the_set_up_check_and_panels_show_it(nasty, seen):
    assert shows(paragraph(nasty), seen) and shows(problem_html(nasty), seen)
    facts = [Fact(nasty, nasty, nasty)]
    assert shows(SetupCheck(facts).html(), seen)
    assert shows(choice("a", nasty, [(nasty, 1)])["options"][0]["html"], seen)
    assert shows(slider("a", nasty, ["1"])["label"], seen)
    assert grid("a", nasty, ["r"], ["c"], "reads")["label"] == seen  # an attribute of its table
    assert repr(Panel([], text=nasty)) == seen


# ---- SVG and figures


@EVERY
@NASTY
def test_every_drawing_is_valid_xml(draw, nasty, seen):
    for source in Page(draw(nasty).html).said.get("src", []):
        ElementTree.fromstring(base64.b64decode(source.partition("base64,")[2]))


@NASTY
def test_the_map_of_places_says_it_in_its_drawing(nasty, seen):
    page = Page(PICTURES["places_map"](nasty).html)
    drawing = ElementTree.fromstring(base64.b64decode(page.said["src"][0].partition("base64,")[2]))
    assert seen in drawing.attrib["aria-label"]
    assert f"{seen} 0.50" in [
        each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")
    ]


def written_on(figure):
    """Every text of a figure that is seen, tables included."""
    figure.canvas.draw()
    cells = [cell.get_text() for ax in figure.axes for table in ax.tables
             for cell in table.get_celld().values()]  # fmt: skip
    return [each.get_text() for each in [*figure.findobj(Text), *cells] if each.get_text()]


@EVERY
@NASTY
def test_every_figure_is_drawn_without_a_warning_and_without_mathematics(draw, nasty, seen):
    figure = draw(nasty).figure()
    figure.savefig(io.BytesIO(), format="png")  # a warning is an error in these tests
    said = " ".join(written_on(figure))
    texts = [each for each in figure.findobj(Text) if "$" in each.get_text()]
    assert not [each for each in texts if each.get_parse_math()]
    assert seen[:1] in said or NO_FONT.partition("{")[0] in said


@pytest.mark.parametrize("nasty", ["from $100 to $10_0", r"\frac{x", "سلام", "e\u0301"])
def test_what_the_font_has_stands_on_the_figure_as_it_is(nasty):
    said = written_on(PICTURES["bars"](nasty).figure())
    assert said.count(nasty) >= 5  # title, both axes, the tick, the legend


def lacking(monkeypatch, *extra):
    """Leave DejaVu Sans alone on this computer, and what is given."""
    names = ("DejaVu Sans", *extra)
    known = [each for each in font_manager.fontManager.ttflist if each.name in names]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", known)
    monkeypatch.setattr(figure_text, "_font_with", figure_text._font_with.__wrapped__)


def test_what_no_font_has_is_written_out_and_the_figure_says_so(monkeypatch):
    lacking(monkeypatch)
    said = written_on(bars([0.5, 0.5], labels=["中文", "b"]).figure())
    assert r"\u4e2d\u6587" in said and NO_FONT.format(codes=r"\u4e2d, \u6587") in said


def test_what_another_font_has_is_drawn_in_it(monkeypatch):
    fonts = [font_manager.get_font(font_manager.findfont(name)) for name in BOTH]
    plain, stix = (font.get_char_index for font in fonts)
    small = next(chr(n) for n in range(0x2200, 0x3000) if stix(n) and not plain(n))
    lacking(monkeypatch, "STIXGeneral")
    figure = bars([0.5, 0.5], labels=[small, "b"]).figure()
    figure.savefig(io.BytesIO(), format="png")
    assert small in written_on(figure)
    [tick] = [each for each in figure.axes[0].get_xticklabels() if each.get_text() == small]
    assert tick.get_fontfamily()[-1] == "STIXGeneral"


def test_a_long_name_leaves_room_on_paper_and_stands_whole_beside_it():
    picture = heatmap([[0.5, 0.5]], keys=[LONG, "b"])
    figure = picture.figure()
    assert LONG not in written_on(figure) and f"{LONG[:27]}…" in written_on(figure)
    assert LONG in picture.html and LONG in repr(picture)


@NASTY
def test_the_picture_of_moved_ideas_is_valid_and_without_a_warning(
    nasty, seen, monkeypatch, capsysbinary
):
    counts = {"held": 4, "survived": 3, "moved": 1, "silent": 0, "arrived": 0}
    told = json.dumps([{"name": nasty, "exercise": "a/b", **counts}])
    monkeypatch.setattr(sys, "stdin", io.StringIO(told))
    moves.main("svg")
    ElementTree.fromstring(capsysbinary.readouterr().out)


def test_a_figure_keeps_what_it_was_given():
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([1, 2], [1e-9, 2e-9])
    figure.canvas.draw()
    before = [tick.get_text() for tick in axes.get_yticklabels()]
    assert [tick.get_text() for tick in as_written(figure).axes[0].get_yticklabels()] == before


# ---- text: the report, tables, CSV


@NASTY
def test_a_table_for_a_spreadsheet_shows_it(nasty, seen):
    assert seen in as_csv(["because"], [[nasty]]).replace('""', '"')


def test_a_report_lets_no_control_character_reach_the_terminal(tmp_path):
    store = Store(tmp_path / "store.db")
    attempt = store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess", "a\x1b[2Jb\x07"))
    assert r"a\x1b[2Jb\x07" not in "\n".join(attempt_lines(attempt, store))
    assert r"because a\x1b[2Jb\x07" in reported(tmp_path, "utf-8")


def reported(folder, encoding):
    here = {
        **os.environ,
        "ATTN_LAB_STORE": str(folder / "store.db"),
        "PYTHONIOENCODING": encoding,
    }
    command = [sys.executable, "-m", "attn_lab.cli", "report", "05"]
    ended = subprocess.run(command, capture_output=True, env=here, check=True)
    assert ended.stderr == b""
    return ended.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1"])
def test_a_minus_stays_a_minus_on_every_terminal(tmp_path, encoding):
    because = "it is −0.25, “not” 中"
    Store(tmp_path / "store.db").add(Attempt("05/first-row", [1, 0, 0, 0], "guess", because))
    said = reported(tmp_path, encoding)
    quotes = "“not”" if encoding == "cp1252" else '"not"'
    assert f"because it is -0.25, {quotes} \\u4e2d\n" in said


def test_an_error_is_said_on_every_terminal(tmp_path):
    here = {**os.environ, "PYTHONIOENCODING": "ascii", "ATTN_LAB_HOME": str(tmp_path / "−" / "x")}
    (tmp_path / "−").write_text("")
    command = [sys.executable, "-m", "attn_lab.cli", "copy"]
    ended = subprocess.run(command, capture_output=True, env=here, check=False)
    assert ended.returncode == 1 and b"attn-lab copy: " in ended.stderr and b"/-" in ended.stderr


def test_a_text_table_lines_up_by_columns_and_keeps_each_row_on_a_line():
    table = text_table(["", "x"], [["中文", "1"], ["e\u0301", "2"], ["a\nb\tc", "3"]])
    assert table.split("\n") == [
        "         x",
        "中文     1",
        "e\u0301        2",
        r"a\nb\tc  3",
    ]
