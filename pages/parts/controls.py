"""The sidebar: what places results anew at once, without searching, and who is asked next time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.parts import address, export, frame, own_documents, result_labels, services
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.scorer import scorer
from pages.parts.visitor import owner
from search_core.domain import AVERAGED, SCALING, RankingOptions, RankingWeights, SearchReport, SearchResult
from search_core.errors import MaekrakError
from search_core.presenting import PART_NAMES, points

THRESHOLD_KEY, ENTITY_KEY, COUNT_KEY = "threshold", "entity-first", "result-count"
_PROVIDER = "ask-"
COUNTS = (5, 10, 20, 30, 50)
_WEIGHTS = (*AVERAGED, *SCALING)
_OFF = "off"
"""Names in the address the services that are switched off."""
BIN = 5
"""Points one bar covers."""
_MARKS = (":blue[■]", ":violet[■]", ":gray[■]")
"""What the colours of results shown, over the count and below the threshold mean, in Streamlit's words."""
NO_BREAK = "\u00a0"
_BINS = 100 // BIN
_AXIS = "".join(f'<u style="left: {at}%">{at}</u>' for at in range(0, 101, 20))
CHOICE_KEY = "profile"
TUNING_KEY, _TUNING_OPEN = "tuning", "tuning-open"
PROFILES = "설정 프로필"
PROFILE_NONE = "직접 맞춘 설정"
THRESHOLD_HELP = "이보다 낮은 결과는 숨겨요. 다시 검색하지 않고 바로 바뀌어요."
HISTOGRAM_ALT = "이번 검색 결과 {count}건의 점수 분포. 기준은 {threshold}점. {groups}."
ENTITY_FIRST_HELP = "영상의 인물·기업·행사가 나온 결과를 앞에 놓아요. 점수는 그대로예요."
RESULT_COUNT_HELP = "기준을 넘은 결과를 이만큼까지 보여줘요. 나머지는 숨긴 결과에 있어요."
WEIGHT_NAMES = {"recency": "최신 가중"}
"""Labels of the sliders whose name differs from the part's."""
WEIGHT_HELP = {
    "semantic_question": "질문과 뜻이 가까운 결과일수록 점수를 높여요.",
    "semantic_video": "영상에서 하는 이야기와 뜻이 가까운 결과일수록 점수를 높여요.",
    "lexical": "질문의 낱말이 많이 들어 있는 결과일수록 점수를 높여요.",
    "entity": "영상의 인물·기업·행사가 나오는 결과의 점수를 높여요.",
    "agreement": "검색 서비스들이 위쪽에 보여준 결과는 점수를 높이고, 아래쪽 결과는 낮춰요.",
    "recency": "최근에 나온 결과는 점수를 높이고, 오래된 결과는 낮춰요. 날짜를 모르는 결과는 그대로예요.",
}


def _weight_key(name: str) -> str:
    return f"weight-{name}"


def _provider_key(name: str) -> str:
    return f"{_PROVIDER}{name}"


def fill_in() -> None:
    """Give every control its first value; must run before the controls are drawn."""
    state, session = st.session_state, page_session()
    stated = session.settings if not session.settings_taken else None
    for key, first in _first_values().items():
        if stated is not None:
            state[key] = _stated_value(key, first, stated)
        else:
            state.setdefault(key, first)
    if stated is not None:
        state[_TUNING_OPEN] = TUNING_KEY in stated
    session.settings_taken = True


def _first_values() -> dict[str, int | bool]:
    values = _positions(services.core().default_options().ranking)
    for name in services.core().provider_labels():
        values[_provider_key(name)] = True  # also the library that is still being filled
    return values


def _stated_value(key: str, first: int | bool, stated: Mapping[str, str]) -> int | bool:
    """Return how the address wants a control to stand; as at first where it says nothing that can be used."""
    if key.startswith(_PROVIDER):
        return key.removeprefix(_PROVIDER) not in stated.get(_OFF, "").split(",")
    value = stated.get(key, "")
    if not value.isdecimal() or len(value) > 3:
        return first
    if key == ENTITY_KEY:
        return value != "0"
    if key == COUNT_KEY:
        return min(COUNTS, key=lambda count: abs(count - int(value)))
    return min(100, int(value))


