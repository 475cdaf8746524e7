"""대화: questions about the video, answered from its transcript, held against the web on request."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from pages.parts import address, chat_state, chat_view, frame, services, video_picker
from pages.parts.moment_line import moment_line
from pages.parts.page_session import page_session
from pages.parts.video_panel import video_panel
from search_core.domain import MAX_QUESTION_CHARS, Conversation

WHAT_IT_DOES = (
    ":material/subtitles: 자막에서 답을 찾아 **장면**과 함께 알려드려요. 장면을 누르면 영상이 그곳으로 가요",
    ":material/travel_explore: 영상에 없는 내용은 **웹에서** 찾고, 출처를 붙여요",
    ":material/fact_check: 답마다 **온라인에서 확인**을 누르면 영상의 말과 웹의 자료를 나란히 비교해요",
)
LEAD_FREE = "영상을 고르면 자막에서 답을 찾아요. 고르지 않고 물어보면 웹에서 찾아요."
MODE_ON = "켜져 있어요. 질문을 보내면 웹을 깊이 조사해서 보고서로 답해요. 한 번 더 누르면 대화로 돌아가요."


def _welcome() -> None:
    """Say what can be asked, with questions to start from."""
    title, what_it_does = "이 영상에 대해 물어보세요", [*WHAT_IT_DOES]
    if page_session().video is None:
        title, what_it_does = "어떤 영상 이야기를 해 볼까요?", [LEAD_FREE, *what_it_does]
    note = "" if services.core().settings.openai_model else "AI 모델이 연결되어 있지 않아서, 자막에서 뽑은 문장으로 답해요."
    examples = partial(video_picker.examples, "chat-example", chat_state.ask)
    video_picker.welcome("chat", title, what_it_does, note=note, examples=examples)


def _bottom(conversation: Conversation | None) -> None:
    """Draw the box and, while an answer is under way, the button that stops it."""
    running, page = chat_state.running(conversation), chat_state.chat_page()
    if page.draft:
        st.session_state[chat_state.INPUT_KEY], page.draft = page.draft, ""
    with st.container(key="ask-bar"):
        with st.container(key="stop-place"):  # always there: a box that moves up by one place is made anew, and its draft is lost
            if running:
                st.button("답변 멈추기", key="stop-answer", icon=":material/stop_circle:", on_click=chat_state.stop)
        moment_line()
        with st.container(horizontal=True, wrap=False, vertical_alignment="bottom", key="ask-row"):
            tip = MODE_ON if page.research else "켜면 질문을 여러 개로 나눠 웹을 깊이 조사하고 보고서로 답해요."
            chosen: Literal["primary", "secondary"] = "primary" if page.research else "secondary"
            st.button(
                "딥리서치",
                key="research-mode",
                icon=":material/travel_explore:",
                type=chosen,
                help=tip,
                on_click=chat_state.switch_research,
            )
            hint = "이 영상에 대해 물어보세요" if page_session().video is not None else "무엇이든 물어보세요"
            hint = "깊이 조사할 것을 물어보세요" if page.research else hint
            sent = st.chat_input(hint, key=chat_state.INPUT_KEY, max_chars=MAX_QUESTION_CHARS)
    text = (sent or "").strip()
    if text and page.research:
        chat_state.research(conversation, text)
    elif text:
        chat_state.ask(text)


frame.add_script("chat.js")
with frame.zones() as (main, aside):
    address.apply()
    conversation = chat_state.chat_page().attach()
    if handed_over := page_session().take_handed_over():
        chat_state.ask(handed_over)
    chat_view.sidebar(conversation)
    with main:
        if conversation is not None:
            chat_view.messages(conversation)
        else:
            _welcome()
        chat_state.chat_page().show_problem()
    with aside:
        video_panel()
    with st.bottom:
        _bottom(conversation)
    chat_view.dialog(conversation)
