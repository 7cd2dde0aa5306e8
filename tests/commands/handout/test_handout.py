"""The handout shows every result, fetches nothing, and its worksheet gives nothing away."""

import re
from copy import deepcopy
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from attn_lab import cli
from attn_lab.commands.answer_key import MISSING, answer_key, results, without_prediction
from attn_lab.commands.handout_pages import cells_without_run, notebook_page, read_editions
from attn_lab.commands.learners_folder import shipped_folder
from attn_lab.commands.printed_pages import fetched, page
from attn_lab.commands.printed_sheets import sheet_page
from attn_lab.commands.worksheet import chosen, worksheet
from attn_lab.course.questions import question, questions

QUESTIONS = questions()


@pytest.fixture(scope="module")
def editions():
    """The reference edition."""
    return read_editions(shipped_folder())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The handout, written once by the command itself."""
    folder = tmp_path_factory.mktemp("handout") / "pages"
    assert cli.main(["handout", str(folder)]) == 0
    return folder


class Reader(HTMLParser):
    """What a page's tags and words are."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] != "style":
            self.words.append(data)

    def text(self) -> str:
        """The words of the page, one space between them."""
        return " ".join(" ".join(self.words).split())


def test_there_is_a_page_for_each_notebook_and_a_worksheet_and_a_key(folder, editions):
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    assert names >= {f"{name}.html" for name in editions}
    assert names >= {"index.html", "worksheet.html", "answer_key.html"}
    linked = re.findall(r'href="([^"]+)"', (folder / "index.html").read_text("utf-8"))
    assert set(linked) == names - {"index.html"}


def test_the_first_page_says_by_title_which_pages_hold_answers(folder):
    html = (folder / "index.html").read_text("utf-8")
    parts = re.split("<h2>(.*?)</h2>", html)[1:]
    links = {
        head: re.findall(r'<a href="([^"]+)">([^<]+)</a>', body)
        for head, body in zip(parts[::2], parts[1::2], strict=True)
    }
    before, after, alone = links.items()
    assert "no answers" in before[0] and before[1] == [("worksheet.html", "Worksheet")]
    assert "hold the answers" in after[0] and "for you alone: the answers" in alone[0].lower()
    assert ("02_queries_keys_values.html", "02 Queries, keys, values") in after[1]
    assert ("answer_key.html", "Answer key") in alone[1]
    assert ("teaching/day_before_mail.html", "The mail for the day before") in alone[1]
    assert ("teaching/07_heads.html", "Run sheet 07 Heads") in alone[1]


def test_the_default_folder_is_said_and_not_committed(capsys):
    with pytest.raises(SystemExit):
        cli.main(["handout", "--help"])
    assert "default: attn-lab-handout" in " ".join(capsys.readouterr().out.split())
    ignored = Path(__file__).parents[3] / ".gitignore"
    assert "attn-lab-handout/" in ignored.read_text("utf-8").splitlines()


def test_no_page_makes_a_browser_fetch_anything(folder):
    paths = sorted(folder.rglob("*.html"))
    assert [(path, found) for path in paths if (found := fetched(path.read_text("utf-8")))] == []


@pytest.mark.parametrize(
    "harm",
    [
        '<script src="https://cdn.example/require.js"></script>',
        "<script>import('x')</script>",
        '<link rel="stylesheet" href="https://fonts.example/css">',
        '<img alt="" src="picture.png">',
        "<style>@import 'x.css';</style>",
        "<style>p { background: url(https://a.example/b.png) }</style>",
    ],
)
def test_what_a_browser_would_fetch_is_found(harm):
    assert fetched(page("title", harm)) != []


def test_each_page_says_its_language_and_has_one_title_and_one_first_heading(folder):
    titles = []
    for path in folder.rglob("*.html"):
        reader = Reader(path.read_text("utf-8"))
        tags = [tag for tag, _ in reader.tags]
        assert dict(reader.tags)["html"] == {"lang": "en"}, path.name
        assert (tags.count("title"), tags.count("h1")) == (1, 1), path.name
        titles.append(re.search("<title>(.*)</title>", path.read_text("utf-8"))[1])
    assert all(titles) and len(set(titles)) == len(titles)


def test_every_stored_result_is_shown_with_its_table_headers(editions):
    for name, nb in editions.items():
        html = notebook_page(nb)
        stored = "".join(
            "".join(output["data"]["text/html"])
            for cell in nb["cells"]
            for output in cell.get("outputs", [])
            if "text/html" in output.get("data", {})
        )
        # the columns and rows for a prediction go; every other header stays
        kept = without_prediction(stored)
        assert html.count('scope="row"') == kept.count('scope="row"'), name
        assert html.count('scope="col"') == kept.count('scope="col"'), name
        assert html.count("<img alt=") == stored.count("<img alt="), name


