"""A run of research as a card: progress, plan, report as it is written, sources by site; redraws itself until it ends."""

from __future__ import annotations

import re
from functools import partial

import streamlit as st

from pages.parts.shared import own_documents, run_page
from pages.parts.shared.buttons import button
from pages.parts.shared.escaping import clean, link, md
from pages.parts.shared.page_session import page_session
from pages.parts.workspace import chat_answer, chat_state, video_panel
from search_core.domain.research import (
    SEARCH_FAILED,
    STOPPED_MARKER,
    PlanOrigin,
    ResearchRun,
    ResearchSource,
    ResearchStatus,
    Subtask,
    SubtaskState,
)
from search_core.search.presenting.dates import date_text, korean_date
from search_core.search.presenting.score_text import points, scored_by_words
from search_core.search.presenting.wording import count_sources

POLL_S = 0.5
POLL_PLAN_S = 2.0
"""Seconds between redraws of a waiting plan, which changes only if it is agreed to in another tab."""
BADGE = ":violet-badge[:material/travel_explore: 깊이 조사]"
ENDED = "조사가 끝났어요."
_SIGNS = {
    SubtaskState.WAITING: ":gray[:material/radio_button_unchecked:]",
    SubtaskState.SEARCHING: ":blue[:material/progress_activity:]",
    SubtaskState.DONE: ":green[:material/check_circle:]",
    SubtaskState.FAILED: ":orange[:material/error:]",
    SubtaskState.LEFT_OUT: ":gray[:material/remove_circle_outline:]",
}
SEARCH_AWAY = (
    ":orange[:material/cloud_off:] **웹을 검색하지 못했어요.** 네트워크 연결과 검색 서비스 설정을 확인하고 다시 조사해 주세요."
)
AGAIN = "다시 조사"
ORIGINS = {PlanOrigin.MODEL: "AI가 질문을 나눴어요", PlanOrigin.USER: "직접 정한 계획이에요"}
STEPS = {
    SubtaskState.WAITING: "대기 중",
    SubtaskState.SEARCHING: "찾는 중…",
    SubtaskState.FAILED: "검색하지 못했어요",
    SubtaskState.LEFT_OUT: "조사하지 못했어요",
}


def view(run: ResearchRun) -> None:
    """Draw a run outside of conversations, under its question."""
    st.markdown(f"## {md(run.request.question, 500)}", anchors=False)
    chat_state.research_page().announce_end(ENDED, under_way=not run.status.ended)
    with st.container(key="chat"), st.container(key=f"say-research-{run.id}"):
        card(run)


def card(run: ResearchRun) -> None:
    """Draw *run*, redrawn until it ends; one waiting for agreement to its plan is only polled."""
    waits = run.status is ResearchStatus.PLANNED
    if waits:
        st.markdown(f"{BADGE} **:blue[:material/checklist:] 이렇게 나눠서 조사할까요?**")
        _waiting_plan(run)
    every_s = POLL_PLAN_S if waits else POLL_S
    run_page.watch(chat_state.research_page(), run, (lambda _: None) if waits else _draw, every_s=every_s)


def _draw(run: ResearchRun) -> None:
    live, has_report = not run.status.ended, is_written(run)
    doing = run_page.doing(run, (run_page.elapsed(run), *_found(run)))
    with st.container(horizontal=True, vertical_alignment="center", key=f"research-head-{run.id}"):
        with st.container(width="stretch", key=f"now-{run.id}"):
            st.markdown(f"{BADGE} {doing if live else ending(run)}")
        _buttons(run)
    left = [f"{part.number}. {md(part.text, 120)}" for part in run.plan if part.number in run.unanswered]
    if left and has_report and not live:
        st.markdown(f":small[:orange[답하지 못한 부분: {' / '.join(left)}]]")
    if run.plan or live:
        label = f"생각의 과정 · 하위 질문 {len(run.plan)}개" if run.plan else "계획을 세우고 있어요…"
        unfolded = live or not (has_report or run.search_failed)
        with st.expander(
            label, key=f"thoughts-{run.id}-{unfolded}", type="compact", icon=":material/account_tree:", expanded=unfolded
        ):
            st.markdown(steps(run, live=live))
    report(run, live=live)
    sources(run, live=live)
    run_page.coverage_fold(f"coverage-{run.id}", run.coverage)


