"""What stands beside the web: documents of one's own, and what a model answers while the web is away."""

from __future__ import annotations

import streamlit as st

from pages.parts import chat_labels, chat_text
from search_core.domain import AnswerRecord
from search_core.presenting.own_documents import sent_to_model


def documents(message_id: str, record: AnswerRecord) -> None:
    """Draw what own documents say, and whether their text went to the language model."""
    if record.own is None:
        return
    with st.container(key=f"own-{message_id}"):
        st.markdown(f"{chat_labels.FROM_OWN} **{chat_labels.OWN}**\n\n{chat_text.own_list(record.own)}")
        st.caption(sent_to_model(record.own))


def without_web(record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw what a model adds to the first answer while the web is away."""
    if record.without_web is not None:
        written = chat_text.markdown_without_web(record.without_web, can_seek=can_seek)
        st.markdown(f"{chat_labels.WITHOUT_WEB} **{chat_labels.WITHOUT_WEB_NOTE}**\n\n{written}")
