"""Research that was asked for in a conversation, where it was asked."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import streamlit as st

from pages.parts import research_labels, research_state, services
from pages.parts.escaping import md
from pages.parts.visitor import owner
from search_core.domain import Conversation, ResearchEntry
from search_core.errors import MaekrakError
from search_core.presenting import relative_time

logger = logging.getLogger(__name__)


def runs_of(conversation: Conversation) -> list[ResearchEntry]:
    """Return the runs that were asked for in *conversation*, oldest first; none where they cannot be read."""
    try:
        entries = services.core().research.list(owner(), conversation_id=conversation.entry.id)
    except MaekrakError as error:
        logger.warning("The research of a conversation could not be listed: %s", error)
        return []
    return list(reversed(entries))


def run_row(entry: ResearchEntry) -> None:
    """Draw one run as a line that leads to it."""
    with st.container(key=f"say-run-{entry.id}"):
        st.page_link(
            "pages/research.py",
            label=research_labels.IN_CHAT.format(
                icon=research_labels.ICONS.get(entry.status, research_labels.ICON_RUNNING),
                question=md(entry.question, 120),
                when=relative_time(entry.created_at, datetime.now(UTC)),
                status=research_labels.STATUSES[entry.status],
            ),
            icon=":material/travel_explore:",
            query_params={research_state.PARAM: entry.id},
        )
