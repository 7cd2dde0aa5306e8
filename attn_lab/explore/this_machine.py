"""What differs from machine to machine: shown in a widget, so that no stored text depends on it."""

import platform
from html import escape
from importlib.metadata import version
from typing import Any

WITHOUT_WIDGETS = "Differs from machine to machine: run this cell in JupyterLab to see it here."


class Versions:
    """The versions that computed what stands above, looked up when they are shown.

    >>> "PyTorch" in Versions().sentence()
    True
    """

    def sentence(self) -> str:
        """Return the versions as one sentence."""
        return f"Computed here with PyTorch {version('torch')}, Python {platform.python_version()}."

    def __repr__(self) -> str:
        return WITHOUT_WIDGETS

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from ipywidgets import HTML

        shown = HTML(f"<p>{escape(self.sentence())}</p>")._repr_mimebundle_()
        return {**shown, "text/plain": WITHOUT_WIDGETS}


def versions() -> Versions:
    """Return the versions, to be shown beside numbers that an update may change."""
    return Versions()
