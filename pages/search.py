"""검색: a question about a video becomes ranked results, each with its source and its moment."""

from __future__ import annotations

import streamlit as st

from pages.parts import address, frame, question_box, search_actions, services, video_picker
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.progress import progress
from pages.parts.results import results
from pages.parts.video_panel import video_panel

WHAT_IT_DOES = (
    ":material/subtitles: 자막에서 **인물·기업·행사**를 알아내 “이 회사”, “그 발표” 같은 말을 풀어서 검색해요",
    ":material/travel_explore: 여러 검색 서비스와 내 자료를 **한 번에** 찾고, 영상과 관련 있는 순서로 보여줘요",
    ":material/play_circle: 결과마다 **출처와 점수 근거**, 영상 속 관련 **장면**을 붙여요",
)

with frame.zones() as (main, aside):
    address.apply()
    session = page_session()
    if handed_over := session.take_handed_over():
        search_actions.ask_example(handed_over)
    session.sync_job()
    if session.job is not None and session.searching:
        session.job.wait(search_actions.QUICK_S)
        session.sync_job()
    with main:
        question_box.question_box()
        services.core()  # from here on the page needs it; the box above is there before it
        if session.notice:
            st.info(md(session.notice), icon=":material/info:")
        if session.video is not None and session.report is None and not session.searching:
            services.core().read_ahead(session.video)
            video_picker.examples("example", search_actions.ask_example)
        above = st.container(key="above-list")
        if session.searching:  # the list before goes away first, and what takes its place comes last: nothing is pushed aside
            results()
        with above:
            progress()
        if not session.searching:
            results()
    with aside:
        video_panel()
    with main:
        if session.video is None and session.report is None and not session.searching:
            video_picker.welcome("search", "영상을 보다 생긴 질문을, 그 영상의 맥락으로 찾아요", WHAT_IT_DOES)
