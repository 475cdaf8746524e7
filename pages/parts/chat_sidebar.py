"""The sidebar: the conversations about this video, and what can be done with the one that is open."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.parts import chat_labels, chat_state, export, labels, run_page
from pages.parts.chat_state import chat_page
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import Conversation, ConversationEntry
from search_core.presenting import relative_time

TITLE_CHARS = 80


def sidebar(conversation: Conversation | None) -> None:
    """Draw the list, newest first, and the tools of the open conversation."""
    run_page.sidebar(chat_page(), conversation, chat_page().entries(), tools=_tools, describe=_describe)


def _describe(entry: ConversationEntry) -> run_page.Line:
    about = md(entry.video_title or chat_labels.WITHOUT_VIDEO, 120)
    when, count = relative_time(entry.updated_at, datetime.now(UTC)), chat_labels.ENTRY_COUNT.format(count=entry.messages)
    tip = None if page_session().video is not None else about
    return run_page.Line(md(entry.title, 60) or chat_labels.UNTITLED, f"{when} · {count}", tip=tip)


def _tools(conversation: Conversation) -> None:
    entry = conversation.entry
    with st.container(horizontal=True, key="run-tools"):
        st.button(chat_labels.RENAME, key="rename", type="tertiary", on_click=chat_page().ask, args=("rename",))
        stamp = entry.created_at.strftime("%Y%m%d-%H%M")
        st.download_button(
            labels.EXPORT,
            data=partial(_file, entry.id, owner()),
            file_name=f"maekrak-chat-{stamp}.md",
            mime=export.FILES["markdown"][0],
            key="export-conversation",
            type="tertiary",
            on_click="ignore",
        )
        run_page.delete_button(chat_page())


def dialog(conversation: Conversation | None) -> None:
    """Draw what is asked about the conversation, if anything is."""
    if conversation is None:
        return
    entry = conversation.entry
    if chat_page().dialog == "rename":
        st.dialog(chat_labels.RENAME_TITLE, on_dismiss=chat_page().close_dialog)(_rename)(entry)
    note = chat_labels.DELETE_NOTE.format(title=md(entry.title, 80) or chat_labels.UNTITLED)
    run_page.deletion_dialog(chat_page(), entry.id, note)


def _file(conversation_id: str, whose: str) -> bytes:
    data = chat_state.chat().export(conversation_id, whose).data
    return data.encode() if isinstance(data, str) else data


def _rename(entry: ConversationEntry) -> None:
    key = f"title-of-{entry.id}"
    with st.form("rename-form", border=False):
        st.text_input(chat_labels.RENAME_LABEL, value=entry.title, max_chars=TITLE_CHARS, key=key)
        st.form_submit_button(chat_labels.SAVE, type="primary", on_click=_save_title, args=(entry.id, key))


def _save_title(conversation_id: str, key: str) -> None:
    chat_page().close_dialog()
    title = clean(st.session_state[key] or "", TITLE_CHARS)
    if title:
        chat_page().attempt(partial(chat_state.chat().rename, conversation_id, owner(), title))
    st.rerun()
