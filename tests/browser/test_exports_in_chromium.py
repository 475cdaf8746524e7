"""Exported files in Chromium: what strangers wrote in them asks nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from search_core.research.export import export_run
from tests.search_core.research.export.exported import hostile

pytestmark = pytest.mark.browser


def test_a_report_asks_nobody(chromium: Browser, tmp_path: Path):
    """The hostile HTML file opens without one request besides the file itself, and without a dialog."""
    file = tmp_path / "report.html"
    file.write_bytes(export_run(hostile(), "html").data)
    asked: list[str] = []
    dialogs: list[str] = []
    with chromium.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri(), wait_until="networkidle")
        assert page.locator("ol.sources li").count() == 16
    assert asked == [file.as_uri()]
    assert dialogs == []
