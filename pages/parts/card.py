"""One result as a card: title and score, where it is from, what it says, and why it is here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import streamlit as st

from pages.parts import labels, library_document, result_labels, video_panel
from pages.parts.escaping import clean, link, md
from pages.parts.page_session import page_session
from pages.parts.score_explanation import explanation
from search_core.domain import RankingOptions, SearchResult
from search_core.presenting import hidden_because, is_recent, own_korean, points, relative_time
from search_core.presenting.formatter import SAMPLE
from search_core.video_time import clock

SNIPPET_CHARS = 160
SUMMARY_CHARS = 300
QUOTE_CHARS = 34


def card(
    result: SearchResult, number: int, *, key: str, names: Mapping[str, str], ranking: RankingOptions, hidden: bool = False
) -> None:
    """Draw *result*, placed by *ranking*, and where it is *hidden* why.

    *key* distinguishes its widgets from those of other cards, *names* are the labels of services.
    """
    with st.container(border=True, key=f"card-{key}"):
        with st.container(horizontal=True, wrap=False, vertical_alignment="top"):
            _title(result, number, key)
            _score(result)
        because = f":orange-badge[{hidden_because(result, ranking)}] " if hidden else ""
        st.markdown(f"{because}{_meta(result, names)}")
        body = result.summary or result.snippet
        if body:
            shown = clean(body, SUMMARY_CHARS if result.summary else SNIPPET_CHARS)
            st.text("\n".join([shown, *map(clean, own_korean(result, shown) if result.summary else ())]))
        with st.container(horizontal=True, vertical_alignment="center"):
            if result.moment is not None and page_session().video is not None:
                st.button(
                    labels.MOMENT.format(time=clock(result.moment.start_s), quote=md(result.moment.text, QUOTE_CHARS)),
                    key=f"moment-{key}",
                    icon=":material/play_arrow:",
                    type="tertiary",
                    help=labels.MOMENT_HELP,
                    on_click=video_panel.seek,
                    args=(result.moment.start_s,),
                )
            result_labels.choice(result, number)
            why = st.popover(labels.WHY, key=f"why-{key}", type="tertiary", on_change="rerun", icon=":material/help:")
            if why.open:
                with why:
                    explanation(result, names, ranking.weights)


def _title(result: SearchResult, number: int, key: str) -> None:
    title = clean(result.title, 200) or clean(result.url, 120)
    if result.url.startswith(library_document.PREFIX):
        library_document.title_button(f"{number}\\. :blue[{md(title)}]", result.url, f"title-{key}")
        return
    with st.container(key=f"heading-{key}"):
        st.markdown(f"{number}\\. {link(title, result.url)}")


def _score(result: SearchResult) -> None:
    score = points(result.relevance_score)
    if score is None:
        st.badge(labels.UNSCORED, color="gray")
    else:
        st.progress(score, text=f"**{score}**", width=72)


def _meta(result: SearchResult, names: Mapping[str, str]) -> str:
    facts = [md(result.source, 60)] if result.source else []
    if result.providers:
        first = md(names.get(result.providers[0], result.providers[0]), 30)
        others = len(result.providers) - 1
        facts.append(labels.AND_MORE.format(first=first, count=others) if others else first)
    if result.publish_date is not None:
        now = datetime.now(UTC)
        when = relative_time(result.publish_date, now)
        facts.append(f":green-badge[{labels.NEW} {when}]" if is_recent(result.publish_date, now) else when)
    badges = [f":violet-badge[{SAMPLE}]"] if result.sample else []
    badges += [f":blue-badge[{md(name, 24)}]" for name in result.entity_matches[:3]]
    if result.summary:
        badges.append(f":gray-badge[{labels.SUMMARY_BY.get(result.summary_origin, result.summary_origin)}]")
    return f":small[:gray[{' · '.join(facts)}]] {' '.join(badges)}"
