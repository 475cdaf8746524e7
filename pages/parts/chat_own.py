"""Answers without the web: from own documents, and from a model that the web gave nothing."""

from __future__ import annotations

import streamlit as st

from pages.parts import chat_labels, chat_text, library_document
from pages.parts.escaping import md
from search_core.domain import AnswerRecord, OwnDocument, OwnDocumentsFound
from search_core.presenting.wording import sent_to_model


def documents(message_id: str, record: AnswerRecord, *, live: bool) -> None:
    """Draw what own documents say, each to be opened once nothing is *live*, and whether their text went to the model."""
    if record.own is None:
        return
    with st.container(key=f"own-{message_id}"):
        head = f"{chat_labels.FROM_OWN} **{chat_labels.OWN}**"
        if live:  # what redraws itself would close the dialog
            st.markdown(f"{head}\n\n{chat_text.own_list(record.own)}")
        else:
            st.markdown(head)
            for document in record.own.documents:
                _document(message_id, document)
        st.caption(sent_to_model(record.own))


def _document(message_id: str, document: OwnDocument) -> None:
    if document.url.startswith(library_document.PREFIX):
        sample = f" {chat_labels.SAMPLE}" if document.sample else ""
        label = f"{document.number}\\. :blue[{md(document.title or document.url, 140)}]{sample}"
        library_document.title_button(label, document.url, f"title-{message_id}-{document.number}")
        st.markdown(f"“{md(document.quote, 400)}”")
    else:
        st.markdown(chat_text.own_list(OwnDocumentsFound(documents=(document,), to_model=False)))


def without_web(record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw what a model adds to the first answer where the web gave it nothing."""
    if record.without_web is not None:
        written = chat_text.markdown_without_web(record.without_web, can_seek=can_seek)
        own = record.own is not None and record.own.to_model
        note = chat_labels.WITHOUT_WEB_NOTE.format(
            video=chat_labels.AND_VIDEO if can_seek else "", own=chat_labels.AND_OWN if own else ""
        )
        st.markdown(f"{chat_labels.WITHOUT_WEB} **{note}**\n\n{written}")
