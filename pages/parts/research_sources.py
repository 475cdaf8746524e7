"""The sources of a run by site, the most relevant first: what each is, whether it was read, and where in the video it belongs."""

from __future__ import annotations

import streamlit as st

from pages.parts import chat_labels, chat_text, labels, library_document, research_labels, video_panel
from pages.parts.escaping import clean, link, md
from search_core.domain import ResearchRun, ResearchSource
from search_core.presenting import korean_date, points
from search_core.presenting.wording import count_sources
from search_core.video_time import clock

SNIPPET_CHARS = 220
QUOTE_CHARS = 40
ADDRESS_CHARS = 60


def sources(run: ResearchRun, *, live: bool, can_seek: bool) -> None:
    """Draw the sources of *run*; a moment moves the video there where there is one."""
    if not run.sources:
        if live and run.count:
            st.caption(research_labels.SOURCES_LATER)
        return
    from search_core.research import by_domain  # loaded by now: the run came through it

    st.markdown(f"**{heading(run)}**")
    uncited = [source for source in run.sources if source.number not in run.cited] if run.cited and not live else []
    sites = by_domain(source for source in run.sources if source not in uncited)
    for place, (domain, own) in enumerate(sites.items()):
        with st.container(border=True, key=f"site-{place}"):
            st.markdown(f":small[**{md(domain, 80) or research_labels.NO_SITE}** :gray[{len(own)}]]")
            for source in own:
                _source(source, live=live, can_seek=can_seek)
    if uncited:
        own_uncited = sum(source.own for source in uncited)
        label = research_labels.UNCITED.format(sources=count_sources(len(uncited), own_uncited))
        panel = st.expander(label, key=f"uncited-{run.id}", type="compact", icon=":material/link_off:", on_change="rerun")
        if panel.open:
            with panel:
                for source in uncited:
                    _source(source, live=live, can_seek=can_seek)


def heading(run: ResearchRun) -> str:
    """Return how many sources *run* has, own documents apart."""
    return count_sources(len(run.sources), sum(source.own for source in run.sources))


def _source(source: ResearchSource, *, live: bool, can_seek: bool) -> None:
    with st.container(key=f"source-{source.number}"):
        lines = [f":small[:gray[{_facts(source)}]]"]
        lines += [f":small[{md(source.snippet, SNIPPET_CHARS)}]"] if source.snippet.strip() else []
        title = clean(source.title, 200) or clean(source.url, 120)
        if source.url.startswith(library_document.PREFIX) and not live:  # what redraws itself would close the dialog
            library_document.title_button(f"{source.number}\\. :blue[{md(title)}]", source.url, f"title-source-{source.number}")
        else:
            lines.insert(0, f"{source.number}\\. {link(title, source.url)}")
        st.markdown("  \n".join(lines))
        if source.moment is None:
            return
        words = labels.MOMENT.format(time=clock(source.moment.start_s), quote=md(source.moment.text, QUOTE_CHARS))
        st.button(
            words,
            key=f"moment-source-{source.number}",
            icon=":material/play_arrow:",
            type="tertiary",
            help=labels.MOMENT_HELP,
            on_click=video_panel.seek,
            args=(source.moment.start_s,),
            disabled=not can_seek,
        )


def source_list(run: ResearchRun, *, can_seek: bool) -> str:
    """Return the sources as Markdown by site, the most relevant first; moments are links where there is a video."""
    from search_core.research import by_domain  # loaded by now: the run came through it

    lines: list[str] = []
    for domain, own in by_domain(run.sources).items():
        lines.append(f":small[**{md(domain, 80) or research_labels.NO_SITE}** :gray[{len(own)}]]")
        lines += [_as_markdown(source, can_seek=can_seek) for source in own]
    return "\n\n".join(lines)


def _as_markdown(source: ResearchSource, *, can_seek: bool) -> str:
    title = link(clean(source.title, 200) or clean(source.url, 120), source.url)
    lines = [f"{source.number}\\. {title}", f":small[:gray[{_facts(source)}]]"]
    lines += [f":small[{md(source.snippet, SNIPPET_CHARS)}]"] if source.snippet.strip() else []
    if source.moment is not None:
        at = chat_text.moment_link(source.moment.start_s) if can_seek else clock(source.moment.start_s)
        lines.append(f":small[▸ {at} “{md(source.moment.text, QUOTE_CHARS)}”]")
    return "  \n".join(lines)


def _facts(source: ResearchSource) -> str:
    shown = "" if source.own else source.url.split("://", 1)[-1].removeprefix("www.").rstrip("/")
    facts = [md(shown, ADDRESS_CHARS)] if shown else []
    facts.append(korean_date(source.publish_date) if source.publish_date else chat_labels.NO_DATE)
    score = points(source.relevance_score)
    if score is not None:
        facts.append(research_labels.RELEVANCE.format(points=score))
    facts.append(_reading(source))
    return " · ".join(facts)


def _reading(source: ResearchSource) -> str:
    if source.reading:
        return research_labels.READING
    if source.read is None:
        return research_labels.UNTRIED
    if source.read:
        return f":green[:material/check_circle: {research_labels.READ}]"
    from search_core.research import unread_reason  # loaded by now: the run came through it

    return f":orange[{research_labels.UNREAD.format(why=unread_reason(source.failure))}]"
