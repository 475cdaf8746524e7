"""What axe-core finds on a page; it is installed by `make browser` beside the browser search."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.servers import ROOT
from tests.browser.steps import be_still, wait_for_motion
from tests.conftest import required_in_ci

AXE = ROOT / "browser" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """(rules) => axe.run(document, {resultTypes: ["violations"], ...(rules && {runOnly: rules})}).then((found) =>
    found.violations.flatMap((rule) => rule.nodes.map((node) =>
        `${rule.id}: ${node.target.join(" ")} — ${node.failureSummary.split("\\n").slice(1).join(";")}`)))"""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
FLOATING = "region: #stFloatingOverlayPortal "
"""Streamlit draws what floats beside the page's landmarks; a tooltip or a menu belongs to the element that opened it."""
LOOKS = 3


def violations(page: Page) -> list[str]:
    """Return a line for each element of *page* that breaks a rule of accessibility: of colours in dark, of all in light."""
    if not AXE.exists():
        required_in_ci("axe-core is not installed: run `make browser`")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = []
    for scheme, rules in (("dark", OF_COLOURS), ("light", None)):
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
        found += [f"{scheme}: {line}" for line in _look(page, rules)]
    return found


def _look(page: Page, rules: list[str] | None) -> list[str]:
    """Return what axe-core finds by *rules*, all where it is None, when nothing on *page* moves or fades.

    A page that refreshes itself fades what it draws anew: what is found is looked at again when that is over.
    """
    found: list[str] = []
    for _ in range(LOOKS):
        page.mouse.move(0, 0)  # no tooltip of what was clicked last
        be_still(page)
        wait_for_motion(page)
        found = [line for line in page.evaluate(RUN, rules) if not line.startswith(FLOATING)]
        if not found:
            break
    return found
