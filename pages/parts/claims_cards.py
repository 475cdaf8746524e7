"""The claims of a run as cards: what was said and where, what the web says of it, both sides quoted, and where to go with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import streamlit as st

from pages.parts import (
    chat_state,
    claims_labels,
    claims_marks,
    claims_timeline,
    evidence,
    library_document,
    research_state,
    video_panel,
)
from pages.parts.escaping import clean, md
from pages.parts.evidence import Quotation
from pages.parts.page_session import page_session
from search_core.domain import ClaimCheck, ClaimSource, ClaimsRun, ClaimState, VideoContext
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
    found, number = evidence_of(check), check.claim.number
    web, speakers, own = ([_quotation(check, each) for each in kind] for kind in (found.web, found.speakers, found.own))
    shown = evidence.choose_strongest(web, check.verdict) or evidence.choose_strongest(own, check.own_verdict)
    _head(check, run.request.video, shown)
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-claim-{number}"):
        for place, moment in enumerate(check.claim.places[:MAX_MOMENTS]):
            st.button(
                clock(moment.start_s),
                key=f"at-claim-{number}-{place}",
                icon=":material/play_arrow:",
                help=claims_labels.MOMENT_HELP,
                on_click=video_panel.seek,
                args=(moment.start_s,),
                disabled=page_session().video is None,
            )
        evidence.judges(f"claim-{number}", [*web, *speakers, *own])
        _go_on(check)
    if check.state is ClaimState.WAITING and not run.status.ended:
        return
    rest = [[each for each in kind if each not in shown] for kind in (web, speakers, own)]
    folded = _folded(check, *rest)
    if folded:
        label = evidence.fold_label(shown, [*rest[0], *rest[1]]) or _own_label(rest[2]) or claims_labels.ROWS_NONE
        key = claims_timeline.rows_key(run.id, number)
        panel = st.expander(label, key=key, type="compact", icon=":material/compare_arrows:", on_change="rerun")
        if panel.open:
            with panel:
                st.markdown(folded)
                if run.status.ended:  # what redraws itself would close the dialog
                    _own_documents(check)


def _own_label(own: Sequence[Quotation]) -> str:
    return claims_labels.ROWS_OWN.format(count=len({each.url for each in own})) if own else ""


def _head(check: ClaimCheck, video: VideoContext, shown: Sequence[Quotation]) -> None:
    """Draw the verdict in its shape, the claim and what the verdict rests on, and below what was said beside what *shown* say."""
    badge, doubt = claims_marks.badge(claims_marks.kind_of(check)), claims_marks.doubt(check.claim, video)
    lines = [f"{badge} **{md(check.claim.text, 500)}** {doubt}".rstrip()]
    said = next((moment.quote for moment in check.claim.moments if moment.quote.strip()), "")
    if not shown and said and clean(said) != clean(check.claim.text):
        lines.append(f":small[:gray[{claims_labels.IN_VIDEO}] “{md(said, QUOTE_CHARS)}”]")
    failure = claims_labels.NOT_ASKED if check.state is ClaimState.FAILED else check.failure
    count = independence_text(check)
    rests = ["" if count in check.why else count, check.why, failure, own_verdict_text(check)]
    known = [md(text, 400) for text in rests if text.strip()]
    if known:
        lines.append(f":small[:gray[{' · '.join(known)}]]")
    written = "  \n".join(lines)
    if shown:
        evidence.pair(f"claim-{check.claim.number}", said or check.claim.text, shown, head=written)
    else:
        st.markdown(written)


def _quotation(check: ClaimCheck, each: Evidence) -> Quotation:
    """Return what one source says of a claim as a block draws it."""
    source = each.source
    return Quotation(
        row=each.row,
        name=source.title or source.url,
        url=source.url,
        facts=" · ".join((source_facts(each), *([claims_labels.NOT_THE_WEB] if source.own else []))),
        uncounted=each.uncounted,
        note=" ".join(filter(None, (copies_text(each), evidence.together_text(each.row, [one.domain for one in check.sources])))),
    )


def _folded(check: ClaimCheck, web: list[Quotation], speakers: list[Quotation], own: list[Quotation]) -> str:
    """Return what the other sources say of a claim and what was searched for, as Markdown."""
    titles = ("", claims_labels.NOT_COUNTED, claims_labels.OWN_DOCUMENTS.format(name=own_name(_own_sources(check))))
    parts = []
    for title, quotations in zip(titles, (web, speakers, own), strict=True):
        if quotations:
            parts += [f":small[**{title}**]"] if title else []
            parts.append(evidence.others_markdown(quotations))
    searched = "  \n".join(f":small[:gray[{line}]]" for line in _searched(check))
    return "\n\n".join([*parts, *([searched] if searched else [])])


def _searched(check: ClaimCheck) -> Iterator[str]:
    if check.query:
        yield claims_labels.SEARCHED.format(query=md(check.query, 300))
    for sentence in check.services:
        yield md(sentence, 300)
    if check.state is ClaimState.FAILED and check.failure and not check.services:
        yield md(check.failure, 400)


def _own_sources(check: ClaimCheck) -> list[ClaimSource]:
    return [each.source for each in evidence_of(check).own]


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
