"""The set-up check as the first notebook shows it: one line, and what to do if it is not well."""

from attn_lab.commands.check import FACTS, Fact
from attn_lab.show.as_written import in_html

# What is found differs from machine to machine, so it goes into a widget; the stored text does not.
WITHOUT_WIDGETS = (
    "The result of the check appears here as a widget. If you see only this line, run\n"
    "attn-lab check\n"
    "in a terminal: it finds the same things and says what to do."
)

LOOKING = "<p>Looking at this machine …</p>"


class SetupCheck:
    """The facts about this machine; they are looked up when the check is shown."""

    def __init__(self, facts: list[Fact] | None = None) -> None:
        self._facts = facts

    def facts(self) -> list[Fact]:
        """What was found, looked up once."""
        if self._facts is None:
            self._facts = [fact for find in FACTS for fact in find()]
        return self._facts

    def html(self) -> str:
        """The words "setup complete" with the facts behind it, or what is to be mended.

        >>> "setup complete" in SetupCheck([Fact("python", "3.12.1")]).html()
        True
        """
        wrong = [fact for fact in self.facts() if fact.advice]
        if wrong:
            said = "<b>not complete yet</b>: mend this, then run the cell again"
            return f"<p>{said}</p>{_listed(wrong)}"
        details = f"<details><summary>What was found</summary>{_listed(self.facts())}</details>"
        return f"<p><b>setup complete</b></p>{details}"

    def __repr__(self) -> str:
        return WITHOUT_WIDGETS

    def _ipython_display_(self) -> None:
        from IPython.display import display

        from attn_lab.widgets.panel import Panel  # widgets only where they are shown
        from attn_lab.widgets.parts import region

        panel = Panel([region("told")], html={"told": LOOKING}, text=WITHOUT_WIDGETS)
        display(panel)  # at once: to find torch, it has to be loaded
        panel.put(html={"told": self.html()})


def setup_check() -> SetupCheck:
    """The check, to be shown as the last expression of a cell."""
    return SetupCheck()


def _listed(facts: list[Fact]) -> str:
    lines = [
        f"<li>{in_html(fact.name)}: {in_html(fact.found)}"
        + (f"<br><b>{in_html(fact.advice)}</b>" if fact.advice else "")
        + "</li>"
        for fact in facts
    ]
    return f"<ul>{''.join(lines)}</ul>"
