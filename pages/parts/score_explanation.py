"""Why a result has its score and its place."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.parts import labels
from pages.parts.escaping import clean, md
from search_core.domain import RankingWeights, SearchResult
from search_core.presenting import ShownPart, ShownScore, korean_date, shown_score

BAR = 8
"""Blocks of a full bar."""


def explanation(result: SearchResult, names: Mapping[str, str], weights: RankingWeights) -> None:
    """Draw how the score adds up by *weights*, the names that matched and who saw the result where."""
    score = shown_score(result, weights)
    if score is None:
        st.caption(labels.WHY_UNSCORED)
    else:
        st.markdown(_table(score))
        st.caption(labels.WHY_CAPPED if score.capped else labels.WHY_FLOOR)
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


def _table(score: ShownScore) -> str:
    rows = [labels.WHY_HEAD, *map(_row, score.averaged)]
    if score.averaged and score.scaling:
        rows.append(f"| {labels.WHY_TOTAL} | | 100% | {score.total} |")
        rows += [*map(_row, score.scaling), f"| {labels.WHY_FACTOR} | | | ×{score.factor} |"]
    rows.append(f"| **{labels.WHY_SCORE}** | | | **{score.points}** |")
    return "\n".join(rows)


def _row(part: ShownPart) -> str:
    return f"| {part.name} | {_bar(part.value)} | {part.share} | {part.amount} |"


def _bar(value: float) -> str:
    full = round(max(0.0, min(1.0, value)) * BAR)
    return f":primary[{'▰' * full}]:gray[{'▱' * (BAR - full)}]"
