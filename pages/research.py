"""딥리서치: a question taken apart, searched for and written about, while the visitor watches or does something else."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.parts import address, frame, research_state, research_view, run_page, services, video_picker
from pages.parts.escaping import md
from pages.parts.moment_line import moment_line
from pages.parts.page_session import page_session
from search_core.domain import MAX_QUESTION_CHARS, ResearchEntry

WHAT_IT_DOES = (
    ":material/account_tree: AI 모델이 있으면 여러 가지를 묻는 질문을 **나눠서** 찾아요. 계획은 시작하기 전에 고칠 수 있어요",
    ":material/menu_book: 찾은 페이지를 **직접 읽고**, 문장마다 출처를 붙인 보고서를 써요",
    ":material/pause_circle: 창을 닫아도 계속돼요. **중지**해도 여기까지의 내용은 남고, 이어서 할 수 있어요",
)
OWN_STAYS = "내 자료는 AI 모델에 보내지 않아요. 찾은 문장만 그대로 옮겨요."
QUESTION_HINT = "이 영상을 보며 깊이 알아보고 싶은 것을 적어 주세요"


def _describe(entry: ResearchEntry) -> run_page.Line:
    return run_page.run_line(entry, md(entry.question, 70), "조사")


def _question_box() -> None:
    """Draw the box; Enter or the button begins a run."""
    with st.form("research", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom", wrap=False):
            st.text_input(
                "조사할 질문",
                key=research_state.QUESTION_KEY,
                placeholder="깊이 알아보고 싶은 것을 적어 주세요" if page_session().video is None else QUESTION_HINT,
                label_visibility="collapsed",
                max_chars=MAX_QUESTION_CHARS,
                persist_state="session",
            )
            st.form_submit_button(
                "조사 시작",
                key="start-research",
                type="primary",
                icon=":material/travel_explore:",
                on_click=research_state.start_typed,
            )
        st.toggle(
            "계획 먼저 보기",
            key=research_state.PLAN_FIRST_KEY,
            help="질문을 어떻게 나눴는지 먼저 보고, 고친 뒤에 시작해요.",
            persist_state="session",
        )


def _welcome() -> None:
    """Say what research does, with questions to start from."""
    settings = services.core().settings
    note = "함께 찾은 내 자료도 AI 모델에 보내요." if settings.may_send_own_documents else OWN_STAYS
    note = note if settings.openai_model else "AI 모델이 연결되어 있지 않아서, 찾은 자료에서 뽑은 문장으로 보고서를 만들어요."
    examples = partial(video_picker.examples, "research-example", _fill_in, tip="질문 칸에 넣어요")
    video_picker.welcome("research", "오래 걸려도 깊이 찾아볼게요", WHAT_IT_DOES, note=note, examples=examples)


def _fill_in(question: str) -> None:
    st.session_state[research_state.QUESTION_KEY] = question


frame.add_script("chat.js")
with frame.zones(main_width=2.3) as (main, aside):
    address.apply()
    with main:
        _question_box()
        moment_line()
    page = research_state.research_page()
    run, entries = page.attach(), page.entries()
    run_page.sidebar(page, run, entries, tools=partial(run_page.run_tools, page), describe=_describe)
    with main:
        page.show_problem()
        if run is not None:
            research_view.view(run)
        else:
            _welcome()
    with aside:
        research_view.beside(run)
    if run is not None:
        research_view.dialog(run)
