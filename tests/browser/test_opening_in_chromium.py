"""Opening a video in Chromium when something is in the way: a file that is too large, a YouTube that does not answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

TOO_LARGE = b"x" * (21 * 1024 * 1024)


def test_the_limit_of_files_is_said_before_and_after(app, visitor):
    """The label names the limit; a file over it is refused in Korean, and once it is taken away the sentence goes."""
    page = visitor(app)
    page.get_by_role("tab", name="파일").click()
    expect(page.get_by_text("자막 파일 (SRT, VTT, JSON, TXT · 20MB까지)").first).to_be_visible()
    refused = page.get_by_text("올리지 못한 파일이 있어요. 파일 하나는 20MB까지 올릴 수 있어요.")
    expect(refused.first).to_be_hidden()
    page.locator("input[type=file]").set_input_files({"name": "big.srt", "mimeType": "text/plain", "buffer": TOO_LARGE})
    expect(refused.first).to_be_visible()
    page.get_by_role("button", name="Remove big.srt").click()
    expect(refused.first).to_be_hidden()


def test_an_address_that_cannot_be_opened_leads_to_the_files(app, visitor):
    """Beside the sentence about YouTube there is a button that opens the tab for files."""
    page = visitor(app)
    page.get_by_role("textbox", name="YouTube 주소").fill("https://example.com/watch")
    page.get_by_role("button", name="열기", exact=True).click()
    expect(page.get_by_text("YouTube 영상 주소가 아니에요").first).to_be_visible()
    expect(page.get_by_text("자막 파일이 있으면 파일 탭에서 열 수 있어요.").first).to_be_visible()
    page.locator(".st-key-to-file button:visible").first.click()
    expect(page.get_by_role("tab", name="파일")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("20MB까지").first).to_be_visible()
