"""What axe-core finds on a page; it is installed by `make browser` beside the browser search."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import ROOT, be_still
from tests.conftest import required_in_ci

AXE = ROOT / "browser" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """() => axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} — ${node.failureSummary.split("\\n").slice(1).join(";")}`)))"""


STILL = """() => Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.catch(() => null))).then(() => null)"""
LOOKS = 3


def violations(page: Page) -> list[str]:
    """Return a line for each element of *page* that breaks a rule of accessibility, when nothing on it moves or fades.

    A page that refreshes itself fades what it draws anew: what is found is looked at again when that is over.
    """
    if not AXE.exists():
        required_in_ci("axe-core is not installed: run `make browser`")
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = []
    for _ in range(LOOKS):
        be_still(page)
        page.evaluate(STILL)
        found = page.evaluate(RUN)
        if not found:
            break
    return found
