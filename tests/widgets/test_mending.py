import ast
import pathlib
import re
from html import unescape

import attn_lab.widgets.mending as module
from attn_lab.widgets.mending import mending

MENDED = mending("attn-predict", "05/first-row")


def script(html):
    return unescape(re.search(r'onload="([^"]*)"', html).group(1))


def test_it_is_one_style_whose_script_is_a_quoted_attribute():
    assert re.fullmatch(r'<style onload="[^"<>]*">[^<]*</style>', MENDED)
    assert "//" not in script(MENDED)


def test_it_looks_for_its_own_root_only():
    assert "closest('.attn-predict')" in script(MENDED)
    assert ".attn-predict.jupyter-widgets-disconnected::before" in MENDED
    assert "ROOT" not in MENDED and "NAME" not in MENDED and "LOST" not in MENDED


def test_radio_names_differ_between_exercises_and_hold_no_quote():
    other = mending("attn-predict", "05/it's")
    assert "'05-first-row-'" in script(MENDED) and "'05-it-s-'" in script(other)


def test_the_notice_after_a_restart_says_what_to_do_and_what_is_kept():
    assert "Run All Above Selected Cell" in MENDED and "What you committed is kept" in MENDED


def test_it_never_writes_an_attribute_that_it_watches():
    written = set(re.findall(r"set\(\w+, '([\w-]+)'", script(MENDED)))
    watched = set(
        re.findall(r"'(\w+)'", re.search(r"attributeFilter: \[(.*?)\]", script(MENDED))[1])
    )
    assert watched == {"class", "disabled"} and len(written) >= 7
    assert not written & watched


def test_it_needs_no_widget_library():
    tree = ast.parse(pathlib.Path(module.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"functools", "html", "importlib.resources"}
