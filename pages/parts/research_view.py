"""A run of research as a card: progress, plan, report, sources; redraws itself until it ends."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.parts import research_report, research_state, run_page
from pages.parts.buttons import button
from pages.parts.escaping import md
from search_core.domain.research import PlanOrigin, ResearchRun, ResearchStatus, Subtask, SubtaskState
from search_core.presenting import korean_date
from search_core.presenting.wording import count_sources

POLL_S = 0.5
POLL_PLAN_S = 2.0
"""A plan that waits changes only when it is agreed to in another tab."""
NAMED_DOMAINS = 3
BADGE = ":violet-badge[:material/travel_explore: 깊이 조사]"
ENDED = "조사가 끝났어요."
_SIGNS = {
    SubtaskState.WAITING: ":gray[:material/radio_button_unchecked:]",
    SubtaskState.SEARCHING: ":blue[:material/progress_activity:]",
    SubtaskState.DONE: ":green[:material/check_circle:]",
    SubtaskState.FAILED: ":orange[:material/error:]",
    SubtaskState.LEFT_OUT: ":gray[:material/remove_circle_outline:]",
}
_LED_NOWHERE = ":gray[:material/check_circle:]"
"""Sign of the steps of a run that ended without a report; none of them is green."""
ENDS = {
    ResearchStatus.COMPLETE: ":green[:material/check_circle:] 조사를 마쳤어요",
    ResearchStatus.FINISHED_EARLY: ":green[:material/task_alt:] 지금까지 찾은 자료로 마무리했어요",
    ResearchStatus.STOPPED: ":orange[:material/stop_circle:] 조사를 멈췄어요. 여기까지의 내용은 남겨 두었어요",
    ResearchStatus.FAILED: ":red[:material/error:] 조사를 끝까지 하지 못했어요",
}
SEARCH_FAILED = (
    ":orange[:material/cloud_off:] **웹을 검색하지 못했어요.** 네트워크 연결과 검색 서비스 설정을 확인하고 다시 조사해 주세요."
)
SEARCH_AGAIN_HELP = "세운 계획 그대로 웹에서 다시 찾아요."
AGAIN, AGAIN_HELP = "다시 조사", "같은 질문을 처음부터 다시 조사해요."
RESUME, RESUME_HELP = "이어서 조사", "이미 찾고 읽은 것은 다시 하지 않고, 남은 것부터 조사해요."
PLANNING = "계획을 세우고 있어요…"
ORIGINS = {PlanOrigin.MODEL: "AI가 질문을 나눴어요", PlanOrigin.USER: "직접 정한 계획이에요"}
STEPS = {
    SubtaskState.WAITING: "대기 중",
    SubtaskState.SEARCHING: "찾는 중…",
    SubtaskState.FAILED: "검색하지 못했어요",
    SubtaskState.LEFT_OUT: "조사하지 못했어요",
}
AGREE, GIVE_UP, AGREE_TITLE = "이 계획으로 시작", "그만두기", "이렇게 나눠서 조사할까요?"
AGREE_NOTE = "한 줄에 하나씩, 고치거나 빼거나 더할 수 있어요. 시작하기 전까지는 아무것도 찾지 않아요."


def view(run: ResearchRun) -> None:
    """Draw a run outside of conversations, under its question."""
    st.markdown(f"## {md(run.request.question, 500)}", anchors=False)
    research_state.research_page().announce_end(ENDED, under_way=not run.status.ended)
    with st.container(key="chat"), st.container(key=f"say-research-{run.id}"):
        card(run)


def card(run: ResearchRun) -> None:
    """Draw *run*, redrawn until it ends; one waiting for agreement to its plan is only polled."""
    waits = run.status is ResearchStatus.PLANNED
    if waits:
        st.markdown(f"{BADGE} **:blue[:material/checklist:] {AGREE_TITLE}**")
        _waiting_plan(run)
    every_s = POLL_PLAN_S if waits else POLL_S
    run_page.watch(research_state.research_page(), run, (lambda _: None) if waits else _draw, every_s=every_s)


def _draw(run: ResearchRun) -> None:
    live, written = not run.status.ended, research_report.is_written(run)
    with st.container(horizontal=True, vertical_alignment="center", key=f"research-head-{run.id}"):
        with st.container(width="stretch", key=f"now-{run.id}"):
            st.markdown(f"{BADGE} {doing(run) if live else ending(run)}")
        _buttons(run)
    left = [f"{part.number}. {md(part.text, 120)}" for part in run.plan if part.number in run.unanswered]
    if left and written and not live:
        st.markdown(f":small[:orange[답하지 못한 부분: {' / '.join(left)}]]")
    if run.plan or live:
        label = f"생각의 과정 · 하위 질문 {len(run.plan)}개" if run.plan else PLANNING
        unfolded = live or not (written or run.search_failed)
        with st.expander(
            label, key=f"thoughts-{run.id}-{unfolded}", type="compact", icon=":material/account_tree:", expanded=unfolded
        ):
            st.markdown(steps(run, live=live))
    research_report.report(run, live=live)
    research_report.sources(run, live=live)
    if run.coverage:
        with st.expander(research_report.COVERAGE, key=f"coverage-{run.id}", type="compact", icon=":material/fact_check:"):
            st.markdown(research_report.coverage(run))


def _buttons(run: ResearchRun) -> None:
    page = research_state.research_page()
    if not run.status.ended:
        run_page.end_buttons(page, run, may_finish=run.status is not ResearchStatus.WRITING)
        return
    if run.search_failed:
        run_page.resume_button(page, run, AGAIN, SEARCH_AGAIN_HELP, icon="refresh")
    else:
        if run.status is not ResearchStatus.COMPLETE:
            run_page.resume_button(page, run, RESUME, RESUME_HELP, icon="play_arrow")
        button(AGAIN, research_state.again, run, key=f"again-run-{run.id}", icon="refresh", tip=AGAIN_HELP)
    run_page.run_tools(page, run)


def doing(run: ResearchRun) -> str:
    """Return as Markdown what a run does, for how long, and what it has found."""
    return run_page.doing(run, (run_page.elapsed(run), *_found(run)))


def ending(run: ResearchRun) -> str:
    """Return as Markdown how a run ended and what it found, own documents counted apart."""
    own = sum(source.own for source in run.sources)
    facts = [korean_date(run.created_at), count_sources(len(run.sources), own)]
    if run.search_failed:
        return run_page.with_facts(SEARCH_FAILED, facts)
    end = ENDS[run.status]
    if run.status is ResearchStatus.FINISHED_EARLY and not run.sources:
        end = ":orange[:material/task_alt:] 자료를 찾기 전에 마무리했어요"
    elif run.status is ResearchStatus.STOPPED and not research_report.is_written(run):
        end = ":orange[:material/stop_circle:] 조사를 멈췄어요. 보고서는 아직 쓰지 않았어요"
    return run_page.with_facts(f"**{end}**", facts)


def _found(run: ResearchRun) -> list[str]:
    """Return how many sources of how many sites there are so far, how many own documents, and how many pages were read."""
    own = sum(source.own for source in run.sources) if run.sources else run.count - sum(run.domains.values())
    web = [count_sources(run.count - own, 0)] if run.count > own or not own else []
    read = sum(source.read is True for source in run.sources)
    found = [*web, spread(run.domains) if run.domains else "", count_sources(own, own) if own else ""]
    return list(filter(None, [*found, f"본문 {read}개 읽음" if read else ""]))


def spread(domains: Mapping[str, int]) -> str:
    """Return as Markdown over how many sites the sources are spread, the first few named."""
    first = list(domains.items())[:NAMED_DOMAINS]
    named = ", ".join(f"{md(domain or research_report.NO_SITE, 40)} {count}" for domain, count in first)
    more = " 외" if len(domains) > NAMED_DOMAINS else ""
    return f"사이트 {len(domains)}곳 ({named + more})"


def steps(run: ResearchRun, *, live: bool) -> str:
    """Return the plan as Markdown, one paragraph for each part, without buttons."""
    steps = (_heading(run, live=live), *(_subtask(run, subtask, live=live) for subtask in run.plan))
    return "\n\n".join(filter(None, steps))


def _heading(run: ResearchRun, *, live: bool) -> str:
    """Return the title (unless the fold shows it), who made the plan and, if no model did, why."""
    lines = ["**계획**"] if live else []
    if run.plan_origin in ORIGINS:
        lines.append(f":small[:gray[{ORIGINS[run.plan_origin]}]]")
    if run.plan_note:
        lines.append(f":small[:orange[{md(run.plan_note, 300)}]]")
    return "  \n".join(lines)


def _subtask(run: ResearchRun, subtask: Subtask, *, live: bool) -> str:
    over = not live and subtask.state in (SubtaskState.WAITING, SubtaskState.SEARCHING)
    state = SubtaskState.LEFT_OUT if over else subtask.state
    found = [count_sources(subtask.found, subtask.own)] if subtask.found else []
    if state is SubtaskState.DONE:
        read = sum(source.read is True for source in run.sources if subtask.number in source.subtasks)
        facts = found or ([] if subtask.failure else ["찾은 것이 없어요"])
        facts += [f"본문 {read}개 읽음"] if read else []
    else:
        facts = [STEPS[state], *(found if state is SubtaskState.FAILED else [])]
    if subtask.origin is PlanOrigin.USER and run.plan_origin is not PlanOrigin.USER:
        facts.append("고침")
    trouble = "" if run.search_failed else md(subtask.failure, 300)  # the head of the run says it once
    led_nowhere = state is SubtaskState.DONE and not live and not research_report.is_written(run)
    sign = _LED_NOWHERE if led_nowhere else _SIGNS[state]
    below = [f":small[:gray[{' · '.join(facts)}]]", *([f":small[:orange[{trouble}]]"] if trouble else [])]
    return "  \n".join((f"{sign} {md(subtask.text, 300)}", *below))


def _waiting_plan(run: ResearchRun) -> None:
    """Draw the plan that waits for the visitor, one editable line for each part; nothing redraws it by itself."""
    key = f"plan-{run.id}"
    with st.form(f"waiting-plan-{run.id}"):
        origin = f"{ORIGINS[run.plan_origin]}. " if run.plan_origin in ORIGINS else ""
        st.markdown(f":small[:gray[{origin}{AGREE_NOTE}]]")
        if run.plan_note:
            st.markdown(f":small[:orange[{md(run.plan_note, 300)}]]")
        st.text_area("하위 질문", value="\n".join(part.text for part in run.plan), key=key, height="content")
        with st.container(horizontal=True):
            page, start, icon = research_state.research_page(), f"agree-run-{run.id}", ":material/travel_explore:"
            st.form_submit_button(AGREE, key=start, type="primary", icon=icon, on_click=research_state.agree, args=(run.id, key))
            stop = partial(page.steer, page.service.cancel, run.id)
            st.form_submit_button(GIVE_UP, key=f"give-up-run-{run.id}", type="tertiary", on_click=stop)
