"""The claims of a run as cards: what was said and where, what the web says of it, both sides quoted, and where to go with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import streamlit as st

from pages.parts import chat_state, claims_labels, claims_marks, claims_timeline, library_document, research_state, video_panel
from pages.parts.escaping import clean, link, md
from pages.parts.page_session import page_session
from search_core.domain import ClaimCheck, ClaimsRun, ClaimState, VideoContext
from search_core.presenting.claim_text import (
    Evidence,
    copies_text,
    evidence_of,
    independence_text,
    own_name,
    own_verdict_text,
    source_facts,
)
from search_core.video_time import clock

MAX_MOMENTS = 6
MAX_ROWS = 8
QUOTE_CHARS = 260
TITLE_CHARS = 110


def cards(run: ClaimsRun, shown: Sequence[ClaimCheck]) -> None:
    """Draw a card for each of *shown*."""
    with st.container(key="claims-cards"):
        if len(shown) < len(run.checks):
            words = claims_labels.FILTERED.format(total=len(run.checks), shown=len(shown))
            st.caption(words if shown else claims_labels.FILTERED_NONE)
        for check in shown:
            with st.container(border=True, key=f"claim-{check.claim.number}"):
                _card(run, check)


def _card(run: ClaimsRun, check: ClaimCheck) -> None:
    st.markdown(head(check, run.request.video))
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-claim-{check.claim.number}"):
        for place, moment in enumerate(check.claim.places[:MAX_MOMENTS]):
            st.button(
                clock(moment.start_s),
                key=f"at-claim-{check.claim.number}-{place}",
                icon=":material/play_arrow:",
                help=claims_labels.MOMENT_HELP,
                on_click=video_panel.seek,
                args=(moment.start_s,),
                disabled=page_session().video is None,
            )
        _go_on(check)
    rows = _rows(run, check)
    if rows:
        key = claims_timeline.rows_key(run.id, check.claim.number)
        panel = st.expander(_rows_label(check), key=key, type="compact", icon=":material/compare_arrows:", on_change="rerun")
        if panel.open:
            with panel:
                st.markdown(rows)
                if run.status.ended:  # what redraws itself would close the dialog
                    _own_documents(check)


def _rows_label(check: ClaimCheck) -> str:
    spoken = {row.source for row in check.rows if row.source < len(check.sources)}
    web = sum(not check.sources[place].own for place in spoken)
    if web:
        return claims_labels.ROWS.format(count=web)
    return claims_labels.ROWS_OWN.format(count=len(spoken)) if spoken else claims_labels.ROWS_NONE


def head(check: ClaimCheck, video: VideoContext) -> str:
    """Return the verdict in its shape, the claim, what was said and what the verdict rests on, as Markdown."""
    badge, doubt = claims_marks.badge(claims_marks.kind_of(check)), claims_marks.doubt(check.claim, video)
    lines = [f"{badge} **{md(check.claim.text, 500)}** {doubt}".rstrip()]
    quote = next((moment.quote for moment in check.claim.moments if moment.quote.strip()), "")
    if quote and clean(quote) != clean(check.claim.text):
        lines.append(f":small[:gray[{claims_labels.IN_VIDEO}] “{md(quote, QUOTE_CHARS)}”]")
    failure = claims_labels.NOT_ASKED if check.state is ClaimState.FAILED else check.failure
    count = independence_text(check)
    rests = ["" if count in check.why else count, check.why, failure, own_verdict_text(check)]
    known = [md(text, 400) for text in rests if text.strip()]
    if known:
        lines.append(f":small[:gray[{' · '.join(known)}]]")
    return "  \n".join(lines)


def _rows(run: ClaimsRun, check: ClaimCheck) -> str:
    """Return what sources say of a claim and what was searched for, as Markdown."""
    if check.state is ClaimState.WAITING and not run.status.ended:
        return ""
    found = evidence_of(check)
    parts = list(_listed(found.web))
    parts += _section(claims_labels.NOT_COUNTED, found.speakers)
    parts += _section(claims_labels.OWN_DOCUMENTS.format(name=own_name(each.source for each in found.own)), found.own)
    searched = "  \n".join(f":small[:gray[{line}]]" for line in _searched(check))
    return "\n\n".join([*parts, *([searched] if searched else [])])


def _searched(check: ClaimCheck) -> Iterator[str]:
    if check.query:
        yield claims_labels.SEARCHED.format(query=md(check.query, 300))
    for sentence in check.services:
        yield md(sentence, 300)
    if check.state is ClaimState.FAILED and check.failure and not check.services:
        yield md(check.failure, 400)


def _section(title: str, rows: Sequence[Evidence]) -> list[str]:
    return [f":small[**{title}**]", *_listed(rows)] if rows else []


def _listed(rows: Sequence[Evidence]) -> Iterator[str]:
    yield from (_row(each) for each in rows[:MAX_ROWS])
    if len(rows) > MAX_ROWS:
        yield f":small[:gray[{claims_labels.MORE_ROWS.format(count=len(rows) - MAX_ROWS)}]]"


def _row(evidence: Evidence) -> str:
    """Return what one source says beside what the video says, and who it is."""
    row, source = evidence.row, evidence.source
    badge = claims_marks.badge(claims_labels.STANCE_KINDS[row.stance])
    title = link(clean(source.title, TITLE_CHARS) or clean(source.url, TITLE_CHARS), source.url)
    facts = " · ".join(md(text, 300) for text in (source_facts(evidence), copies_text(evidence)) if text)
    lines = [f"{badge} “{md(row.quote, QUOTE_CHARS)}”" if row.quote.strip() else badge]
    lines.append(f":small[:gray[{claims_labels.IN_VIDEO}] “{md(row.statement, QUOTE_CHARS)}”]")
    lines.append(f":small[{title} :gray[· {facts}]]")
    lines += [f":small[:gray[{md(evidence.why, 300)}]]"] if evidence.why else []
    return "> " + "  \n> ".join(lines)


def _own_documents(check: ClaimCheck) -> None:
    """Offer to read the own documents that speak of a claim."""
    own: Iterable[Evidence] = evidence_of(check).own
    for place, each in enumerate(own):
        if each.source.url.startswith(library_document.PREFIX):
            title = claims_labels.READ_OWN.format(title=md(each.source.title, TITLE_CHARS))
            library_document.title_button(f":blue[{title}]", each.source.url, f"title-own-{check.claim.number}-{place}")


def _go_on(check: ClaimCheck) -> None:
    """Offer to take a claim on to a conversation, to research or to a search."""
    choices = {"chat": claims_labels.TO_CHAT, "research": claims_labels.TO_RESEARCH, "search": claims_labels.TO_SEARCH}
    picked = st.menu_button(
        claims_labels.GO_ON,
        options=list(choices),
        format_func=choices.__getitem__,
        key=f"go-on-{check.claim.number}",
        type="tertiary",
        icon=":material/arrow_outward:",
    )
    text = check.claim.text
    if picked == "chat":
        chat_state.chat_page().handed_over = claims_labels.CHAT_QUESTION.format(text=text)
        st.switch_page("pages/chat.py")
    elif picked == "research":
        st.session_state[research_state.QUESTION_KEY] = claims_labels.RESEARCH_QUESTION.format(text=text)
        research_state.research_page().leave()
        st.switch_page("pages/research.py")
    elif picked == "search":
        page_session().handed_over = text
        st.switch_page("pages/search.py")