def test_a_folded_result_is_unfolded_and_a_prediction_reads_as_its_question(editions):
    html = notebook_page(editions["04_the_causal_boundary"])
    text = Reader(html).text()
    assert "<th" in html and "Position 1 may read 1 key" in text
    assert "Someone takes the softmax over all four keys first" in text
    assert "Only if the row is divided by its sum again." in text
    assert "no prediction" not in text and ".commit(" not in text


def test_what_can_be_unfolded_is_open_because_paper_cannot_unfold(editions):
    nb = deepcopy(editions["00_start_here"])
    nb["cells"][0]["source"] = ["# T\n\n<details>\n<summary>more</summary>\n\nwords\n\n</details>"]
    html = notebook_page(nb) + notebook_page(editions["05_mask_and_temperature"])
    assert html.count("<details") == html.count("<details open") > 1


def test_a_link_to_another_notebook_leads_to_its_page(editions):
    nb = deepcopy(editions["00_start_here"])
    nb["cells"][0]["source"] = [
        "# Title\n[next](01_one_row_by_hand.ipynb) [a](https://b.org/c.ipynb)"
    ]
    html = notebook_page(nb)
    assert 'href="01_one_row_by_hand.html"' in html and 'href="https://b.org/c.ipynb"' in html


def test_a_notebook_that_was_never_run_is_counted(editions):
    nb = deepcopy(editions["00_start_here"])
    assert cells_without_run(nb) == 0
    for cell in nb["cells"]:
        cell.update({"execution_count": None, "outputs": []} if "outputs" in cell else {})
    assert cells_without_run(nb) > 0
    assert MISSING in answer_key([question("00/which-bank")], {"00": nb})


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.id)
def test_the_worksheet_asks_and_does_not_answer(asked):
    text = Reader(worksheet([asked])).text()
    assert " ".join(asked.prompt.split()) in text
    assert all(option in text for option in asked.on_paper().options)
    for hidden in (asked.explanation, asked.ask_next, asked.picture):
        assert not hidden or " ".join(hidden.split()) not in text
    assert not [each.sentence for each in asked.named if each.sentence in text]
    assert text.count("because:") == 1
    assert text.count("after talking") == 1 + asked.discuss  # the instruction names it as well
    assert [text.count(f"☐ {each}") for each in ("guess", "fairly sure", "certain")] == [1, 1, 1]


def test_the_worksheet_has_room_for_every_number_and_every_cell():
    third = worksheet([question("05/third-row")])
    assert third.count("<td></td>") == 5  # four weights and their sum
    legal = worksheet([question("04/legal")])
    assert legal.count("<td></td>") == 4 * 4 + 1  # and the corner
    assert legal.count('scope="row"') == legal.count('scope="col"') == 4


def test_questions_are_chosen_by_id_or_by_notebook():
    assert [each.id for each in chosen(["04/ripple", "00", "04/ripple"])] == [
        "04/ripple",
        "00/one-word-changes",
        "00/which-bank",
    ]
    assert {each.depth for each in chosen(None)} == {"class", "core"}
    with pytest.raises(ValueError, match="04/riple"):
        chosen(["04/riple"])


def test_a_wrong_id_is_said_and_nothing_is_written(tmp_path, capsys):
    assert cli.main(["handout", str(tmp_path / "new"), "--questions", "99/no"]) == 1
    assert "99/no" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("01/zero-score", "about a third"),
        ("01/two-weights", "0.670"),
        ("02/shapes", "[5, 5]"),
        ("04/late-zero", "Yes, its weights change."),
        ("05/first-row", "key 1 1 key 2 0 key 3 0 key 4 0"),
    ],
)
def test_the_key_gives_the_computed_answer(id, answer, editions):
    text = Reader(answer_key([question(id)], editions)).text()
    computed, _, named = text.partition("Wrong answers with a name:")
    assert answer in computed
    assert "no prediction" not in text and "difference" not in text
    assert len(named) > 20


def test_every_question_that_is_asked_in_a_run_notebook_has_a_result(editions):
    for name, nb in editions.items():
        assert cells_without_run(nb) == 0, name
        asked = {each.id for each in QUESTIONS if each.notebook == name[:2]}
        assert results(nb).keys() == asked, name


def test_a_learners_prediction_is_left_in_place():
    kept = '<div class="attn-reveal"><table><td>0.25</td><td>0.33</td><td>≠</td></table></div>'
    assert without_prediction(kept) == kept


def test_a_run_sheet_becomes_a_page_with_header_cells_and_no_live_html():
    html = sheet_page(
        "# 04 <b>Title</b>\n\n| id | do |\n|---|---|\n| `04/a` | <script>x</script> |\n"
    )
    assert html.count('<th scope="col">') == 2
    assert "<script>" not in html and "<script>" in unescape(html)
