"""Whether a function is what the newest cell says that defines it: that cell may have failed."""

import ast
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

from attn_lab.grade.sandbox import source_of

AS_PYTHON = ("%%time", "%%capture", "%%prun")  # magics under which a cell is Python all the same
FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
OTHER_WORDS = "assert|await|del|from|import|print|return|yield"


def why_not_newest(function: Callable[..., Any]) -> str:
    """What kept the newest cell that defines the function from doing so, or "".

    After a mistake in its syntax the name still stands for the function of before. It is read
    from IPython's history, where failed cells stand too.
    """
    module = sys.modules.get("IPython")  # never imported for this alone
    shell = module.get_ipython() if module is not None else None
    history = getattr(shell, "history_manager", None)
    named = function if hasattr(function, "__name__") else type(function)
    name = named.__name__
    if history is None or shell is None or shell.user_ns.get(name) is not named:
        return ""  # kept on purpose, under another name
    own, newer = source_of(function).strip(), ""
    cells = zip(history.input_hist_raw, history.input_hist_parsed, strict=False)
    for raw, cell in reversed(list(cells)):
        if not re.search(rf"\b{re.escape(name)}\b", raw):
            continue
        if cell.strip() == own:
            return newer  # older ones do not count, and without the own one nothing is known
        text = raw.partition("\n")[2] if raw.startswith(AS_PYTHON) else cell
        newer = newer or _failed(text, name)
        if _meant(text, name):
            return ""
    return ""


def _failed(text: str, name: str) -> str:
    """Why a cell that is to define the name has not, as another cell than this one did."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "cell", "exec", FLAGS, dont_inherit=True)
    except SyntaxError as error:
        begins = rf"(?m)^\s*(?:async +)?(?!(?:{OTHER_WORDS})\b)\w+ +{re.escape(name)}\b"
        where = f" in line {error.lineno}: `{(error.text or '').strip()}`" if error.text else ""
        return f"{error.msg}{where}" if re.search(begins, text) else ""
    except ValueError as error:  # such as a null byte
        return str(error)
    kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    defined = [each.name for each in ast.parse(text).body if isinstance(each, kinds)]
    return "an error before its definition" if name in defined else ""


def _meant(text: str, name: str) -> bool:
    """Whether a cell gives the name something by an assignment or an import."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    given = [node for each in body for node in ast.walk(each) if not _defines(each)]
    return any(
        (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.alias) and (node.asname or node.name) == name)
        for node in given
    )


def _defines(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
