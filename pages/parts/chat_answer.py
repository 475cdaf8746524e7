"""An answer: what the video says, what the web says where the video says nothing, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import chat_labels, chat_moments, chat_own, chat_text, chat_tools, chat_web, video_panel
from pages.parts.chat_tools import Offers
from pages.parts.escaping import clean, md
from search_core.domain import AnswerOrigin, AnswerRecord, Message, TranscriptPassage
from search_core.video_time import clock

PASSAGE_CHARS = 160


def answer(message: Message, offers: Offers, *, live: bool, can_seek: bool) -> None:
    """Draw an answer as far as it is written; *live* while it is under way, *offers* when it has ended."""
    record = message.record or AnswerRecord()
    _video_part(record, can_seek=can_seek)
    if record.fallback is not None and record.fallback.triggered:
        with st.container(key=f"web-{message.id}"):
            _web_part(message, record, live=live, can_seek=can_seek)
        chat_own.documents(message.id, record, live=live)
        chat_own.without_web(record, can_seek=can_seek)
    chat_web.ended(message, record)
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-{message.id}"):
        if can_seek:
            chat_moments.moment_buttons(message.id, chat_text.moments(record.text))
        if not live:
            chat_tools.tools(message, record, offers)
    if live:
        st.markdown(f":shimmer[:small[{_phase(record)}]]")


def _video_part(record: AnswerRecord, *, can_seek: bool) -> None:
    if record.text.strip():
        quoted = record.origin if record.moments else None  # that nothing is said of it is no quotation
        head = chat_text.heading(chat_labels.FROM_VIDEO, quoted, chat_labels.EXTRACT)
        st.markdown(f"{head}\n\n{chat_text.video_markdown(record, can_seek=can_seek)}")
        if record.origin is AnswerOrigin.MODEL and (doubtful := chat_text.uncertain_moments(record)):
            moments = ", ".join(map(chat_text.moment_link if can_seek else clock, doubtful))
            st.caption(f":orange[:material/hearing:] {chat_labels.UNCERTAIN_SPEECH.format(moments=moments)}")
    chat_web.notice(record)


def _web_part(message: Message, record: AnswerRecord, *, live: bool, can_seek: bool) -> None:
    message_id = message.id
    assert record.fallback is not None
    if record.searched_for:
        head = chat_text.heading(chat_labels.FROM_WEB, record.web_origin, chat_labels.WEB_EXTRACT)
        st.markdown(f"{head} **{_lead(record, live=live, has_video=can_seek)}**  \n{chat_text.searched_for(record)}")
    if record.fallback.passages:
        _passages(message_id, record.fallback.passages, can_seek=can_seek)
    chat_web.sources(message_id, record)
    chat_web.prose(record)
    chat_web.failure(record, message.created_at)
    if not live:
        chat_web.ledger(message_id, record)


def _lead(record: AnswerRecord, *, live: bool, has_video: bool) -> str:
    """Return how far the question got on the web; of a video only where there is one."""
    if record.failure is not None and record.failure.web_away:
        return chat_labels.FALLBACK_AWAY if has_video else chat_labels.ASKED_AWAY
    if live and not (record.sources or record.failure):
        return chat_labels.FALLBACK_LIVE if has_video else chat_labels.ASKED_LIVE
    if not (record.sources or record.failure):
        return chat_labels.FALLBACK_CUT if has_video else chat_labels.ASKED_CUT
    return chat_labels.FALLBACK if has_video else chat_labels.ASKED


def _passages(message_id: str, passages: Sequence[TranscriptPassage], *, can_seek: bool) -> None:
    label = chat_labels.PASSAGES.format(count=len(passages))
    panel = st.expander(label, key=f"passages-{message_id}", type="compact", icon=":material/subtitles:", on_change="rerun")
    if not panel.open:
        return
    with panel:
        for place, passage in enumerate(passages):
            st.button(
                f":gray[{clock(passage.start_s)}]  {md(clean(passage.text, PASSAGE_CHARS))}",
                key=f"line-passage-{message_id}-{place}",
                type="tertiary",
                on_click=video_panel.seek,
                args=(passage.start_s,),
                disabled=not can_seek,
                width="stretch",
                wrap=True,
            )


def _phase(record: AnswerRecord) -> str:
    """Return what is being done now."""
    if record.fallback is not None and record.fallback.triggered:
        return chat_labels.WRITING if record.sources or record.failure else chat_labels.SEARCHING
    if record.origin is not None:
        return chat_labels.DECIDING
    return chat_labels.WRITING if record.passages or record.text else chat_labels.WATCHING
