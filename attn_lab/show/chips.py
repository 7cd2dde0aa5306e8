"""A chip: how something came out, by an icon, a word and a colour, at one glance."""

from typing import Literal

from attn_lab.show.as_written import in_html

Tone = Literal["good", "near", "other", "none"]
# White on each reads at 4.5:1 at least, in light and in dark.
_GROUNDS = {"good": "#1a7f37", "near": "#8a6100", "other": "#9a3412", "none": "#57606a"}
_CHIP = "display:inline-block;border-radius:12px;padding:1px 10px;font-weight:700;color:#fff"


def chip_html(tone: Tone, word: str, more: str = "") -> str:
    """The chip, and beside it what is to be added.

    >>> "passed" in chip_html("good", "✓ passed")
    True
    """
    look = f"{_CHIP};background:{_GROUNDS[tone]}"
    mark = f'<span class="attn-chip" style="{look}">{in_html(word)}</span>'
    said = f' <span style="margin-left:8px">{in_html(more)}</span>' if more else ""
    return f'<p style="margin:2px 0 6px">{mark}{said}</p>'
