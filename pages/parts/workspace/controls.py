"""The sidebar: controls that rearrange results at once, without a search, and the services for the next question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts.shared import address, frame, services
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import page_session
from pages.parts.workspace import result_labels
from search_core.domain.report import SearchReport
from search_core.domain.result import RankingOptions
from search_core.search.presenting.score_text import points

THRESHOLD_KEY = "threshold"
_SERVICES, _OFF = "services", "off"
"""Keys of the switched-on services, and (also in the address) of those switched off."""
BIN = 5
"""Points that one bar of the histogram covers."""
_MARKS = (":blue[■]", ":violet[■]", ":gray[■]")
"""Signs in the colours of results shown, over the count and below the threshold, in Streamlit's Markdown."""
NO_BREAK = "\u00a0"
_BINS = 100 // BIN
_AXIS = "".join(f'<u style="left: {at}%">{at}</u>' for at in range(0, 101, 20))
SCORER_STATES = {"embedded": "", "loading": " · 의미 모델을 불러오는 중", "ready": " ✓", "failed": " · 의미 모델을 쓰지 못함"}


def fill_in() -> None:
    """Give every control its default or the value in the address; must run before the controls are drawn."""
    state, session = st.session_state, page_session()
    if not session.settings_taken:
        value = session.settings.get(THRESHOLD_KEY, "")
        state[THRESHOLD_KEY] = min(100, int(value)) if value.isdecimal() and len(value) <= 3 else _first_threshold()
        state[_OFF] = set(session.settings.get(_OFF, "").split(",")) & services.core().provider_labels().keys()
    state.setdefault(THRESHOLD_KEY, _first_threshold())
    state.setdefault(_OFF, set())
    session.settings_taken = True


def _first_threshold() -> int:
    return round(services.core().default_options().ranking.threshold * 100)


def ranking() -> RankingOptions:
    """Return the ranking options that the controls stand for."""
    fill_in()
    return replace(services.core().default_options().ranking, threshold=st.session_state[THRESHOLD_KEY] / 100)


def chosen_providers() -> tuple[str, ...] | None:
    """Return the names of the search services that are set up and switched on; None when no one was switched off."""
    fill_in()
    off: set[str] = st.session_state[_OFF]
    able = [provider.name for provider in services.core().providers() if provider.available]
    on = tuple(name for name in able if name not in off)
    return None if len(on) == len(able) else on


def set_threshold(to: int) -> None:
    """Put the threshold at *to* points."""
    st.session_state[THRESHOLD_KEY] = to


def sidebar(report: SearchReport | None) -> None:
    """Draw the controls; called inside the fragment of the results, so that only those are redrawn."""
    fill_in()
    with st.expander("조정", key="tuning", icon=":material/tune:", on_change="rerun") as panel:
        if panel.open:
            tip = "이보다 낮은 결과는 숨겨요. 다시 검색하지 않고 바로 바뀌어요."
            _histogram(report, st.session_state[THRESHOLD_KEY])
            st.slider("관련도 기준", 0, 100, step=1, key=THRESHOLD_KEY, help=tip, persist_state="session")
            result_labels.recommendation(report, set_threshold)
            result_labels.switch()
            _providers()
            state = services.core().scorer()
            words = f"채점: {md(state.label, 60)}{SCORER_STATES.get(state.state, '')}"
            st.caption(words, help=md(state.detail, 300) if state.detail else None)
            if not (state.as_chosen or state.awaited):
                st.caption(md(state.detail, 300))
    threshold, off = st.session_state[THRESHOLD_KEY], st.session_state[_OFF]
    changed = {THRESHOLD_KEY: str(threshold)} if threshold != _first_threshold() else {}
    page_session().settings = changed | ({_OFF: ",".join(sorted(off))} if off else {})
    address.write()


def _providers() -> None:
    report, providers = page_session().report, services.core().providers()
    services_asked = report.options.providers if report is not None else None
    able = {provider.name: md(provider.label, 40) for provider in providers if provider.available}
    on = [name for name in able if name not in st.session_state[_OFF]]
    with st.container(key="asked-services"):
        st.session_state[_SERVICES] = on
        name = able.__getitem__
        st.pills("검색 서비스", list(able), selection_mode="multi", format_func=name, key=_SERVICES, on_change=_switch, wrap=True)
        if report is not None and set(on) != set(services_asked or able):
            st.caption("켜거나 끈 서비스는 다음 검색부터 반영돼요.")


def _switch() -> None:
    """Switch off the services that the visitor unchecked; services that are not set up stay as they are."""
    state = st.session_state
    able = {provider.name for provider in services.core().providers() if provider.available}
    state[_OFF] = (state[_OFF] - able) | (able - set(state[_SERVICES]))


def _histogram(report: SearchReport | None, threshold: int) -> None:
    """Draw how many results of *report* have which score, in stacked groups, with a line at *threshold* points."""
    groups = _groups(report)
    count = sum(len(scores) for _, scores in groups)
    if not count:
        return
    names = [f"{name} {len(scores)}" for name, scores in groups]
    words = f"이번 검색 결과 {count}건의 점수 분포. 기준은 {threshold}점. {', '.join(names)}."
    with st.container(key="histogram-place"):
        # Elements of our own: a chart of Vega-Lite is compiled anew for each threshold, which takes longer than all the rest.
        st.html(
            f'<div class="histogram" role="graphics-document" aria-label="{words}">{"".join(_bars(groups))}'
            f'<hr style="left: {threshold}%">{_AXIS}</div>'
        )
        # The line moves while the threshold is dragged: the server learns of it when the visitor lets go.
        frame.add_script("threshold.js", key="histogram-script")
        st.caption(" ".join(f"{mark} {name}".replace(" ", NO_BREAK) for mark, name in zip(_MARKS, names, strict=True)))


def _bars(groups: Sequence[tuple[str, Sequence[int]]]) -> Iterator[str]:
    """Yield the parts of all bars as HTML, stacked in the order of *groups*, each with a description of its whole bar."""
    counts = [Counter(min(_BINS - 1, score // BIN) for score in scores) for _, scores in groups]
    highest = max(sum(count[place] for count in counts) for place in range(_BINS))
    for place in range(_BINS):
        last = 100 if place == _BINS - 1 else (place + 1) * BIN - 1
        here = ", ".join(f"{name} {count[place]}" for (name, _), count in zip(groups, counts, strict=True) if count[place])
        words = f"점수 {place * BIN}–{last}, 결과 {here}"
        under = 0.0
        for number, count in enumerate(counts):
            if count[place]:
                height = count[place] / highest
                style = f"--left: {place * BIN}%; --under: {under:.3f}; --height: {height:.3f}"
                yield f'<i class="group-{number}" role="graphics-symbol" aria-label="{words}" style="{style}"></i>'
                under += height


def _groups(report: SearchReport | None) -> list[tuple[str, list[int]]]:
    if report is None:
        return []
    groups = {"보임": report.results, "개수 제한으로 제외": report.hidden_over_count, "기준 미달": report.hidden_below}
    scores = {name: [points(result.relevance_score) for result in results] for name, results in groups.items()}
    return [(name, [score for score in found if score is not None]) for name, found in scores.items()]
