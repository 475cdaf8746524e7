"""The scores of this search over the threshold slider."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts import labels

BIN = 5
"""Points one bar covers."""
HEIGHT = 64
KEPT, HIDDEN, LINE = "#5f7bf5", "#a3abbd", "#e0803a"
"""Colours that stand out on both themes."""
_COLOURS = {"domain": [True, False], "range": [KEPT, HIDDEN]}
_AXIS = {"type": "quantitative", "axis": None, "scale": {"domain": [0, 100], "nice": False}}


def histogram(scores: Sequence[float], threshold: int) -> None:
    """Draw how many results have which score, the kept ones in the accent colour, with a line at *threshold* points."""
    if not scores:
        return
    counts = [0] * (100 // BIN)
    for score in scores:
        counts[min(len(counts) - 1, int(score * 100) // BIN)] += 1
    bars = [
        {"low": place * BIN + 0.4, "high": (place + 1) * BIN - 0.4, "results": count, "kept": (place + 1) * BIN > threshold}
        for place, count in enumerate(counts)
    ]
    # A plain specification: building it with Altair takes 40 ms, more than all the rest of moving the threshold.
    st.vega_lite_chart(
        {
            "height": HEIGHT,
            "padding": 0,
            "config": {"view": {"stroke": None}},
            "layer": [
                {
                    "data": {"values": bars},
                    "mark": {"type": "rect", "tooltip": None},
                    "encoding": {
                        "x": {"field": "low", **_AXIS},
                        "x2": {"field": "high"},
                        "y": {"field": "results", "type": "quantitative", "axis": None},
                        "y2": {"datum": 0},
                        "color": {"field": "kept", "type": "nominal", "scale": _COLOURS, "legend": None},
                    },
                },
                {
                    "data": {"values": [{"at": threshold}]},
                    "mark": {"type": "rule", "strokeWidth": 2, "color": LINE, "tooltip": None},
                    "encoding": {"x": {"field": "at", **_AXIS}},
                },
            ],
        },
        alt=labels.HISTOGRAM_ALT.format(count=len(scores), threshold=threshold),
        key="histogram",
        width="stretch",
    )
