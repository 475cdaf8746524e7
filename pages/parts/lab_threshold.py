"""The threshold: what it shows and hides over all cuts, the one that can be promised, and what to judge next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import controls, lab_choice, lab_labels, services
from pages.parts.escaping import clean, md
from pages.parts.visitor import owner
from search_core.domain import Label, RankingOptions, SearchResult, StoredSearch
from search_core.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.evaluation.measures import count_answerless
from search_core.evaluation.threshold import (
    CurvePoint,
    Promise,
    choose_next,
    describe_suggestion,
    suggest_threshold,
    threshold_curve,
)
from search_core.presenting import points

PRECISION_KEY, CONFIDENCE_KEY = "lab-precision", "lab-confidence"
PRECISIONS, CONFIDENCES = (0.6, 0.7, 0.8, 0.9), (0.8, 0.9, 0.95)
NEXT = 5
_COLOURS = ("#4a6cf0", "#d9772b")
_SHORTCUTS = {Label.RELEVANT: "1", Label.UNSURE: "2", Label.NOT_RELEVANT: "3"}


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
            st.button(words, key="lab-use", type="primary", on_click=_use, args=(suggestion.threshold,))
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
    lab_choice.forget()


def _use(cut: float) -> None:
    controls.lower_threshold(round(cut * 100))
    st.session_state[lab_choice.NOTE_KEY] = lab_labels.THRESHOLD_USED.format(points=round(cut * 100))


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
