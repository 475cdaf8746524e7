"""One check of a video: its progress, a bar of the video with a mark for each claim, and the result of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from pages.parts.claims import claims_state
from pages.parts.shared import evidence, run_page
from pages.parts.shared.buttons import button, quiet
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.evidence import KINDS
from pages.parts.shared.page_session import page_session
from pages.parts.shared.visitor import owner
from pages.parts.workspace import chat_state, video_panel
from pages.parts.workspace.video_panel import moment_button
from search_core.domain.claim import Claim, ClaimCheck, ClaimsRun, ClaimState, Settlement
from search_core.domain.research import SEARCH_FAILED
from search_core.domain.stance import NEAREST, Stance
from search_core.domain.video import VideoContext
from search_core.language.dates import clock
from search_core.search.presenting import claim_text
from search_core.search.presenting.claim_text import Evidence, heard_badly
from search_core.search.presenting.dates import korean_date
from search_core.search.presenting.wording import UNCERTAIN

POLL_S = 0.7
MAX_MOMENTS = 6
QUOTE_CHARS = 260
_ORDER = ("contradicts", "own_contradicts", "changed", "own_changed", "agree", "own_agree", "adds")
_RANKS = {kind: place for place, kind in enumerate((*_ORDER, *(kind for kind in KINDS if kind not in _ORDER)))}
"""Order of the cards by verdict: denied claims first, then supported ones."""
WAYS_ON = {"ask": "영상과 웹에 묻기", "research": "깊이 조사"}
SETTLES: dict[str, Settlement | None] = {each.value: each for each in Settlement} | {"unsettled": None}
AWAY = ":orange[:material/cloud_off:] 웹을 검색하지 못했어요. 네트워크 연결과 검색 서비스 설정을 확인하고 이어서 확인해 주세요."


def view(run: ClaimsRun) -> None:
    """Draw the run that is open, and keep drawing it until it has ended."""
    page = claims_state.claims_page()
    page.announce_end("영상 확인이 끝났어요.", under_way=not run.status.ended)
    with st.container(horizontal=True, key="claims-tools"):
        quiet("다른 주장 확인", page.leave, key="new-claims", icon="add")
        run_page.run_tools(page, run)
    with st.container(key="claims-page"):
        if run.status.ended:
            _end(run)
            st.fragment(_draw, key=FRAGMENT)(run)
            with st.container(key="claims-after"):
                rules_alone = claim_text.RULES_ALONE if run.judged_by_rules_alone else ""
                st.caption(f"{claim_text.WHAT_IT_MEANS} {rules_alone}".rstrip())
                run_page.coverage_fold("claims-coverage", run.coverage)
        else:
            run_page.watch(page, run, _draw_live, every_s=POLL_S, key=FRAGMENT)


def _draw_live(run: ClaimsRun) -> None:
    page = claims_state.claims_page()
    finishing = page.finishing == run.id
    done = sum(check.state in (ClaimState.CHECKED, ClaimState.FAILED) for check in run.checks)
    facts = (f"{len(run.checks)}개 중 {done}개 확인", run_page.elapsed(run))
    words = run_page.doing(run, facts, "하고 있는 것만 마치고 있어요." if finishing else "")
    with run_page.status(page, words):
        run_page.end_buttons(page, run, may_finish=not finishing)
    _draw(run)


def _draw(run: ClaimsRun) -> None:
    with st.container(key="timeline-place"):
        timeline(run)
    with st.container(key="claims-cards"):
        for check in sorted(run.checks, key=lambda check: _RANKS[kind_of(check)]):
            with st.container(border=True, key=f"claim-{check.claim.number}"):
                _card(run, check)
    page = claims_state.claims_page()
    st.container(key=f"opened-{page.opened}-{page.opens}").html("<div></div>")  # the new name tells the page's script


def _end(run: ClaimsRun) -> None:
    page, end = claims_state.claims_page(), AWAY if _web_was_away(run) else run_page.ending(run)
    counts = Counter(map(kind_of, run.checks))
    counts_text = " · ".join(f"{kind.word} {counts[name]}" for name, kind in KINDS.items() if counts[name])
    summary = f"**{len(run.checks)}개 중 {counts_text}**"
    facts = filter(None, (end, korean_date(run.created_at), claim_text.settled_text(run.checks)))
    with run_page.status(page, run_page.with_facts(summary, facts)) as box:
        if any(check.state is not ClaimState.CHECKED for check in run.checks):
            resume_tip = "이미 확인한 것은 그대로 두고, 남은 것부터 확인해요."
            run_page.resume_button(page, run, "이어서 확인", resume_tip, icon="play_arrow", type="primary")
        tip = "같은 주장을 처음부터 다시 확인해요."
        button("다시 확인", claims_state.again, run, key="claims-again", icon="refresh", tip=tip)
    with box:
        for korean in dict.fromkeys(failure.korean for failure in run.failures if failure.kind != SEARCH_FAILED):
            st.warning(md(korean, 400), icon=":material/error:")


def _web_was_away(run: ClaimsRun) -> bool:
    return any(failure.kind == SEARCH_FAILED for failure in run.failures)


def _card(run: ClaimsRun, check: ClaimCheck) -> None:
    groups, number = claim_text.evidence_of(check.rows, check.sources, check.verdict), check.claim.number
    web, speakers, own = groups.web, groups.speakers, groups.own
    shown = evidence.choose_strongest(web, check.verdict) or evidence.choose_strongest(own, check.own_verdict)
    st.markdown(_head(run, check, shown))
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-claim-{number}"):
        _moments(check, 0, 1)
        _go_on(run, check)
    if check.state is ClaimState.WAITING and not run.status.ended:
        return
    folded = _folded(check, *([item for item in kind if item not in shown] for kind in (web, speakers, own)))
    if shown or folded:
        own_label = f"내 자료 {len({item.source.url for item in own})}건" if own else run_page.COVERAGE
        label = evidence.fold_label((), [*web, *speakers]) or own_label
        key = rows_key(run.id, number)
        with st.expander(label, key=key, type="compact", icon=":material/compare_arrows:", on_change="rerun") as panel:
            if panel.open:
                if shown:
                    evidence.pair(f"claim-{number}", _said(check), shown, head=md(check.why, 400))
                st.markdown(folded)
                with st.container(horizontal=True, vertical_alignment="center"):
                    _moments(check, 1, MAX_MOMENTS)
                    evidence.judges(f"claim-{number}", [*web, *speakers, *own])


def _moments(check: ClaimCheck, first: int, last: int) -> None:
    for place, moment in enumerate(check.claim.places[first:last], start=first):
        moment_button(moment.start_s, f"at-claim-{check.claim.number}-{place}", disabled=page_session().video is None)


def _head(run: ClaimsRun, check: ClaimCheck, shown: Sequence[Evidence]) -> str:
    """Return as Markdown the open part of a card: the verdict, the claim, its strongest sources and how many there are."""
    badge, doubt = KINDS[kind_of(check)].badge, doubt_mark(check.claim, run.request.video)
    lines, spoken = [f"{badge} **{md(check.claim.text, 500)}** {doubt}".rstrip()], _said(check)
    if not shown and clean(spoken) != clean(check.claim.text):
        lines.append(f":small[:gray[영상] “{md(spoken, QUOTE_CHARS)}”]")
    lines += [f":small[:gray[{NEAREST}]]"] if shown and shown[0].row.stance is Stance.CANNOT_TELL else []
    for item in shown:
        if item.row.stance is not check.verdict and item.row.stance is not check.own_verdict:
            kind = KINDS[item.row.stance]
            lines.append(f":{kind.colour}[{kind.icon}] {evidence.line(spoken, item)}")
        elif item is shown[0] or check.verdict is Stance.CANNOT_TELL:
            lines.append(evidence.line(spoken, item))
    failure = check.failure
    if check.state is ClaimState.FAILED:
        failure = "" if _web_was_away(run) else "웹에는 물어보지 못했어요."  # the head of the page says so
    rests = [claim_text.independence_text(check), "" if shown else check.why, failure, claim_text.own_verdict_text(check)]
    facts = [md(text, 400) for text in rests if text.strip()]
    if facts:
        lines.append(f":small[:gray[{' · '.join(facts)}]]")
    if check.settled is not None:
        lines.append(f":small[:material/how_to_reg: {claim_text.SETTLED}: **{check.settled.label}**]")
    return "  \n".join(lines)


def _said(check: ClaimCheck) -> str:
    return next((moment.quote for moment in check.claim.moments if moment.quote.strip()), check.claim.text)


def _folded(check: ClaimCheck, web: list[Evidence], speakers: list[Evidence], own: list[Evidence]) -> str:
    """Return as Markdown the other sources of a claim and the words that were searched for."""
    name = claim_text.own_name(source for source in check.sources if source.own)
    titles = ("", "독립된 출처로 세지 않은 글", f"{name}에서 (웹이 아니에요)")
    parts = []
    for title, items in zip(titles, (web, speakers, own), strict=True):
        if items:
            parts += [f":small[**{title}**]"] if title else []
            parts.append(evidence.others_markdown(items))
    searched = [f"검색어 “{md(check.query, 300)}”"] if check.query else []
    failure = check.failure if check.state is ClaimState.FAILED and not check.services else ""
    searched += [md(sentence, 400) for sentence in (*check.services, failure) if sentence]
    parts.append("  \n".join(f":small[:gray[{line}]]" for line in searched))
    return "\n\n".join(filter(None, parts))


def _go_on(run: ClaimsRun, check: ClaimCheck) -> None:
    seen = check.state in (ClaimState.CHECKED, ClaimState.FAILED)
    settles = [name for name, settled in SETTLES.items() if seen and settled is not check.settled]
    label, key, icon = f"더 알아보기 · {claim_text.SETTLED}", f"go-on-{check.claim.number}", ":material/arrow_outward:"
    picked = st.menu_button(label, [*WAYS_ON, *settles], format_func=_way_on, key=key, type="tertiary", icon=icon)
    if picked is None:
        return
    session, page = page_session(), claims_state.claims_page()
    if picked in SETTLES:
        page.attempt(lambda: page.service.settle(run.id, owner(), check.claim.number, SETTLES[picked]))
    elif picked == "research":
        chat_state.chat_page().research, session.tab = True, ""
        session.draft = f"“{check.claim.text}” 이 주장이 맞는지 여러 자료로 알아봐 주세요."
    else:
        session.handed_over, session.tab = check.claim.text, ""
    st.rerun()


def _way_on(name: str) -> str:
    if name in WAYS_ON:
        return WAYS_ON[name]
    settled = SETTLES[name]
    return f"{claim_text.SETTLED}: {settled.label}" if settled is not None else f"{claim_text.SETTLED} 지우기"


FRAGMENT = "claims-run"
WIDE_PERCENT, NARROW_PERCENT = 3.6, 9.0
"""Width of a mark in percent of the bar, on a desktop and on a phone; marks that would overlap are stacked."""
LANE_REM = 2.1
TEXT_CHARS = 90
MAX_MARKS = 6
"""Marks of one claim; further moments are given as a number."""


def kind_of(check: ClaimCheck) -> str:
    """Return the kind of a check, a key of ``KINDS``."""
    if check.verdict is not None:
        return check.verdict.value
    if check.state in (ClaimState.SEARCHING, ClaimState.READING):
        return "going"
    if check.own_verdict is not None:
        return f"own_{check.own_verdict}"
    return check.state.value if check.state in KINDS else "waiting"


def doubt_mark(claim: Claim, video: VideoContext | None) -> str:
    """Return as Markdown a warning that *claim* may have been heard wrongly; empty where speech recognition was certain."""
    return f":orange[:small[{UNCERTAIN}]]" if video is not None and heard_badly(claim.moments, video) else ""


def timeline(run: ClaimsRun) -> None:
    """Draw marks over the length of the video of *run*, one for each time a claim is made.

    Nothing is drawn for a text without times.
    """
    length = length_of(run.request.video, run.checks)
    if not length:
        return
    marks = ((check, place) for check in run.checks for place in range(len(check.claim.places[:MAX_MARKS])))
    placed = sorted(marks, key=lambda mark: mark[0].claim.places[mark[1]].start_s)
    with st.container(key="claims-timeline"):
        st.markdown("## 타임라인", anchors=False)
        if placed:
            starts = [check.claim.places[place].start_s / length * 100 for check, place in placed]
            keys = [f"mark-{kind_of(check)}-{check.claim.number}{f'-{place}' if place else ''}" for check, place in placed]
            with st.container(key="timeline-places"):
                st.html(f"<style>{places_css(keys, starts)}</style><div></div>")
            with st.container(key="timeline-marks"):
                for (check, place), key in zip(placed, keys, strict=True):
                    _mark(run, check, place, key)
            with st.container(horizontal=True, horizontal_alignment="distribute", key="timeline-ends"):
                for at_s in (0.0, length / 2, length):
                    st.caption(clock(at_s), width="content")
            st.caption("표시를 누르면 영상이 그 장면으로 가고, 아래에 근거가 펼쳐져요.")


def length_of(video: VideoContext, checks: Sequence[ClaimCheck]) -> float:
    """Return the length of *video* in seconds, or else the time of its last words or its last claim."""
    spoken = [segment.end_s for segment in video.transcript[-1:]]
    claimed = [moment.end_s for check in checks for moment in check.claim.places]
    return max(video.duration_s or 0.0, *spoken, *claimed, 0.0)


def places_css(keys: Sequence[str], starts: Sequence[float]) -> str:
    """Return CSS that places the marks of these *keys* at *starts*, in percent of the bar; no foreign text enters it."""
    rules = [f".st-key-{key}{{left:{min(start, 100.0):.2f}%}}" for key, start in zip(keys, starts, strict=True)]
    for around, width in (("{}", WIDE_PERCENT), ("@media(max-width:640px){{{}}}", NARROW_PERCENT)):
        lanes = lanes_of(starts, width)
        stacked = [f".st-key-{key}{{bottom:{lane * LANE_REM:.1f}rem}}" for key, lane in zip(keys, lanes, strict=True)]
        stacked += [f".st-key-timeline-marks{{min-height:{(max(lanes, default=0) + 1) * LANE_REM + 0.9:.1f}rem}}"]
        rules.append(around.format("".join(stacked)))
    return "".join(rules)


def lanes_of(starts: Sequence[float], width: float) -> list[int]:
    """Return the lane of each mark, from 0: the lowest without an overlap. *starts* and *width* are in percent."""
    ends: list[float] = []
    lanes = dict.fromkeys(range(len(starts)), 0)
    for place in sorted(range(len(starts)), key=starts.__getitem__):
        lane = next((lane for lane, end in enumerate(ends) if end <= starts[place]), len(ends))
        ends[lane : lane + 1] = [starts[place] + width]
        lanes[place] = lane
    return list(lanes.values())


def _mark(run: ClaimsRun, check: ClaimCheck, place: int, key: str) -> None:
    kind, start_s = KINDS[kind_of(check)], check.claim.places[place].start_s
    label = f"{clock(start_s)} {kind.word}: {md(check.claim.text, TEXT_CHARS)}"
    if len(check.claim.places) > 1:
        label += f" (장면 {len(check.claim.places)}곳 중 {place + 1}번째)"
    arguments = (run.id, check.claim.number, start_s)
    st.button(label, key=key, icon=kind.icon, type="tertiary", help=label, on_click=_open_claim, args=arguments)


def _open_claim(run_id: str, number: int, start_s: float) -> None:
    """Open a claim and move the video to its moment; for ``on_click``, redraws only the run and the video."""
    page = claims_state.claims_page()
    page.opened, page.opens = number, page.opens + 1
    st.session_state[rows_key(run_id, number)] = True
    redrawn = [FRAGMENT]
    if page_session().video is not None:
        page_session().go_to(start_s, follow=False)  # who opens a claim wants to read it: the page goes there instead
        redrawn.append(video_panel.FRAGMENT)
    st.rerun(redrawn)


def rows_key(run_id: str, number: int) -> str:
    """Return the key of the fold with a claim's sources."""
    return f"rows-{run_id}-{number}"
