"""Text on a matplotlib figure, as it was written: no mathematics, no empty boxes, no warning."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from attn_lab.show.as_written import escaped, visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NO_FONT = "No font here has {codes}"
_MOST_SAID = 3
# A longer name would leave no room for the picture; whole it stands in the picture's text.
LONGEST_TICK, LONGEST = 28, 40
_BOXES = "Last Resort"  # a font that has a box for every character


def as_written(figure: "Figure", longest_tick: int = LONGEST_TICK) -> "Figure":
    """The same figure, each of its texts in fonts that have it, as it was written.

    A character that no font has is written out, and a line at the foot says so. What is too long
    for paper ends in "…"; titles take no room from the picture and stay.
    """
    from matplotlib.text import Text

    missing: set[str] = set()
    titles = [ax.title for ax in figure.axes]
    longest = max(LONGEST, longest_tick)
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):  # it writes its ticks anew from what it was given
            ticks = axis.get_ticklabels()
            labels = [tick.get_text() for tick in ticks]
            written = [_written(_cut(each, longest_tick), ticks[0], missing) for each in labels]
            if written != labels:
                axis.set_ticks(axis.get_ticklocs(), written)
    for text in [*figure.findobj(Text), *_in_tables(figure)]:
        text.set_parse_math(False)
        said = text.get_text() if text in titles else _cut(text.get_text(), longest)
        text.set_text(_written(said, text, missing))
        if others := _others(text.get_text(), _file(text)):
            text.set_fontfamily([*text.get_fontfamily(), *others.values()])
    if missing:
        codes = sorted(map(escaped, missing))
        said = ", ".join([*codes[:_MOST_SAID], *(["…"] if len(codes) > _MOST_SAID else [])])
        figure.supxlabel(NO_FONT.format(codes=said), fontsize=8, parse_math=False)
    return figure


def _in_tables(figure: "Figure") -> list[Any]:
    """The texts of tables, which a figure does not count among its own."""
    from matplotlib.table import Table

    tables = figure.findobj(Table)
    return [cell.get_text() for table in tables for cell in table.get_celld().values()]


def _cut(text: str, longest: int) -> str:
    lines = text.split("\n")
    return "\n".join(line if len(line) <= longest else f"{line[: longest - 1]}…" for line in lines)


def _written(label: str, text: Any, missing: set[str]) -> str:
    """A label with what no font has written out, and noted in `missing`."""
    shown = visible(label).replace("\t", "    ")
    found = _others(shown, _file(text))
    lost = {each for each in _lacking(shown, _file(text)) if each not in found}
    missing |= lost
    return "".join(escaped(each) if each in lost else each for each in shown)


def _file(text: Any) -> str:
    from matplotlib.font_manager import findfont

    return str(findfont(text.get_fontproperties()))


def _lacking(text: str, file: str) -> Iterable[str]:
    return [each for each in sorted(set(text) - {"\n"}) if not _has(file, each)]


def _others(text: str, file: str) -> dict[str, str]:
    """For each character that a font's file lacks, another font that has it, where there is one."""
    found = {each: _font_with(each) for each in _lacking(text, file)}
    return {each: name for each, name in found.items() if name}


@cache
def _font_with(character: str) -> str:
    """The first font by name that has a character, "" where none has."""
    from matplotlib.font_manager import fontManager

    for font in sorted(fontManager.ttflist, key=lambda font: font.name):
        regular = font.weight == 400 and font.style == "normal"
        if regular and not font.name.startswith(_BOXES) and _has(font.fname, character):
            return str(font.name)
    return ""


@cache
def _has(file: str, character: str) -> bool:
    from matplotlib.font_manager import get_font

    return bool(get_font(file).get_char_index(ord(character)))
