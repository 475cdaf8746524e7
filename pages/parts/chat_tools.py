"""Actions on a finished answer: checking it against the web, asking again, exporting it, listening to it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.parts import chat_labels, chat_state, chat_text
from pages.parts.escaping import md
from search_core.domain import AnswerRecord, Message, MessageState

ABOUT_CHARS = 30


@dataclass(frozen=True, slots=True)
class Offers:
    """Says what is offered under an answer."""

    check: bool
    question: str
    """What the answer is to; named by the button that checks it."""
    retry: str
    """The question to ask once more where the answer is broken; empty where that is not offered."""
    speech: bool


def tools(message: Message, record: AnswerRecord, offers: Offers) -> None:
    """Draw the buttons under *message*, which has ended with *record*."""
    if offers.retry and _is_broken(message, record):
        st.button(
            chat_labels.RETRY_ANSWER,
            key=f"retry-{message.id}",
            icon=":material/refresh:",
            help=chat_labels.RETRY_ANSWER_HELP,
            on_click=chat_state.ask,
            args=(offers.retry,),
        )
    if offers.check and message.state is MessageState.COMPLETE and record.text:
        st.button(
            chat_labels.CHECK_ABOUT.format(question=md(offers.question, ABOUT_CHARS)) if offers.question else chat_labels.CHECK,
            key=f"check-{message.id}",
            icon=":material/language:",
            help=chat_labels.CHECK_HELP,
            on_click=chat_state.check,
            args=(message.id,),
        )
    _copy(message.id, chat_text.plain_text(record))
    if offers.speech and (record.web_text or record.text):
        _listen(message.id, record.web_text or record.text)


def _is_broken(message: Message, record: AnswerRecord) -> bool:
    """Return whether an answer did not come to its end, or the web could not be asked for it."""
    ended_early = message.state in (MessageState.FAILED, MessageState.STOPPED) or bool(record.error)
    return ended_early or not record.complete or record.failure is not None


def _copy(message_id: str, text: str) -> None:
    """Offer *text* for the clipboard, which only the browser can fill: ``static/chat.js`` takes it from behind the button."""
    if text:
        with st.container(key=f"take-{message_id}", width="content"):
            st.button(chat_labels.COPY_ANSWER, key=f"copy-{message_id}", type="tertiary", icon=":material/content_copy:")
            with st.container(key=f"text-of-{message_id}"):
                st.text(text)


@st.fragment
def _listen(message_id: str, text: str) -> None:
    """Offer to have the answer read aloud; redrawn alone, so that what is under way elsewhere goes on."""
    page, place = chat_state.chat_page(), st.empty()
    if message_id not in page.sounds and place.button(
        chat_labels.LISTEN, key=f"listen-{message_id}", type="tertiary", icon=":material/volume_up:"
    ):
        with st.spinner(chat_labels.MAKING_SOUND):
            chat_state.sound(message_id, text)
    if message_id in page.sounds:
        place.audio(page.sounds[message_id], format="audio/mpeg", width=260)
    elif message_id in page.mute:
        st.markdown(f":orange[:material/volume_off:] {md(page.mute[message_id], 300)}")
