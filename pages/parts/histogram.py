"""The scores of this search over the threshold slider, in the groups the list has: shown, over the count, below the threshold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts import labels
from search_core.domain import SearchReport, SearchResult
from search_core.presenting import points

BIN = 5
"""Points one bar covers."""
HEIGHT = 96
"""Height of the bars with their axis; the line that follows a drag is as high as the bars (styles.css)."""
COLOURS = ("#5f7bf5", "#a58ae8", "#a3abbd")
"""Colours of results shown, over the count and below the threshold; readable on both themes."""
_MARKS = (":blue[■]", ":violet[■]", ":gray[■]")
"""The same in Streamlit's words, for the line that says what they mean."""
LINE = "#e0803a"
NO_BREAK = "\u00a0"
_SCRIPT = '<script src="app/static/threshold.js"></script>'
"""Moves the line while the threshold is dragged: the server learns of it when the visitor lets go."""
_BINS = 100 // BIN
_X = {"type": "quantitative", "scale": {"domain": [0, 100], "nice": False}}
_AXIS = {"values": [0, 20, 40, 60, 80, 100], "title": None, "grid": False, "tickSize": 3, "labelPadding": 2, "labelFlush": True}


def histogram(report: SearchReport | None, threshold: int) -> None:
    """Draw how many results of *report* have which score, group upon group, with a line at *threshold* points."""
    groups = _groups(report)
    count = sum(len(scores) for _, scores in groups)
    if not count:
        return
    names = [f"{name} {len(scores)}" for name, scores in groups]
    colour = {"domain": names, "range": list(COLOURS)}
    # A plain specification: building it with Altair takes 40 ms, more than all the rest of moving the threshold.
    with st.container(key="histogram-place"):
        st.vega_lite_chart(
            {
                "height": HEIGHT,
                "padding": 0,
                "config": {"view": {"stroke": None}},
                "layer": [
                    {
                        "data": {"values": bars([(name, scores) for name, (_, scores) in zip(names, groups, strict=True)])},
                        "mark": {"type": "rect"},
                        "encoding": {
                            "x": {"field": "low", "axis": _AXIS, **_X},
                            "x2": {"field": "high"},
                            "y": {"field": "under", "type": "quantitative", "axis": None},
                            "y2": {"field": "top"},
                            "color": {"field": "group", "type": "nominal", "scale": colour, "legend": None},
                            "tooltip": [
                                {"field": "range", "title": labels.HISTOGRAM_SCORE},
                                {"field": "counts", "title": labels.HISTOGRAM_COUNT},
                            ],
                        },
                    },
                    {
                        "data": {"values": [{"at": threshold}]},
                        "mark": {"type": "rule", "strokeWidth": 2, "color": LINE, "tooltip": None},
                        "encoding": {"x": {"field": "at", "axis": _AXIS, **_X}},
                    },
                ],
            },
            alt=labels.HISTOGRAM_ALT.format(count=count, threshold=threshold, groups=", ".join(names)),
            key="histogram",
            width="stretch",
        )
        with st.container(key="histogram-script"):
            st.html(_SCRIPT, unsafe_allow_javascript=True)
        st.caption(" ".join(f"{mark} {name}".replace(" ", NO_BREAK) for mark, name in zip(_MARKS, names, strict=True)))


def bars(groups: Sequence[tuple[str, Sequence[int]]]) -> list[dict[str, Any]]:
    """Return the pieces of all bars, stacked in the order of *groups*; the tooltip of a bar lists all of its pieces."""
    counts = [(name, Counter(min(_BINS - 1, score // BIN) for score in scores)) for name, scores in groups]
    pieces = []
    for place in range(_BINS):
        here = [(name, count[place]) for name, count in counts if count[place]]
        last = 100 if place == _BINS - 1 else (place + 1) * BIN - 1
        under = 0
        for name, count in here:
            pieces.append(
                {
                    "low": place * BIN + 0.4,
                    "high": (place + 1) * BIN - 0.4,
                    "under": under,
                    "top": under + count,
                    "group": name,
                    "range": f"{place * BIN}–{last}",
                    "counts": ", ".join(f"{name.rpartition(' ')[0]} {count}" for name, count in here),
                }
            )
            under += count
    return pieces


def _groups(report: SearchReport | None) -> list[tuple[str, list[int]]]:
    if report is None:
        return []
    return [
        (labels.HISTOGRAM_SHOWN, _scores(report.results)),
        (labels.HISTOGRAM_OVER, _scores(report.hidden_over_count)),
        (labels.HISTOGRAM_BELOW, _scores(report.hidden_below)),
    ]


def _scores(results: Sequence[SearchResult]) -> list[int]:
    return [score for result in results if (score := points(result.relevance_score)) is not None]
