"""axe-core over a notebook's outputs, never over JupyterLab around them."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

RUN = """async () => {
  const where = {include: [['.jp-Notebook .jp-OutputArea-output']]};
  const found = await axe.run(where, {resultTypes: ['violations']});
  return {
    passes: found.passes.length,
    bad: found.violations
      .filter(each => ['serious', 'critical'].includes(each.impact))
      .flatMap(each => each.nodes.map(
        node => `${each.id} (${each.impact}): ${node.html.slice(0, 200)} ${node.failureSummary}`)),
  };
}"""


def serious_findings(page: Page) -> list[str]:
    """Return every serious or critical finding, with the element that it is about."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN)
    assert found["passes"] > 0, "axe-core saw no output at all"
    return found["bad"]
