"""Where in the video claims are made: a bar with a mark for each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import claims_state, video_panel
from pages.parts.escaping import md
from pages.parts.evidence import KINDS, Kind
from pages.parts.page_session import page_session
from search_core.domain.claim import Claim, ClaimCheck, ClaimsRun, ClaimState
from search_core.domain.video import VideoContext
from search_core.presenting import UNCERTAIN
from search_core.presenting.claim_text import heard_badly
from search_core.text.video_time import clock

FRAGMENT = "claims-run"
WIDE_PERCENT, NARROW_PERCENT = 3.6, 9.0
"""Share of the bar that a mark takes beside the video, and on a phone; nearer marks are stacked."""
LANE_REM = 2.1
TEXT_CHARS = 90
MAX_MARKS = 6
"""Marks of one claim; further moments are given as a number."""


def kind_of(check: ClaimCheck) -> str:
    """Return the kind of a check, as ``claims_labels`` names them."""
    if check.verdict is not None:
        return check.verdict.value
    if check.state in (ClaimState.SEARCHING, ClaimState.READING):
        return "going"
    if check.own_verdict is not None:
        return f"own_{check.own_verdict}"
    return check.state.value if check.state in KINDS else "waiting"


def mark_of(check: ClaimCheck) -> Kind:
    """Return the mark of a check."""
    return KINDS[kind_of(check)]


def doubt(claim: Claim, video: VideoContext | None) -> str:
    """Return as Markdown a word for a claim from uncertain speech recognition; empty for others."""
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
    """Return CSS for the marks with these *keys*, at *starts* in percent of the bar; it holds only numbers and our own keys."""
    rules = [f".st-key-{key}{{left:{min(start, 100.0):.2f}%}}" for key, start in zip(keys, starts, strict=True)]
    for around, width in (("{}", WIDE_PERCENT), ("@media(max-width:640px){{{}}}", NARROW_PERCENT)):
        lanes = lanes_of(starts, width)
        stacked = [f".st-key-{key}{{bottom:{lane * LANE_REM:.1f}rem}}" for key, lane in zip(keys, lanes, strict=True)]
        stacked += [f".st-key-timeline-marks{{min-height:{(max(lanes, default=0) + 1) * LANE_REM + 0.9:.1f}rem}}"]
        rules.append(around.format("".join(stacked)))
    return "".join(rules)


def lanes_of(starts: Sequence[float], width: float) -> list[int]:
    """Return the lane of each mark, from 0: the lowest one where it covers no other; *starts* and *width* are percentages."""
    ends: list[float] = []
    lanes = dict.fromkeys(range(len(starts)), 0)
    for place in sorted(range(len(starts)), key=starts.__getitem__):
        lane = next((lane for lane, end in enumerate(ends) if end <= starts[place]), len(ends))
        ends[lane : lane + 1] = [starts[place] + width]
        lanes[place] = lane
    return list(lanes.values())


def _mark(run: ClaimsRun, check: ClaimCheck, place: int, key: str) -> None:
    kind, start_s = mark_of(check), check.claim.places[place].start_s
    label = f"{clock(start_s)} {kind.word}: {md(check.claim.text, TEXT_CHARS)}"
    if len(check.claim.places) > 1:
        label += f" (장면 {len(check.claim.places)}곳 중 {place + 1}번째)"
    given = (run.id, check.claim.number, start_s)
    st.button(label, key=key, icon=kind.icon, type="tertiary", help=label, on_click=_open_claim, args=given)


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
