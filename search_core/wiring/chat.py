"""The chat, put together when the first conversation is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from search_core.chat import Chat, ChatParts
from search_core.chat.parts import Research
from search_core.chat.run_answer import look_for_abandoned
from search_core.domain import ResearchRun
from search_core.runtime import LoopThread
from search_core.wiring.components import Components

if TYPE_CHECKING:
    from search_core.research.service import ResearchService

ABANDONED_EVERY_S = 10.0
SECTION_LEVEL = 4
"""Of the headings of a run in the file of a conversation."""


def build_chat(components: Components, loop: LoopThread, research: Callable[[], ResearchService]) -> Chat:
    """Return the chat of a process; *research* gives the research service and may take its time."""
    from search_core.storage.conversations import ConversationStore  # brings SQLAlchemy, which takes 0.2 s to import

    answering, store = components.answering, ConversationStore(components.database)
    look_for_abandoned(loop, store.fail_interrupted, ABANDONED_EVERY_S)
    return Chat(
        ChatParts(
            loop=loop,
            store=store,
            answers=answering.flow,
            checks=answering.checks,
            audio=answering.audio,
            research=Research(
                asked_in=lambda conversation_id, owner: research().list(owner, conversation_id=conversation_id),
                run=lambda run_id, owner: research().get(run_id, owner),
                markdown=_run_text,
            ),
            web_configured=answering.web_configured,
        )
    )


def _run_text(run: ResearchRun) -> str:
    from search_core.research.export import markdown_section

    return markdown_section(run, SECTION_LEVEL)