def _changed_controls() -> dict[str, str]:
    """Return the controls that do not stand as at first, as the address names them."""
    first = _first_values()
    changed = {key: str(int(st.session_state[key])) for key, value in first.items() if st.session_state[key] != value}
    off = [key.removeprefix(_PROVIDER) for key in changed if key.startswith(_PROVIDER)]
    others = {key: value for key, value in changed.items() if not key.startswith(_PROVIDER)}
    return {**others, _OFF: ",".join(off)} if off else others


def ranking() -> RankingOptions:
    """Return how results are to be placed, as the controls stand."""
    fill_in()
    state = st.session_state
    weights = {name: state[_weight_key(name)] / 100 for name in _WEIGHTS}
    return RankingOptions(
        threshold=state[THRESHOLD_KEY] / 100,
        entity_first=state[ENTITY_KEY],
        max_results=state[COUNT_KEY],
        weights=RankingWeights(**weights),
    )


def chosen_providers() -> tuple[str, ...] | None:
    """Return the names of the search services that are set up and switched on; None when no one was switched off."""
    off = _excluded_providers()
    able = [provider.name for provider in services.core().providers() if provider.available]
    on = tuple(name for name in able if name not in off)
    return None if len(on) == len(able) else on


def _excluded_providers() -> set[str]:
    fill_in()
    return {name for name in services.core().provider_labels() if not st.session_state[_provider_key(name)]}


def place_results(report: SearchReport) -> tuple[SearchReport, int]:
    """Return *report* placed as the controls stand, and how many results only switched-off services had."""
    off = _excluded_providers()

    def wanted(result: SearchResult) -> bool:
        return not result.providers or not set(result.providers) <= off

    remaining = replace(report, results=tuple(filter(wanted, report.results)), hidden=tuple(filter(wanted, report.hidden)))
    left_out = len(report.results) + len(report.hidden) - len(remaining.results) - len(remaining.hidden)
    return services.core().arrange(remaining, ranking()), left_out


def lower_threshold(to: int) -> None:
    """Move the threshold down to *to* points."""
    st.session_state[THRESHOLD_KEY] = to


def _positions(ranking: RankingOptions) -> dict[str, int | bool]:
    """Return how the controls of the order stand for *ranking*, by their keys."""
    return {
        THRESHOLD_KEY: round(ranking.threshold * 100),
        ENTITY_KEY: ranking.entity_first,
        COUNT_KEY: min(COUNTS, key=lambda count: abs(count - ranking.max_results)),
        **{_weight_key(name): round(getattr(ranking.weights, name) * 100) for name in _WEIGHTS},
    }


def use(ranking: RankingOptions) -> None:
    """Let every control of the order stand as *ranking* says."""
    fill_in()
    for key, value in _positions(ranking).items():
        st.session_state[key] = value
    page_session().settings = _changed_controls()


def _reset(start: str) -> None:
    """Give every control whose key begins so its first value again."""
    for key, value in _first_values().items():
        if key.startswith(start):
            st.session_state[key] = value


def sidebar(report: SearchReport | None) -> None:
    """Draw the controls; called inside the fragment of the results, so that only those are redrawn."""
    fill_in()
    with st.expander(
        "조정", expanded=bool(st.session_state.get(_TUNING_OPEN)), key=TUNING_KEY, icon=":material/tune:", on_change=_note_tuning
    ) as panel:
        if panel.open:
            _tuning(report)
    _warnings()
    changed = _changed_controls()
    page_session().settings = changed | ({TUNING_KEY: "1"} if panel.open else {})
    with st.container(key="reset-place"):
        if changed:
            st.button(
                "모두 처음 값으로", key="reset-all", type="tertiary", icon=":material/restart_alt:", on_click=_reset, args=("",)
            )
    scorer()
    with st.popover(export.EXPORT, icon=":material/download:", disabled=report is None, width="stretch", key="export"):
        if report is not None:
            core, formats = services.core(), ("markdown", "html", "csv", "json")
            export.buttons(formats, lambda name: core.export(report, name).data, "maekrak", report.created_at, key="export")
    address.write()


def _note_tuning() -> None:
    """Remember whether the controls are open, for when the visitor comes back from another page."""
    st.session_state[_TUNING_OPEN] = bool(st.session_state.get(TUNING_KEY))