def _buttons(run: ResearchRun) -> None:
    page = chat_state.research_page()
    if not run.status.ended:
        run_page.end_buttons(page, run, may_finish=run.status is not ResearchStatus.WRITING)
        return
    if run.search_failed:
        run_page.resume_button(page, run, AGAIN, "세운 계획 그대로 웹에서 다시 찾아요.", icon="refresh")
    else:
        if run.status is not ResearchStatus.COMPLETE:
            tip = "이미 찾고 읽은 것은 다시 하지 않고, 남은 것부터 조사해요."
            run_page.resume_button(page, run, "이어서 조사", tip, icon="play_arrow")
        tip = "같은 질문을 처음부터 다시 조사해요."
        button(AGAIN, chat_state.research_again, run, key=f"again-run-{run.id}", icon="refresh", tip=tip)
    run_page.run_tools(page, run)


def ending(run: ResearchRun) -> str:
    """Return as Markdown how a run ended and what it found, own documents counted apart."""
    own = sum(source.own for source in run.sources)
    facts = [korean_date(run.created_at), count_sources(len(run.sources), own)]
    if run.search_failed:
        return run_page.with_facts(SEARCH_AWAY, facts)
    words = ""
    if run.status is ResearchStatus.FINISHED_EARLY and not run.sources:
        words = "자료를 찾기 전에 마무리했어요."
    elif run.status is ResearchStatus.STOPPED and not is_written(run):
        words = "조사를 멈췄어요. 보고서는 아직 쓰지 않았어요."
    return run_page.with_facts(f"**{run_page.ending(run, words)}**", facts)


def _found(run: ResearchRun) -> list[str]:
    own = sum(source.own for source in run.sources) if run.sources else run.count - sum(run.domains.values())
    web = [count_sources(run.count - own, 0)] if run.count > own or not own else []
    read = sum(source.read is True for source in run.sources)
    first = ", ".join(f"{md(domain or NO_SITE, 40)} {count}" for domain, count in list(run.domains.items())[:3])
    sites = f"사이트 {len(run.domains)}곳 ({first}{' 외' if len(run.domains) > 3 else ''})" if run.domains else ""
    facts = [*web, sites, count_sources(own, own) if own else ""]
    return list(filter(None, [*facts, f"본문 {read}개 읽음" if read else ""]))


def steps(run: ResearchRun, *, live: bool) -> str:
    """Return the plan as Markdown: who made it and, if no model did, why; then a paragraph for each part."""
    head = ["**계획**"] if live else []
    if run.plan_origin in ORIGINS:
        head.append(f":small[:gray[{ORIGINS[run.plan_origin]}]]")
    if run.plan_note:
        head.append(f":small[:orange[{md(run.plan_note, 300)}]]")
    return "\n\n".join(filter(None, ("  \n".join(head), *(_subtask(run, subtask, live=live) for subtask in run.plan))))


def _subtask(run: ResearchRun, subtask: Subtask, *, live: bool) -> str:
    over = not live and subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING)
    state = SubtaskState.LEFT_OUT if over else subtask.state
    counts = [count_sources(subtask.found, subtask.own)] if subtask.found else []
    if state is SubtaskState.DONE:
        read = sum(source.read is True for source in run.sources if subtask.number in source.subtasks)
        facts = counts or ([] if subtask.failure else ["찾은 것이 없어요"])
        facts += [f"본문 {read}개 읽음"] if read else []
    else:
        facts = [STEPS[state], *(counts if state is SubtaskState.FAILED else [])]
    if subtask.origin is PlanOrigin.USER and run.plan_origin is not PlanOrigin.USER:
        facts.append("고침")
    trouble = "" if run.search_failed else md(subtask.failure, 300)  # the head of the run says it once
    led_nowhere = state is SubtaskState.DONE and not live and not is_written(run)
    sign = ":gray[:material/check_circle:]" if led_nowhere else _SIGNS[state]  # no step is green without a report
    below = [f":small[:gray[{' · '.join(facts)}]]", *([f":small[:orange[{trouble}]]"] if trouble else [])]
    return "  \n".join((f"{sign} {md(subtask.text, 300)}", *below))


def _waiting_plan(run: ResearchRun) -> None:
    """Draw the plan that waits for the visitor, one editable line for each part; nothing redraws it by itself."""
    key = f"plan-{run.id}"
    with st.form(f"waiting-plan-{run.id}"):
        origin = f"{ORIGINS[run.plan_origin]}. " if run.plan_origin in ORIGINS else ""
        note = "한 줄에 하나씩, 고치거나 빼거나 더할 수 있어요. 시작하기 전까지는 아무것도 찾지 않아요."
        st.markdown(f":small[:gray[{origin}{note}]]")
        if run.plan_note:
            st.markdown(f":small[:orange[{md(run.plan_note, 300)}]]")
        st.text_area("하위 질문", value="\n".join(part.text for part in run.plan), key=key, height="content")
        with st.container(horizontal=True):
            page, icon = chat_state.research_page(), ":material/travel_explore:"
            start, stop = partial(chat_state.agree_to_plan, run.id, key), partial(page.steer, page.service.cancel, run.id)
            st.form_submit_button("이 계획으로 시작", key=f"agree-run-{run.id}", type="primary", icon=icon, on_click=start)
            st.form_submit_button("그만두기", key=f"give-up-run-{run.id}", type="tertiary", on_click=stop)


