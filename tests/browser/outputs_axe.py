"""axe-core over a notebook's outputs, never over JupyterLab around them."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# JupyterLab's body has no height and hides what overflows: axe then takes every text for hidden
# and checks no contrast. And an image without a description gets the one word "Image" from
# JupyterLab, which axe accepts.
RUN = """async () => {
  const where = {include: [['.jp-Notebook .jp-OutputArea-output']]};
  document.body.style.overflow = 'visible';
  const found = await axe.run(where, {resultTypes: ['violations', 'passes']});
  document.body.style.overflow = '';
  const images = document.querySelectorAll('.jp-Notebook .jp-OutputArea-output img');
  return {
    contrasts: found.passes.filter(each => each.id === 'color-contrast').length,
    bad: found.violations
      .filter(each => ['serious', 'critical'].includes(each.impact))
      .flatMap(each => each.nodes.map(
        node => `${each.id} (${each.impact}): ${node.html.slice(0, 200)} ${node.failureSummary}`))
      .concat([...images].filter(each => ['', 'Image'].includes(each.alt.trim()))
        .map(each => `undescribed: ${each.outerHTML.slice(0, 80)}`)),
  };
}"""


def serious_findings(page: Page) -> list[str]:
    """Return every serious or critical finding, with the element that it is about."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN)
    assert found["contrasts"], "axe-core saw no text in the outputs"
    return found["bad"]
