"""Pictures laid out as one piece of HTML, so that they are replaced together."""


def beside(*panels: str) -> str:
    """Return pictures in a row that wraps on a narrow screen."""
    items = "".join(
        f'<div style="flex:1 1 340px;min-width:0;max-width:100%">{panel}</div>' for panel in panels
    )
    row = "display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start"
    return f'<div style="{row}">{items}</div>'


def under(*panels: str) -> str:
    """Return pictures one below the other."""
    return "".join(f'<div style="margin-bottom:8px">{panel}</div>' for panel in panels)