_WORDS = re.compile(r"^(?![#>\s]).", re.MULTILINE)
"""The beginning of a line of report text, neither a heading nor the note above the report."""
NO_SITE = "사이트 모름"


def report(run: ResearchRun, *, live: bool) -> None:
    """Draw the report as far as it is written, with linked citation numbers and unsupported sentences marked."""
    notes = [md(run.report_note, 300)] if run.report_note and not run.report.startswith(">") else []  # that report has it
    if run.own_sent is not None:
        notes.append("내 자료도 AI 모델에 보냈어요." if run.own_sent else "내 자료는 AI 모델에 보내지 않았어요.")
    note = f"  \n:small[:gray[{' '.join(notes)}]]" if notes else ""
    if live or says_something(run):
        st.markdown(f"**보고서**{note}")
    box = st.error if run.status is ResearchStatus.FAILED else st.warning  # failures that were overcome only warn
    for korean in dict.fromkeys(failure.korean for failure in run.failures if failure.kind != SEARCH_FAILED):
        box(md(korean, 400), icon=":material/error:")
    if says_something(run):
        markdown, remark = chat_answer.with_sources(run.shown_report, run.unsupported, run.sources)
        with st.container(key=f"report-text-{run.id}"):
            st.markdown(f"{markdown}{remark}")
    elif live:
        st.caption("자료를 모으는 대로 여기에 보고서를 써요.")
        for _ in range(3):
            st.skeleton(height=56)


def says_something(run: ResearchRun) -> bool:
    """Return whether there is report text besides headings and the mark of a stop."""
    return _WORDS.search(run.report.replace(STOPPED_MARKER, "")) is not None


def is_written(run: ResearchRun) -> bool:
    """Return whether there is a report from sources, not just an explanation of why there is none."""
    return bool(run.sources) and says_something(run)


def sources(run: ResearchRun, *, live: bool) -> None:
    """Draw in a fold the sources of *run* by site, the most relevant first; clicking a moment moves the video."""
    if not run.sources:
        return
    from search_core.research.sources import by_domain  # loaded by now: the run came through it

    key, count = f"found-{run.id}", count_sources(len(run.sources), sum(source.own for source in run.sources))
    with st.expander(count, key=key, type="compact", icon=":material/link:", on_change="rerun") as panel:
        if not panel.open:
            return
        if by_words := scored_by_words(run.plan):
            st.caption(by_words)
        for domain, own in by_domain(run.sources).items():
            st.markdown(f":small[**{md(domain, 80) or NO_SITE}** :gray[{len(own)}]]")
            for source in own:
                _source(run, source, live=live)


def _source(run: ResearchRun, source: ResearchSource, *, live: bool) -> None:
    key = f"source-{run.id}-{source.number}"
    with st.container(key=key):
        title, *below = _lines(source)
        if source.url.startswith(own_documents.PREFIX) and not live:  # a part that redraws itself would close the dialog
            label = f"{source.number}\\. :blue[{md(source.title or source.url, 200)}]"
            own_documents.title_button(label, source.url, f"title-{key}")
            st.markdown("  \n".join(below))
        else:
            st.markdown("  \n".join((title, *below)))
        if source.moment is not None:
            quote, start_s = md(source.moment.text, 40), source.moment.start_s
            video_panel.moment_button(start_s, f"moment-{key}", quote=quote, disabled=page_session().video is None)


def _lines(source: ResearchSource) -> list[str]:
    """Return the facts about a source as lines of Markdown, first its number and title."""
    shown = "" if source.own else source.url.split("://", 1)[-1].removeprefix("www.").rstrip("/")
    score = points(source.relevance_score)
    facts = [
        md(shown, 60),
        date_text(source.publish_date),
        f"관련도 {score}" if score is not None else "",
        _reading(source),
    ]
    title = link(clean(source.title, 200) or clean(source.url, 120), source.url)
    lines = [f"{source.number}\\. {title}", f":small[:gray[{' · '.join(filter(None, facts))}]]"]
    return [*lines, f":small[{md(source.snippet, 220)}]"] if source.snippet.strip() else lines


def _reading(source: ResearchSource) -> str:
    if source.reading:
        return "읽는 중…"
    if source.read is None:
        return "요약만 봤어요"
    if source.read:
        return ":green[:material/check_circle: 본문을 읽었어요]"
    from search_core.research.coverage import unread_reason  # loaded by now: the run came through it

    return f":orange[본문은 못 읽었어요 ({unread_reason(source.failure)})]"
