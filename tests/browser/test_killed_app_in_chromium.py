"""The app killed in the middle of an answer, and what the next one over the same data makes of what it left."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from search_core.domain import MessageState
from search_core.storage import Database
from search_core.storage.conversations import STALE_S, ConversationStore
from search_core.storage.database import FILE
from tests.browser.servers import environment, free_port, process, streamlit
from tests.browser.steps import ask, open_sample, visible_buttons
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, event, saying
from tests.search_core.research.workers import wait_until

pytestmark = pytest.mark.browser

QUESTION = "HBM4 표준의 대역폭은 얼마인가요?"
BEGUN = "HBM4 표준의 대역폭은 한 묶음에 "
WHOLE = f"{BEGUN}초당 최대 2테라바이트예요 [05:45]."
HOLD_S = 90.0


def test_an_answer_of_a_killed_app_is_told_as_broken_off(visitor, tmp_path: Path):
    """After kill -9 the next app keeps its words, soon says that it broke off, and answers the question again by a click."""
    killed = threading.Event()

    def begin(_: Asked) -> Whole | Stream:
        def pieces() -> Iterator[bytes]:
            yield event(BEGUN)
            killed.wait(HOLD_S)

        return Stream(pieces(), hang_up=True)

    def stored() -> bool:
        """Return whether the words are in the file, in an answer that still runs."""
        with closing(Database(tmp_path / FILE)) as database:
            store = ConversationStore(database)
            messages = store.load(store.entries("")[0].id, "").messages
        return any(BEGUN.strip() in message.record.text for message in messages if message.record) and any(
            message.state is MessageState.RUNNING for message in messages
        )

    with LanguageModelServer(begin) as model:
        more = {"OPENAI_BASE_URL": model.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any", "OPENAI_TIMEOUT": str(HOLD_S)}
        variables = environment(tmp_path, **more)
        port = free_port()
        with process(streamlit(port), "URL:", variables) as (server, _):
            page = open_sample(visitor(f"http://127.0.0.1:{port}/chat"))
            ask(page, QUESTION)
            expect(page.get_by_text(BEGUN.strip()).first).to_be_visible()
            page.wait_for_url("**chat=*")
            left = page.url.partition("/chat")[2]
            wait_until(stored)
            page.goto("about:blank")
            server.kill()
            server.wait()
        killed.set()
        model.answer = saying(WHOLE)
        port = free_port()
        with process(streamlit(port), "URL:", variables):
            page.goto(f"http://127.0.0.1:{port}/chat{left}")
            expect(page.get_by_text(BEGUN.strip()).first).to_be_visible()
            expect(page.get_by_text("서버가 다시 시작되면서 답변이 끊겼어요")).to_be_visible(timeout=STALE_S * 2_000)
            visible_buttons(page, "retry-").click()
            expect(page.get_by_text("초당 최대 2테라바이트예요").first).to_be_visible()
