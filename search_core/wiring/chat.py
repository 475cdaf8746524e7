"""The chat, put together when the first conversation is opened."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from search_core.chat import Chat, ChatParts
from search_core.runtime import LoopThread
from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.domain import ResearchEntry, ResearchRun
    from search_core.research.service import ResearchService

SECTION_LEVEL = 4
"""Of the headings of a run in the file of a conversation."""


class LateChat:
    """Makes the one chat of a process when it is first asked for: its store brings SQLAlchemy, which takes 0.2 s to import."""

    def __init__(self, house: Components, loop: LoopThread, research: Callable[[], ResearchService]) -> None:
        """Take the parts; *research* gives the research desk and may take its time."""
        self._house = house
        self._loop = loop
        self._research = research
        self._lock = threading.Lock()
        self._chat: Chat | None = None

    def __call__(self) -> Chat:
        """Return the chat."""
        with self._lock:
            if self._chat is None:
                self._chat = self._made()
            return self._chat

    def _made(self) -> Chat:
        from search_core.storage.conversations import ConversationStore

        answering = self._house.answering
        return Chat(
            ChatParts(
                loop=self._loop,
                store=ConversationStore(self._house.database),
                answers=answering.flow,
                checks=answering.checks,
                audio=answering.audio,
                research=_ConversationResearch(self._research),
                web_configured=answering.web_configured,
            )
        )


class _ConversationResearch:
    """The research desk as far as conversations know it."""

    def __init__(self, desk: Callable[[], ResearchService]) -> None:
        self._desk = desk

    def asked_in(self, conversation_id: str, owner: str) -> tuple[ResearchEntry, ...]:
        return self._desk().list(owner, conversation_id=conversation_id)

    def run(self, run_id: str, owner: str) -> ResearchRun:
        return self._desk().get(run_id, owner)

    def markdown(self, run: ResearchRun) -> str:
        from search_core.research.export.section import markdown_section

        return markdown_section(run, SECTION_LEVEL)
