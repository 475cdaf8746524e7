"""What the labels of the chosen searches say: of thresholds, of two settings side by side, and of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.parts import controls, lab_labels, lab_searches, services
from pages.parts.escaping import clean, md
from pages.parts.visitor import owner
from search_core.domain import Label, RankingOptions, RankingWeights, SearchResult, StoredSearch
from search_core.presenting import PART_NAMES, korean_date, points
from search_core.ranking.evaluation.comparison import (
    Comparison,
    SearchChange,
    WeightProposal,
    change_since,
    compare,
    propose_weights,
)
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.ranking.evaluation.measures import Figure, Measures, count_answerless
from search_core.ranking.evaluation.threshold import (
    CurvePoint,
    Promise,
    choose_next,
    describe_suggestion,
    suggest_threshold,
    threshold_curve,
)

FIRST_KEY, SECOND_KEY = "lab-first", "lab-second"
CHANGES_SHOWN = 20
_PROPOSAL = "lab-proposal"
PRECISION_KEY, CONFIDENCE_KEY = "lab-precision", "lab-confidence"
PRECISIONS, CONFIDENCES = (0.6, 0.7, 0.8, 0.9), (0.8, 0.9, 0.95)
NEXT = 5
_COLOURS = ("#4a6cf0", "#d9772b")
_SHORTCUTS = {Label.RELEVANT: "1", Label.UNSURE: "2", Label.NOT_RELEVANT: "3"}


def comparison(searches: Sequence[LabelledSearch]) -> None:
    """Draw the choice of two settings, their measures, whether they differ, and what each search shows otherwise."""
    core = services.core()
    known = {lab_labels.SETTINGS_NOW: controls.ranking(), lab_labels.SETTINGS_DEFAULT: core.default_options().ranking}
    proposal: WeightProposal | None = st.session_state.get(_PROPOSAL)
    if proposal is not None and proposal.weights is not None:
        known[lab_labels.SETTINGS_PROPOSED] = replace(controls.ranking(), weights=proposal.weights)
    known |= core.stored_searches.profiles(owner())
    names = list(known)
    with st.container(horizontal=True, key="lab-two"):
        first = _choice(lab_labels.FIRST, names, FIRST_KEY, 0)
        second = _choice(lab_labels.SECOND, names, SECOND_KEY, 1)
    found = compare(searches, known[first], known[second])
    st.dataframe(_rows(first, found.first, second, found.second), hide_index=True, key="lab-measures")
    st.markdown(_describe_difference(found))
    if not found.changes:
        st.caption(lab_labels.NO_CHANGES)
        return
    panel = st.expander(
        lab_labels.CHANGES.format(count=len(found.changes)), key="lab-changes", on_change="rerun", icon=":material/swap_vert:"
    )
    if panel.open:
        with panel:
            for change in found.changes[:CHANGES_SHOWN]:
                st.markdown(_change(change))


def since(stored: Sequence[StoredSearch], ranking: RankingOptions) -> None:
    """Where two searches of one question were picked, draw what came, went and moved from the earlier to the later."""
    if len(stored) != 2 or stored[0].entry.query != stored[1].entry.query:
        return
    earlier, later = sorted(stored, key=lambda search: search.entry.created_at)
    change = change_since(LabelledSearch.of(earlier), LabelledSearch.of(later), ranking)
    days = {"before": korean_date(earlier.entry.created_at), "after": korean_date(later.entry.created_at)}
    st.markdown(lab_labels.SINCE.format(query=md(later.entry.query, 120), **days))
    st.markdown(lab_labels.SINCE_NONE if change.empty else _change(change))


def _describe_difference(found: Comparison) -> str:
    """Return in words whether the second settings differ from the first in nDCG@10."""
    figure = found.ndcg
    if figure.value is None or figure.low is None or figure.high is None:
        return lab_labels.FEW_SEARCHES.format(count=figure.searches)
    words = lab_labels.DIFFERENCE if found.ndcg.differs else lab_labels.NO_DIFFERENCE
    return words.format(value=figure.value, low=figure.low, high=figure.high)


def weights(searches: Sequence[LabelledSearch]) -> None:
    """Draw the search for better weights, and what it proposes."""
    st.button(
        lab_labels.PROPOSE,
        key="lab-propose",
        help=lab_labels.PROPOSE_HELP,
        icon=":material/tune:",
        on_click=_propose,
        args=(searches,),
    )
    proposal: WeightProposal | None = st.session_state.get(_PROPOSAL)
    with st.container(key="lab-proposal"):
        if proposal is None:
            return
        if proposal.missing_searches:
            st.info(lab_labels.PROPOSE_FEW.format(missing=proposal.missing_searches, searches=proposal.searches))
        elif proposal.weights is None or proposal.gain is None:
            st.info(lab_labels.PROPOSE_NONE)
        else:
            figure = proposal.gain
            st.success(lab_labels.PROPOSED.format(value=figure.value, low=figure.low, high=figure.high))
            parts = ((name, getattr(proposal.weights, part, None)) for part, name in PART_NAMES.items())
            st.markdown(" · ".join(f"{name} {round(weight * 100)}" for name, weight in parts if weight is not None))
            st.button(lab_labels.USE_PROPOSED, key="lab-use-weights", on_click=_use, args=(proposal.weights,))


def _choice(label: str, names: list[str], key: str, place: int) -> str:
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[min(place, len(names) - 1)]
    return st.selectbox(label, names, key=key, persist_state="session")


def _rows(first: str, one: Measures, second: str, other: Measures) -> list[Mapping[str, str]]:
    return [
        {
            lab_labels.MEASURE: words,
            f"{lab_labels.FIRST} · {first}": _figure(getattr(one, name)),
            f"{lab_labels.SECOND} · {second}": _figure(getattr(other, name)),
        }
        for name, words in lab_labels.MEASURE_NAMES.items()
    ]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    return f"{figure.value:.3f}" + (f" ({figure.low:.3f}–{figure.high:.3f})" if figure.low is not None else "")


def _change(change: SearchChange) -> str:
    def line(word: str, result: SearchResult) -> str:
        label = change.search.labels.get(result.url)
        said = f" · {lab_labels.LABELS[label]}" if label else ""
        return f"    - {word}: {md(result.title, 100) or lab_labels.HASHED_TITLE}{said}"

    moved = (line(lab_labels.CHANGE_MOVED.format(before=move.before, after=move.after), move.result) for move in change.moved)
    entered = (line(lab_labels.CHANGE_IN, result) for result in change.entered)
    left = (line(lab_labels.CHANGE_OUT, result) for result in change.left)
    return "\n".join([f"- **{md(change.search.query, 120)}**", *entered, *left, *moved])


def _propose(searches: Sequence[LabelledSearch]) -> None:
    st.session_state[_PROPOSAL] = propose_weights(searches, controls.ranking())


def _use(weights: RankingWeights) -> None:
    controls.use(replace(controls.ranking(), weights=weights))
    st.session_state[lab_searches.NOTE_KEY] = lab_labels.PROPOSED_USED


def threshold(searches: Sequence[LabelledSearch], labels: ScoredLabels, ranking: RankingOptions) -> None:
    """Draw what the threshold of *ranking* does, the curve, and the threshold that *labels* of *searches* can promise."""
    curve = threshold_curve(labels)
    _present(curve[round(ranking.threshold * 100)], ranking)
    answerless, empty = count_answerless(searches, labels, ranking)
    if answerless:
        st.caption(lab_labels.ANSWERLESS.format(count=answerless, empty=empty))
    if labels.judged.any():
        _chart(curve, ranking.threshold)
        st.caption(lab_labels.CURVE_NOTE)
    state = st.session_state
    state.setdefault(PRECISION_KEY, 0.8)
    state.setdefault(CONFIDENCE_KEY, 0.9)
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab-promise"):
        precision = st.selectbox(
            lab_labels.PRECISION, PRECISIONS, key=PRECISION_KEY, format_func="{:.0%}".format, width=240, persist_state="session"
        )
        confidence = st.selectbox(
            lab_labels.CONFIDENCE,
            CONFIDENCES,
            key=CONFIDENCE_KEY,
            format_func="{:.0%}".format,
            width=140,
            persist_state="session",
        )
    suggestion = suggest_threshold(labels, precision, confidence)
    with st.container(key="lab-suggestion"):
        if isinstance(suggestion, Promise):
            st.success(describe_suggestion(suggestion), icon=":material/verified:")
            words = lab_labels.USE_THRESHOLD.format(points=round(suggestion.threshold * 100))
            st.button(words, key="lab-use", type="primary", on_click=_use_threshold, args=(suggestion.threshold,))
        else:
            st.info(describe_suggestion(suggestion), icon=":material/hourglass_empty:")


def next_labels(stored: Sequence[StoredSearch], labels: ScoredLabels, ranking: RankingOptions) -> None:
    """Draw the results whose labels would say most about the threshold, the first of them with a key for each label."""
    chosen = choose_next(labels, ranking.threshold, NEXT)
    if not chosen:
        st.caption(lab_labels.NEXT_NONE)
        return
    st.caption(lab_labels.NEXT_NOTE)
    for number, place in enumerate(chosen):
        search, address = stored[labels.search[place]], labels.addresses[place]
        found = next(each for each in (*search.report.results, *search.report.hidden) if each.url == address)
        _ask(search, found, float(labels.score[place]), first=number == 0)


def _ask(search: StoredSearch, result: SearchResult, score: float, *, first: bool) -> None:
    with st.container(border=True, key=f"lab-next-{search.entry.id}-{abs(hash(result.url))}"):
        st.markdown(f"**{md(result.title, 160) or lab_labels.HASHED_TITLE}**")
        st.caption(lab_labels.NEXT_OF.format(score=points(score), query=md(search.entry.query, 120)))
        if result.snippet:
            st.text(clean(result.snippet, 240))
        with st.container(horizontal=True):
            for label, words in lab_labels.LABELS.items():
                st.button(
                    words,
                    key=f"lab-say-{label}-{search.entry.id}-{result.url}",
                    shortcut=_SHORTCUTS[label] if first else None,
                    on_click=_set_label,
                    args=(search.entry.id, result.url, label),
                )


def _set_label(search_id: str, address: str, label: Label) -> None:
    services.core().stored_searches.label(search_id, owner(), address, label)
    lab_searches.forget()


def _use_threshold(cut: float) -> None:
    controls.lower_threshold(round(cut * 100))
    st.session_state[lab_searches.NOTE_KEY] = lab_labels.THRESHOLD_USED.format(points=round(cut * 100))


def _present(point: CurvePoint, ranking: RankingOptions) -> None:
    if point.precision.value is None or point.recall.value is None:
        st.markdown(lab_labels.NOTHING_JUDGED)
        return
    words = lab_labels.PRESENT.format(
        points=round(ranking.threshold * 100),
        precision=f"{point.precision.value:.0%}",
        recall=f"{point.recall.value:.0%}",
        judged=f"{point.judged / point.shown:.0%}" if point.shown else "0%",
    )
    st.markdown(words)


def _chart(curve: Sequence[CurvePoint], cut: float) -> None:
    names = (lab_labels.CURVE_PRECISION, lab_labels.CURVE_RECALL)
    values = [
        {"at": round(point.threshold * 100), "which": name, "value": figure.value, "low": figure.low, "high": figure.high}
        for point in curve
        for name, figure in zip(names, (point.precision, point.recall), strict=True)
        if figure.value is not None
    ]
    x: dict[str, Any] = {"field": "at", "type": "quantitative", "title": lab_labels.CURVE_X, "scale": {"domain": [0, 100]}}
    share = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}, "axis": {"format": "%"}}
    colour = {
        "field": "which",
        "type": "nominal",
        "scale": {"domain": names, "range": _COLOURS},
        "legend": {"orient": "top", "title": None},
    }
    st.vega_lite_chart(
        {
            "height": 240,
            "layer": [
                {
                    "data": {"values": [value for value in values if value["low"] is not None]},
                    "mark": {"type": "area", "opacity": 0.18},
                    "encoding": {"x": x, "y": {"field": "low", **share}, "y2": {"field": "high"}, "color": colour},
                },
                {
                    "data": {"values": values},
                    "mark": {"type": "line", "strokeWidth": 2},
                    "encoding": {"x": x, "y": {"field": "value", **share}, "color": colour},
                },
                {
                    "data": {"values": [{"at": round(cut * 100)}]},
                    "mark": {"type": "rule", "strokeDash": [4, 3]},
                    "encoding": {"x": {"field": "at", "type": "quantitative"}},
                },
            ],
        },
        alt=lab_labels.CURVE_ALT.format(points=round(cut * 100)),
        key="lab-curve",
        width="stretch",
    )
