"""The sidebar: the conversations about this video, and what can be done with the one that is open."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.parts import chat_labels, chat_state, export
from pages.parts.desk import desk
from pages.parts.escaping import clean, md
from search_core.domain import Conversation, ConversationEntry
from search_core.errors import MaekrakError
from search_core.presenting import relative_time

LISTED = 12
"""Conversations in sight; the rest are behind a fold."""
TITLE_CHARS = 80


def sidebar(conversation: Conversation | None) -> None:
    """Draw the list, newest first, and the tools of the open conversation."""
    with st.sidebar, st.container(key="conversations"):
        st.button(
            chat_labels.NEW,
            key="new-conversation",
            icon=":material/add_comment:",
            width="stretch",
            disabled=conversation is None,
            on_click=chat_state.leave,
        )
        if conversation is not None:
            _tools(conversation.entry)
        entries = chat_state.entries()
        if not entries:
            return
        st.markdown(f"**{chat_labels.CONVERSATIONS if desk().video is not None else chat_labels.CONVERSATIONS_ALL}**")
        current = conversation.entry.id if conversation is not None else ""
        for entry in entries[:LISTED]:
            _entry(entry, current)
        if len(entries) > LISTED:
            label = chat_labels.MORE_CONVERSATIONS.format(count=len(entries) - LISTED)
            panel = st.expander(label, key="more-conversations", type="compact", on_change="rerun")
            if panel.open:
                with panel:
                    for entry in entries[LISTED:]:
                        _entry(entry, current)


def _entry(entry: ConversationEntry, current: str) -> None:
    title = md(entry.title, 60) or chat_labels.UNTITLED
    about = entry.video_title or chat_labels.WITHOUT_VIDEO
    when = relative_time(entry.updated_at, datetime.now(UTC))
    st.button(
        chat_labels.ENTRY.format(title=f"**{title}**" if entry.id == current else title, when=when, count=entry.messages),
        key=f"talk-{entry.id}" if entry.id != current else f"talk-open-{entry.id}",
        type="tertiary",
        help=None if desk().video is not None else md(about, 120),
        width="stretch",
        wrap=True,
        on_click=chat_state.open_conversation,
        args=(entry.id,),
    )


def _tools(entry: ConversationEntry) -> None:
    with st.container(horizontal=True, key="conversation-tools"):
        if st.button(chat_labels.RENAME, key="rename", type="tertiary"):
            _rename(entry)
        stamp = entry.created_at.strftime("%Y%m%d-%H%M")
        st.download_button(
            chat_labels.EXPORT,
            data=partial(_file, entry.id),
            file_name=f"maekrak-chat-{stamp}.md",
            mime=export.FILES["markdown"][0],
            key="export-conversation",
            type="tertiary",
            on_click="ignore",
        )
        if st.button(chat_labels.DELETE, key="delete", type="tertiary"):
            _delete(entry)


def _file(conversation_id: str) -> bytes:
    data = chat_state.chat().export(conversation_id, chat_state.owner()).data
    return data.encode() if isinstance(data, str) else data


@st.dialog(chat_labels.RENAME_TITLE)
def _rename(entry: ConversationEntry) -> None:
    with st.form("rename", border=False):
        title = st.text_input(chat_labels.RENAME_LABEL, value=entry.title, max_chars=TITLE_CHARS, key=f"title-of-{entry.id}")
        sent = st.form_submit_button(chat_labels.SAVE, type="primary")
    if sent and clean(title or "", TITLE_CHARS):
        _do(partial(chat_state.chat().rename, entry.id, chat_state.owner(), clean(title or "", TITLE_CHARS)))


@st.dialog(chat_labels.DELETE_TITLE)
def _delete(entry: ConversationEntry) -> None:
    st.markdown(chat_labels.DELETE_NOTE.format(title=md(entry.title, 80) or chat_labels.UNTITLED))
    with st.container(horizontal=True):
        if st.button(chat_labels.DELETE_YES, key="delete-yes", type="primary"):
            _do(partial(chat_state.chat().delete, entry.id, chat_state.owner()), leaving=True)
        if st.button(chat_labels.CANCEL, key="delete-no"):
            st.rerun()


def _do(change: object, *, leaving: bool = False) -> None:
    """Make *change* and draw the page anew; a failure is said on the page."""
    try:
        change()  # type: ignore[operator]
    except MaekrakError as error:
        chat_state.talk().error = error.korean
    else:
        if leaving:
            chat_state.leave()
    st.rerun()
