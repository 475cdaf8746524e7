"""The chat, put together when the first conversation is opened."""

from __future__ import annotations

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


def build_chat(components: Components, loop: LoopThread, research: Callable[[], ResearchService]) -> Chat:
    """Return the chat of a process; *research* gives the research service and may take its time."""
    from search_core.storage.conversations import ConversationStore  # brings SQLAlchemy, which takes 0.2 s to import

    answering = components.answering
    return Chat(
        ChatParts(
            loop=loop,
            store=ConversationStore(components.database),
            answers=answering.flow,
            checks=answering.checks,
            audio=answering.audio,
            research=_ConversationResearch(research),
            web_configured=answering.web_configured,
        )
    )


class _ConversationResearch:
    """The research service as far as conversations know it."""

    def __init__(self, service: Callable[[], ResearchService]) -> None:
        self._service = service

    def asked_in(self, conversation_id: str, owner: str) -> tuple[ResearchEntry, ...]:
        return self._service().list(owner, conversation_id=conversation_id)

    def run(self, run_id: str, owner: str) -> ResearchRun:
        return self._service().get(run_id, owner)

    def markdown(self, run: ResearchRun) -> str:
        from search_core.research.export.section import markdown_section

        return markdown_section(run, SECTION_LEVEL)
