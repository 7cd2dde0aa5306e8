"""axe-core over a notebook's outputs, never over JupyterLab around them."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Of axe's rules these alone look at colours: in another theme nothing else can change, and in a
# narrower window these cannot.
COLOURS = ["color-contrast", "link-in-text-block"]
# What is around the outputs is hidden meanwhile: axe looks at every element that can be seen, which
# takes it twice as long. JupyterLab's body has no height and hides what overflows: axe
# would take every text for hidden and check no contrast. And an image without a description gets
# the one word "Image" from JupyterLab, which axe accepts.
RUN = """async ([colours, options]) => {
  const around = document.createElement('style');
  around.textContent = `body { overflow: visible !important }
    .jp-Cell-inputWrapper, .jp-Toolbar, .jp-SideBar, .jp-Notebook-footer,
    #jp-top-panel, #jp-menu-panel, #jp-bottom-panel, #jp-left-stack, #jp-right-stack
    { display: none !important }`;
  document.head.append(around);
  const where = {include: [['.jp-Notebook .jp-OutputArea-output']]};
  const found = await axe.run(where, {preload: false, resultTypes: ['violations'], ...options});
  around.remove();
  const images = document.querySelectorAll('.jp-Notebook .jp-OutputArea-output img');
  return {
    seen: found.passes.filter(each => !colours || each.id === 'color-contrast').length,
    bad: found.violations
      .filter(each => ['serious', 'critical'].includes(each.impact))
      .flatMap(each => each.nodes.map(
        node => `${each.id} (${each.impact}): ${node.html.slice(0, 200)} ${node.failureSummary}`))
      .concat([...images].filter(each => ['', 'Image'].includes(each.alt.trim()))
        .map(each => `undescribed: ${each.outerHTML.slice(0, 80)}`)),
  };
}"""


def serious_findings(page: Page, *, colours: bool = True, shapes: bool = True) -> list[str]:
    """Every serious or critical finding, with its element; by the rules for colours or the rest."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    rules = {each: {"enabled": colours} for each in COLOURS}
    options = {"rules": rules} if shapes else {"runOnly": COLOURS}
    found = page.evaluate(RUN, [colours, options])
    assert found["seen"], "axe-core saw no text in the outputs"
    return found["bad"]