def _tuning(report: SearchReport | None) -> None:
    _profile_choice()
    _histogram(report, st.session_state[THRESHOLD_KEY])
    st.slider("관련도 기준", 0, 100, step=1, key=THRESHOLD_KEY, help=THRESHOLD_HELP, persist_state="session")
    result_labels.switch(report)
    st.toggle("영상 속 이름이 나온 결과 먼저", key=ENTITY_KEY, help=ENTITY_FIRST_HELP, persist_state="session")
    st.select_slider("결과 수", COUNTS, key=COUNT_KEY, help=RESULT_COUNT_HELP, persist_state="session")
    _weights()
    _providers()


def _warnings() -> None:
    """Say which controls leave nothing to find or to score, also while they are folded."""
    with st.container(key="controls-warnings"):
        if not any(st.session_state[_weight_key(name)] for name in AVERAGED):
            st.warning("뜻·낱말·이름의 비중이 모두 0이라서 모든 점수가 0이에요. 그 가운데 하나라도 올려 주세요.")
        if {provider.name for provider in services.core().providers() if provider.available} <= _excluded_providers():
            st.warning("하나도 켜져 있지 않아요. 검색하려면 하나 이상 켜 주세요.")


def _weights() -> None:
    with st.expander("점수 비중", key="weights", on_change="rerun", type="compact", icon=":material/tune:") as panel:
        if not panel.open:
            return
        for name in _WEIGHTS:
            st.slider(
                WEIGHT_NAMES.get(name, PART_NAMES[name]),
                0,
                100,
                step=5,
                key=_weight_key(name),
                help=WEIGHT_HELP[name],
                persist_state="session",
            )
        st.button("처음 값으로", key="weights-reset", type="tertiary", on_click=_reset, args=("weight-",))


def _providers() -> None:
    report = page_session().report
    asked = report.options.providers if report is not None else None
    with st.container(key="asked-services"):
        st.markdown("**검색 서비스**")
        providers = services.core().providers()
        for provider in providers:
            if provider.available:
                on = st.checkbox(md(provider.label, 40), key=_provider_key(provider.name), persist_state="session")
                if on and asked is not None and provider.name not in asked:
                    st.caption("다음 검색부터 물어봐요.")
                if on and not provider.web:
                    own_documents.note()
        if absent := [provider for provider in providers if not provider.available]:
            with st.expander(f"꺼 둔 서비스 {len(absent)}곳", type="compact", key="absent-services"):
                lines = (f"- **{md(each.label, 40)}** {md(each.absent_because or '', 200)}" for each in absent)
                st.markdown("\n".join(lines))


def _histogram(report: SearchReport | None, threshold: int) -> None:
    """Draw how many results of *report* have which score, group upon group, with a line at *threshold* points."""
    groups = _groups(report)
    count = sum(len(scores) for _, scores in groups)
    if not count:
        return
    names = [f"{name} {len(scores)}" for name, scores in groups]
    words = HISTOGRAM_ALT.format(count=count, threshold=threshold, groups=", ".join(names))
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
    """Yield the pieces of all bars as HTML, stacked in the order of *groups*, each with the words on all pieces of its bar."""
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
    return [
        ("보임", _scores(report.results)),
        ("결과 수 초과", _scores(report.hidden_over_count)),
        ("기준 아래", _scores(report.hidden_below)),
    ]


def _scores(results: Sequence[SearchResult]) -> list[int]:
    return [score for result in results if (score := points(result.relevance_score)) is not None]


def _profile_choice() -> None:
    """Draw the choice of a profile, which stands on the one whose settings the controls show."""
    try:
        known = dict(services.core().stored_searches.profiles(owner()))
    except MaekrakError:  # the page says so where searches are stored
        return
    with st.container(key="profile-place"):
        if not known:
            return
        present = _positions(ranking())
        names = [PROFILE_NONE, *known]
        fitting = next((name for name, ranking in known.items() if _positions(ranking) == present), PROFILE_NONE)
        st.session_state[CHOICE_KEY] = fitting
        st.selectbox(
            PROFILES,
            names,
            key=CHOICE_KEY,
            format_func=partial(clean, limit=60),
            help="이름을 붙여 둔 설정이에요. 고르면 아래 조절이 그대로 바뀌고, 주소에도 담겨요.",
            on_change=_apply,
            args=(known,),
        )


def _apply(known: dict[str, RankingOptions]) -> None:
    chosen = st.session_state[CHOICE_KEY]
    if chosen in known:
        use(known[chosen])
