"""Why a result has its score and its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

import streamlit as st

from pages.parts import controls, labels
from pages.parts.escaping import clean, md
from pages.parts.words import points
from search_core.domain import ScoreParts, SearchResult
from search_core.presenting import korean_date

BAR = 8
"""Blocks of a full bar."""


def explanation(result: SearchResult, names: Mapping[str, str]) -> None:
    """Draw the parts of the score with their weights, the names that matched and who saw the result where."""
    if result.parts is None or result.relevance_score is None:
        st.caption(labels.WHY_UNSCORED)
    else:
        st.markdown(_table(result.parts))
    facts = []
    if result.entity_matches:
        facts.append(labels.WHY_ENTITIES.format(names=", ".join(md(name, 40) for name in result.entity_matches[:8])))
    if result.ranks:
        places = (labels.WHY_PLACE.format(label=md(names.get(name, name), 30), place=place) for name, place in result.ranks)
        facts.append(labels.WHY_SEEN.format(places=", ".join(places)))
    if result.publish_date is not None:
        facts.append(labels.WHY_DATE.format(date=korean_date(result.publish_date)))
    if result.parts is not None and result.parts.meaning_share:
        share = round(100 * result.parts.meaning_share)
        facts.append(labels.WHY_SHARES.format(meaning=share, words=100 - share))
    if facts:
        st.caption("\n\n".join(facts))
    if result.summary and result.snippet:
        st.text(labels.WHY_ORIGINAL.format(text=clean(result.snippet, 400)))


def _table(parts: ScoreParts) -> str:
    weights = controls.ranking().weights.shared_for(parts)
    total = sum(getattr(weights, field.name) for field in fields(weights)) or 1.0
    rows = [labels.WHY_HEAD]
    for name, label in labels.PART_NAMES.items():
        value, weight = getattr(parts, name), getattr(weights, name)
        share = points(value)
        shown = f":gray[{labels.WHY_UNMEASURED}]" if value is None or share is None else f"{_bar(value)} {share}"
        rows.append(f"| {label} | {shown} | {round(weight / total * 100)}% |")
    return "\n".join(rows)


def _bar(value: float) -> str:
    full = round(max(0.0, min(1.0, value)) * BAR)
    return f":primary[{'▰' * full}]:gray[{'▱' * (BAR - full)}]"
