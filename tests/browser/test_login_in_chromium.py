"""An app that asks for a login, in Chromium, with a provider of identities on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.servers import environment, free_port, running
from tests.browser.steps import ask, box
from tests.loopback.identity_provider import IdentityProvider

pytestmark = pytest.mark.browser

QUESTION = "메모리 장벽이 뭐야?"
MINSU = {"sub": "minsu", "name": "김민수"}


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with IdentityProvider() as provider:
        yield provider


@pytest.fixture
def address(provider: IdentityProvider, tmp_path: Path) -> Iterator[str]:
    """Run an app whose secrets ask for a login."""
    port = free_port()
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(provider.secrets_toml(f"http://127.0.0.1:{port}"), "utf-8")
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--secrets.files", str(secrets)]
    with running(["streamlit", "run", "app.py", *options], port, "URL:", environment(tmp_path / "data")) as address:
        yield address


def log_in(page: Page, name: str) -> None:
    page.get_by_role("button", name="로그인", exact=True).click()
    expect(page.get_by_test_id("stSidebar").get_by_text(name)).to_be_visible()


def assert_locked(page: Page) -> None:
    expect(page.get_by_role("button", name="로그인", exact=True)).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    expect(box(page)).to_have_count(0)


def test_a_visitor_logs_in_and_out(address: str, provider: IdentityProvider, visitor):
    """No page is there before the login, and what was asked is there no more after the logout."""
    page = visitor(f"{address}/health")  # the first request of all is not answered by the bare script of that page
    assert_locked(page)
    provider.user = MINSU
    log_in(page, "김민수")
    page.get_by_role("link", name="작업", exact=True).click()
    ask(page, QUESTION)
    expect(page.get_by_test_id("stMain").get_by_role("heading", name=QUESTION)).to_be_visible()
    page.wait_for_url("**chat=*")
    conversation = page.url

    # The page is drawn without the visitor before the browser asks for the address that takes the cookie away.
    with page.expect_response("**/auth/logout"):
        page.get_by_role("button", name="로그아웃").click()
    page.wait_for_url(f"{address}/")
    expect(page.get_by_role("button", name="로그인", exact=True)).to_be_visible()
    page.goto(conversation)
    assert_locked(page)
    expect(page.get_by_text(QUESTION)).to_have_count(0)
