"""What the labels of the chosen searches say: of thresholds, of two settings side by side, and of weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import controls, lab_searches, result_labels, services
from pages.parts.escaping import clean, md
from pages.parts.visitor import owner
from search_core.domain import Label, RankingOptions, RankingWeights, SearchResult, StoredSearch
from search_core.presenting import PART_NAMES, korean_date, points
from search_core.ranking.evaluation.comparison import SearchChange, WeightProposal, change_since, compare, propose_weights
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.ranking.evaluation.measures import Figure, count_answerless
from search_core.ranking.evaluation.threshold import CurvePoint, Promise, choose_next, describe_suggestion, suggest_threshold

FIRST_KEY, SECOND_KEY = "lab-first", "lab-second"
CHANGES_SHOWN = 20
_PROPOSAL = "lab-proposal"
PRECISION_KEY, CONFIDENCE_KEY = "lab-precision", "lab-confidence"
PRECISIONS, CONFIDENCES = (0.6, 0.7, 0.8, 0.9), (0.8, 0.9, 0.95)
NEXT = 5
_COLOURS = ("#4a6cf0", "#d9772b")
_SHORTCUTS = {Label.RELEVANT: "1", Label.UNSURE: "2", Label.NOT_RELEVANT: "3"}
HASHED_TITLE = "(검색 서비스 약관 때문에 제목을 보관하지 않은 결과)"
PROMISE = "### {points}점이면 보이는 결과의 {precision:.0%} 이상이 관련 있어요, 대신 관련 결과의 {hidden}가 숨어요"
PRESENT = (
    "지금 기준 {points}점에서는 보이는 결과의 {precision:.0%}가 관련 있고, 관련 결과의 {hidden}가 숨어요. "
    "보이는 것 가운데 {judged:.0%}를 판정했어요."
)
FIRST, SECOND = "가", "나"
MEASURE_NAMES = {
    "ndcg": "nDCG@10",
    "precision": "P@10",
    "judged": "Judged@10",
    "shown_relevant": "보이는 것 가운데 관련 있음",
    "shown_judged": "보이는 것 가운데 판정함",
    "found": "찾은 관련 결과가 보임",
}
DIFFERENCE = "nDCG@10은 검색마다 평균 **{value:+.1f}점** 달라요 (90% 구간 {low:+.1f}~{high:+.1f}점)."
NO_DIFFERENCE = "nDCG@10의 차이는 **보이지 않아요** (90% 구간 {low:+.1f}~{high:+.1f}점에 0이 들어 있어요)."
PROPOSE_FEW = "관련 있음과 없음을 모두 판정한 검색이 {missing}건 더 있어야 비중을 찾을 수 있어요. (지금 {searches}건)"
PROPOSED = (
    "이 비중이 nDCG@10을 **{value:+.1f}점** 올려요 (90% 구간 {low:+.1f}~{high:+.1f}점, 고를 때 쓰지 않은 검색으로 잰 값)."
    " 저절로 적용하지 않아요."
)


def comparison(searches: Sequence[LabelledSearch]) -> None:
    """Draw the choice of two settings, their measures, whether they differ, and what each search shows otherwise."""
    core = services.core()
    known = {"지금 설정": controls.ranking(), "처음 설정": core.default_options().ranking}
    proposal: WeightProposal | None = st.session_state.get(_PROPOSAL)
    if proposal is not None and proposal.weights is not None:
        known["제안한 비중"] = replace(controls.ranking(), weights=proposal.weights)
    known |= core.stored_searches.profiles(owner())
    names = list(known)
    with st.container(horizontal=True, key="lab-two"):
        first = _choice(FIRST, names, FIRST_KEY, 0)
        second = _choice(SECOND, names, SECOND_KEY, 1)
    found = compare(searches, known[first], known[second])
    columns = {f"{FIRST} · {first}": found.first, f"{SECOND} · {second}": found.second}
    rows = [
        {"100점 만점": words, **{column: _figure(getattr(measures, name)) for column, measures in columns.items()}}
        for name, words in MEASURE_NAMES.items()
    ]
    st.dataframe(rows, hide_index=True, key="lab-measures")
    figure = found.ndcg
    if figure.value is None or figure.low is None or figure.high is None:
        st.markdown(f"관련 있는 결과를 판정한 검색이 {figure.searches}건뿐이라 차이를 말할 수 없어요. 5건부터 말할 수 있어요.")
    else:
        words = DIFFERENCE if figure.differs else NO_DIFFERENCE
        st.markdown(words.format(**_in_points(figure)))
    if not found.changes:
        st.caption("어느 검색에서도 보이는 결과가 달라지지 않아요.")
        return
    with st.expander(
        f"검색 {len(found.changes)}건에서 보이는 결과가 달라져요",
        key="lab-changes",
        on_change="rerun",
        icon=":material/swap_vert:",
    ) as panel:
        for change in found.changes[:CHANGES_SHOWN] if panel.open else ():
            st.markdown(_change(change))


def since(stored: Sequence[StoredSearch], ranking: RankingOptions) -> None:
    """Where two searches of one question were picked, draw what came, went and moved from the earlier to the later."""
    if len(stored) != 2 or stored[0].entry.query != stored[1].entry.query:
        return
    earlier, later = sorted(stored, key=lambda search: search.entry.created_at)
    change = change_since(LabelledSearch.of(earlier), LabelledSearch.of(later), ranking)
    days = " → ".join(korean_date(search.entry.created_at) for search in (earlier, later))
    st.markdown(f"“{md(later.entry.query, 120)}” 검색에서 그 사이에 달라진 것 ({days})")
    st.markdown("두 검색이 보여 주는 결과와 순서가 같아요." if change.empty else _change(change))


def weights(searches: Sequence[LabelledSearch]) -> None:
    """Draw the search for better weights, and what it proposes."""
    st.button(
        "판정으로 비중 찾기",
        key="lab-propose",
        help="비중 하나나 둘을 없애거나 절반, 두 배로 바꿔 보고, 고를 때 쓰지 않은 검색으로 견줘요.",
        icon=":material/tune:",
        on_click=_propose,
        args=(searches,),
    )
    proposal: WeightProposal | None = st.session_state.get(_PROPOSAL)
    with st.container(key="lab-proposal"):
        if proposal is None:
            return
        if proposal.missing_searches:
            st.info(PROPOSE_FEW.format(missing=proposal.missing_searches, searches=proposal.searches))
        elif proposal.weights is None or proposal.gain is None:
            st.info("지금보다 낫다고 할 수 있는 비중을 찾지 못했어요.")
        else:
            st.success(PROPOSED.format(**_in_points(proposal.gain)))
            parts = ((name, getattr(proposal.weights, part, None)) for part, name in PART_NAMES.items())
            st.markdown(" · ".join(f"{name} {round(weight * 100)}" for name, weight in parts if weight is not None))
            st.button("이 비중 쓰기", key="lab-use-weights", on_click=_use, args=(proposal.weights,))


def _choice(label: str, names: list[str], key: str, place: int) -> str:
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[min(place, len(names) - 1)]
    return st.selectbox(label, names, key=key, persist_state="session")


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    words = "{value:.1f}" if figure.low is None else "{value:.1f} ({low:.1f}–{high:.1f})"
    return words.format(**_in_points(figure))


def _in_points(figure: Figure) -> dict[str, float]:
    """Return what is known of *figure* as points of a hundred."""
    known = {"value": figure.value, "low": figure.low, "high": figure.high}
    return {name: 100 * value for name, value in known.items() if value is not None}


def _change(change: SearchChange) -> str:
    def line(word: str, result: SearchResult) -> str:
        label = change.search.labels.get(result.url)
        said = f" · {result_labels.LABELS[label]}" if label else ""
        return f"    - {word}: {md(result.title, 100) or HASHED_TITLE}{said}"

    moved = (line(f"{move.before}위 → {move.after}위", move.result) for move in change.moved)
    entered = (line("들어옴", result) for result in change.entered)
    left = (line("빠짐", result) for result in change.left)
    return "\n".join([f"- **{md(change.search.query, 120)}**", *entered, *left, *moved])


def _propose(searches: Sequence[LabelledSearch]) -> None:
    st.session_state[_PROPOSAL] = propose_weights(searches, controls.ranking())


def _use(weights: RankingWeights) -> None:
    controls.use(replace(controls.ranking(), weights=weights))
    st.session_state[lab_searches.NOTE_KEY] = "검색 페이지의 비중을 바꿨어요."


def promise(curve: Sequence[CurvePoint], labels: ScoredLabels, ranking: RankingOptions) -> None:
    """Draw the threshold that *labels* can promise with its price, or what is missing for one, and what the present one does."""
    state = st.session_state
    state.setdefault(PRECISION_KEY, 0.8)
    state.setdefault(CONFIDENCE_KEY, 0.9)
    suggestion = suggest_threshold(labels, state[PRECISION_KEY], state[CONFIDENCE_KEY])
    with st.container(border=True, key="lab-suggestion"):
        if isinstance(suggestion, Promise):
            at = round(suggestion.threshold * 100)
            precision, hidden = suggestion.precision_at_least, _hidden(curve[at])
            st.markdown(PROMISE.format(points=at, precision=precision, hidden=hidden), anchors=False)
            st.caption(f"{suggestion.confidence:.0%} 확신 · 검색 {suggestion.searches}건의 판정 {suggestion.labels}개로 셌어요.")
        else:
            st.markdown(f":material/hourglass_empty: **{describe_suggestion(suggestion)}**")
        at = round(ranking.threshold * 100)
        now = curve[at]
        if now.precision.value is None or now.recall.value is None:
            st.caption("판정한 결과가 없어서 아직 말할 수 없어요. 아래 결과부터 판정하거나 예시를 불러오세요.")
        else:
            judged = now.judged / now.shown if now.shown else 0.0
            st.caption(PRESENT.format(points=at, precision=now.precision.value, hidden=_hidden(now), judged=judged))
        with st.container(horizontal=True, vertical_alignment="bottom", key="lab-promise"):
            if isinstance(suggestion, Promise):
                st.button("이 기준 쓰기", key="lab-use", type="primary", on_click=_use_threshold, args=(suggestion.threshold,))
            _share("보이는 것 가운데 관련 있는 몫", PRECISIONS, PRECISION_KEY, 240)


def _share(label: str, shares: Sequence[float], key: str, width: int) -> None:
    st.selectbox(label, shares, key=key, format_func="{:.0%}".format, width=width, persist_state="session")


def threshold(
    curve: Sequence[CurvePoint], searches: Sequence[LabelledSearch], labels: ScoredLabels, ranking: RankingOptions
) -> None:
    """Draw what each threshold does, and how certain the promise is to be."""
    answerless, empty = count_answerless(searches, labels, ranking)
    if answerless:
        st.caption(f"관련 있는 결과가 없는 검색 {answerless}건 가운데 {empty}건은 이 기준에서 아무것도 보이지 않아요.")
    if labels.judged.any():
        _chart(curve, ranking.threshold)
        st.caption("띠는 90% 구간이에요. 결과가 아니라 검색을 다시 뽑아 쟀어요. 검색이 5건보다 적으면 띠가 없어요.")
    _share("확신", CONFIDENCES, CONFIDENCE_KEY, 140)


def next_labels(stored: Sequence[StoredSearch], labels: ScoredLabels, ranking: RankingOptions) -> None:
    """Draw the results whose labels would say most about the threshold, the first of them with a key for each label."""
    chosen = choose_next(labels, ranking.threshold, NEXT)
    if not chosen:
        return
    st.subheader("다음에 판정하면 좋은 결과", anchor=False)
    st.caption("기준을 가장 빨리 정할 수 있는 순서예요. 맨 위 결과는 글쇠 1, 2, 3으로 판정해요.")
    for number, place in enumerate(chosen):
        search, address = stored[labels.search[place]], labels.addresses[place]
        found = next(each for each in (*search.report.results, *search.report.hidden) if each.url == address)
        _ask(search, found, float(labels.score[place]), first=number == 0)


def _ask(search: StoredSearch, result: SearchResult, score: float, *, first: bool) -> None:
    with st.container(border=True, key=f"lab-next-{search.entry.id}-{abs(hash(result.url))}"):
        st.markdown(f"**{md(result.title, 160) or HASHED_TITLE}**")
        st.caption(f"{points(score)}점 · 질문: {md(search.entry.query, 120)}")
        if result.snippet:
            st.text(clean(result.snippet, 240))
        with st.container(horizontal=True):
            for label, words in result_labels.LABELS.items():
                st.button(
                    words,
                    key=f"lab-say-{label}-{search.entry.id}-{result.url}",
                    shortcut=_SHORTCUTS[label] if first else None,
                    on_click=_set_label,
                    args=(search.entry.id, result.url, label),
                )


def _set_label(search_id: str, address: str, label: Label) -> None:
    services.core().stored_searches.label(search_id, owner(), address, label)
    result_labels.load.clear()


def _use_threshold(cut: float) -> None:
    controls.lower_threshold(round(cut * 100))
    st.session_state[lab_searches.NOTE_KEY] = f"검색 페이지의 기준을 {round(cut * 100)}점으로 바꿨어요."


def _hidden(point: CurvePoint) -> str:
    """Return the share of the relevant results found that a threshold hides."""
    return f"{1 - (point.recall.value or 0.0):.0%}"


def _chart(curve: Sequence[CurvePoint], cut: float) -> None:
    names = ("정밀도 (보이는 것 가운데)", "재현율 (찾은 것 가운데)")
    values = [
        {"at": round(point.threshold * 100), "which": name, "value": figure.value, "low": figure.low, "high": figure.high}
        for point in curve
        for name, figure in zip(names, (point.precision, point.recall), strict=True)
        if figure.value is not None
    ]
    banded, points_cut = [value for value in values if value["low"] is not None], round(cut * 100)
    scale = {"domain": names, "range": _COLOURS}
    share = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}, "axis": {"format": "%"}}
    x: dict[str, Any] = {"field": "at", "type": "quantitative", "title": "기준 (점)", "scale": {"domain": [0, 100]}}
    shared = {"x": x, "color": {"field": "which", "type": "nominal", "scale": scale, "legend": {"orient": "top", "title": None}}}
    layers: list[tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]] = [
        (banded, {"type": "area", "opacity": 0.18}, {**shared, "y": {"field": "low", **share}, "y2": {"field": "high"}}),
        (values, {"type": "line", "strokeWidth": 2}, {**shared, "y": {"field": "value", **share}}),
        ([{"at": points_cut}], {"type": "rule", "strokeDash": [4, 3]}, {"x": {"field": "at", "type": "quantitative"}}),
    ]
    layer = [{"data": {"values": rows}, "mark": mark, "encoding": encoding} for rows, mark, encoding in layers]
    alt = f"기준에 따른 정밀도와 재현율. 지금 기준 {points_cut}점."
    st.vega_lite_chart({"height": 240, "layer": layer}, alt=alt, key="lab-curve", width="stretch")
