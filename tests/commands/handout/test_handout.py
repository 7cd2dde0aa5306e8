"""The handout says by title which pages hold answers, and makes a browser fetch nothing."""

import re
from pathlib import Path

import pytest

from attn_lab import cli
from attn_lab.commands.handout.rendering import filled

# What a browser fetches by itself; a link that somebody has to click is none of these.
FETCHED = re.compile(
    r"""<(?:script|link|iframe|object|embed|base)\b"""
    r"""|\b(?:src|srcset|poster|data)\s*=\s*["']?(?!data:)[^"'\s>]"""
    r"""|@import|url\(\s*["']?(?!data:|\#)""",
    re.IGNORECASE,
)


def test_there_is_a_page_for_each_notebook_and_a_worksheet_and_a_key(pages, editions, read):
    assert pages.keys() >= {f"{name}.html" for name in editions}
    assert pages.keys() >= {"index.html", "worksheet.html", "answer_key.html"}
    linked = {found["href"] for tag, found in read(pages["index.html"]).tags if tag == "a"}
    assert linked == pages.keys() - {"index.html"}


def test_the_first_page_says_by_title_which_pages_hold_answers(pages):
    parts = re.split("<h2>(.*?)</h2>", pages["index.html"])[1:]
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


def test_no_page_makes_a_browser_fetch_anything(pages):
    assert {name: found for name, html in pages.items() if (found := FETCHED.findall(html))} == {}


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
    harmless = '<a href="https://arxiv.org">paper</a><img src="data:image/png;base64,AA">'
    assert FETCHED.findall(harmless) == []
    assert FETCHED.findall(harmless + harm) != []


def test_each_page_says_its_language_and_has_one_title_and_one_first_heading(pages, read):
    for name, html in pages.items():
        page = read(html)
        assert page.count("html", lang="en") == 1, name
        assert (page.count("title"), page.count("h1")) == (1, 1), name
    titles = [re.search("<title>(.*)</title>", html)[1] for html in pages.values()]
    assert all(titles) and len(set(titles)) == len(titles)


def test_a_wrong_id_is_said_and_nothing_is_written(tmp_path, capsys):
    assert cli.main(["handout", str(tmp_path / "new"), "--questions", "99/no"]) == 1
    assert "99/no" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_data_in_a_page_is_shown_as_written_and_missing_data_is_an_error():
    html = filled("page.html", title="a < b", kind="index", body="<script>x</script>")
    assert "<title>a &lt; b</title>" in html and "&lt;script&gt;" in html
    with pytest.raises(Exception, match="'body' is undefined"):
        filled("page.html", title="T", kind="index")
