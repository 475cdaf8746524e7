"""What axe-core finds on a page; it is installed by `make browser` beside the browser search."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import ROOT
from tests.conftest import required_in_ci

AXE = ROOT / "browser" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """() => axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} — ${node.failureSummary.split("\\n").slice(1).join(";")}`)))"""


def violations(page: Page) -> list[str]:
    """Return a line for each element of *page* that breaks a rule of accessibility."""
    if not AXE.exists():
        required_in_ci("axe-core is not installed: run `make browser`")
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(RUN)
    return found
