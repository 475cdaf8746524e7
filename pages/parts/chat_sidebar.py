"""The sidebar: the conversations about this video, and what can be done with the one that is open."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Literal

import streamlit as st

from pages.parts import chat_labels, chat_state, export
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import Conversation, ConversationEntry
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
            on_click=chat_state.chat_page().leave,
        )
        if conversation is not None:
            _tools(conversation.entry)
        entries = chat_state.entries()
        if not entries:
            return
        st.markdown(f"**{chat_labels.CONVERSATIONS if page_session().video is not None else chat_labels.CONVERSATIONS_ALL}**")
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
        help=None if page_session().video is not None else md(about, 120),
        width="stretch",
        wrap=True,
        on_click=chat_state.open_conversation,
        args=(entry.id,),
    )


def _tools(entry: ConversationEntry) -> None:
    with st.container(horizontal=True, key="conversation-tools"):
        st.button(chat_labels.RENAME, key="rename", type="tertiary", on_click=_open, args=("rename",))
        stamp = entry.created_at.strftime("%Y%m%d-%H%M")
        st.download_button(
            chat_labels.EXPORT,
            data=partial(_file, entry.id, owner()),
            file_name=f"maekrak-chat-{stamp}.md",
            mime=export.FILES["markdown"][0],
            key="export-conversation",
            type="tertiary",
            on_click="ignore",
        )
        st.button(chat_labels.DELETE, key="delete", type="tertiary", on_click=_open, args=("delete",))


def dialog(conversation: Conversation | None) -> None:
    """Draw what is asked about the conversation, if anything is."""
    asked = chat_state.chat_page().dialog
    if conversation is not None and asked:
        (_rename if asked == "rename" else _delete)(conversation.entry)


def _open(name: Literal["rename", "delete"]) -> None:
    chat_state.chat_page().dialog = name


def _close() -> None:
    chat_state.chat_page().dialog = ""


def _file(conversation_id: str, whose: str) -> bytes:
    data = chat_state.chat().export(conversation_id, whose).data
    return data.encode() if isinstance(data, str) else data


@st.dialog(chat_labels.RENAME_TITLE, on_dismiss=_close)
def _rename(entry: ConversationEntry) -> None:
    key = f"title-of-{entry.id}"
    with st.form("rename-form", border=False):
        st.text_input(chat_labels.RENAME_LABEL, value=entry.title, max_chars=TITLE_CHARS, key=key)
        st.form_submit_button(chat_labels.SAVE, type="primary", on_click=_save_title, args=(entry.id, key))


@st.dialog(chat_labels.DELETE_TITLE, on_dismiss=_close)
def _delete(entry: ConversationEntry) -> None:
    st.markdown(chat_labels.DELETE_NOTE.format(title=md(entry.title, 80) or chat_labels.UNTITLED))
    with st.container(horizontal=True):
        st.button(chat_labels.DELETE_YES, key="delete-yes", type="primary", on_click=_delete_conversation, args=(entry.id,))
        st.button(chat_labels.CANCEL, key="delete-no", on_click=_cancel_delete)


def _save_title(conversation_id: str, key: str) -> None:
    _close()
    title = clean(st.session_state[key] or "", TITLE_CHARS)
    if title:
        chat_state.chat_page().attempt(partial(chat_state.chat().rename, conversation_id, owner(), title))
    st.rerun()


def _delete_conversation(conversation_id: str) -> None:
    if chat_state.chat_page().attempt(partial(chat_state.chat().delete, conversation_id, owner())):
        chat_state.chat_page().leave()
    _close()
    st.rerun()


def _cancel_delete() -> None:
    _close()
    st.rerun()
