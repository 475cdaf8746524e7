"""The one input box: an address or a file is opened, a transcript is read, a question is answered and searched for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared.buttons import button
from pages.parts.shared.escaping import clean
from pages.parts.shared.page_session import page_session
from pages.parts.workspace import chat_state, search_actions, video_picker
from pages.parts.workspace.video_panel import moment_line
from search_core.domain.conversation import Conversation
from search_core.domain.query import ConversationMemory
from search_core.domain.report import MAX_QUESTION_CHARS
from search_core.video.address import find_video, watch_url
from search_core.video.limits import MAX_TRANSCRIPT_CHARS

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.elements.widgets.chat import ChatInputValue

_TIMED_LINE = re.compile(r"^[^\S\n]*[\[(]?(?:\d{1,2}:)?\d{1,2}:\d{2}", re.MULTILINE)
_TIMED_LINES = 3
"""A text with at least this many lines under times is a transcript, not a question."""
_ADDRESS = re.compile(r"(?<![A-Za-z])[A-Za-z]+://\S+")


def box() -> tuple[ChatInputValue | None, DeltaGenerator, DeltaGenerator]:
    """Draw the box at the lower edge.

    Return what was sent, the slot above the box for messages about it, and the slot of the stop button.
    """
    session = page_session()
    if session.draft:
        st.session_state[chat_state.INPUT_KEY], session.draft = session.draft, ""
    with st.bottom, st.container(key="ask-bar"):
        with st.container(key="sent"):  # changes when a question has arrived, which the script of the page waits for
            st.container(key=f"sent-{session.searches}").html("<div></div>")
        state_place = st.container(key="opening-state")
        moment_line()
        with st.container(horizontal=True, wrap=False, vertical_alignment="bottom", key="ask-row"):
            _mode()
            hint = "이 영상에 대해 물어보세요" if session.video is not None else "주소나 질문을 넣어 주세요"
            sent: ChatInputValue | None = st.chat_input(
                "무엇을 조사할까요?" if chat_state.chat_page().research else hint,
                key=chat_state.INPUT_KEY,
                max_chars=MAX_TRANSCRIPT_CHARS,
                accept_file="multiple",
                max_upload_size=video_picker.upload_limit(),
            )
            # Always there: a box that changes its place loses its draft.
            stop_place = st.container(key="stop-place", width="content")
    return sent, state_place, stop_place


def _mode() -> None:
    on = chat_state.chat_page().research
    with st.container(key="mode", width="content"):
        tip, look = "켜면 질문을 여러 개로 나눠 웹을 깊이 조사하고 보고서로 답해요.", "secondary"
        if on:
            tip, look = "켜져 있어요. 질문을 보내면 웹을 깊이 조사해서 보고서로 답해요. 한 번 더 누르면 꺼져요.", "primary"
        button("깊이 조사", chat_state.switch_research, key="research-mode", icon="travel_explore", tip=tip, type=look)
        if on:
            tip = "질문을 어떻게 나눴는지 먼저 보고, 고친 뒤에 시작해요."
            st.toggle("계획 먼저 보기", key=chat_state.PLAN_FIRST_KEY, help=tip, persist_state="session")


def new_thread(*, open_now: bool) -> None:
    """Draw the button that begins another thread."""
    with st.sidebar:
        button("새 대화", _begin_anew, key="new-chat", icon="add_comment", width="stretch", disabled=not open_now)


def _begin_anew() -> None:
    chat_state.chat_page().leave()
    chat_state.research_page().leave()
    session = page_session()
    session.drop_search()
    session.asked, session.asked_at_s, session.memory = "", None, ConversationMemory()


def take(conversation: Conversation | None, sent: ChatInputValue | None) -> None:
    """Handle what was *sent* by its kind: open files and addresses, read a transcript, ask a question."""
    session = page_session()
    if session.handed_over:
        text, session.handed_over = session.handed_over, ""
        _send(conversation, text)
    if sent is None:
        return
    text = sent.text.strip()
    chat_state.research_page().leave()
    if sent.files:
        video_picker.take_files(sent.files, text)
    elif (link := find_video(text)) is not None:
        video_picker.open_address(watch_url(link.video_id), link.rest)
    elif _ADDRESS.fullmatch(text):
        video_picker.open_address(text)
    elif len(text) > MAX_QUESTION_CHARS or len(_TIMED_LINE.findall(text)) >= _TIMED_LINES:
        video_picker.open_text(text, "붙여 넣은 글을 자막으로 읽었어요.")
    else:
        _send(conversation, text)


def _send(conversation: Conversation | None, text: str) -> None:
    if chat_state.chat_page().research:
        chat_state.research(conversation, text)
    else:
        ask(text)


def ask(text: str, as_before: bool = False) -> None:
    """Search for *text* and answer it, and draw the page anew; *as_before* asks at the moment of the last question."""
    session = page_session()
    moment_s = session.asked_at_s if as_before else session.moment_s
    session.draft = text
    if chat_state.say_if_busy():  # what the last question found stays
        st.rerun()
    search = search_actions.start(text, moment_s)
    if search is not None:
        if chat_state.ask(text, moment_s, search):
            session.draft = ""
            others = (address for address in _ADDRESS.findall(text) if not find_video(address))
            session.notice = " ".join(f"영상 주소가 아니에요: {clean(address, 80)}" for address in others)
        else:
            session.drop_search()
    st.rerun()
