"""Sources beside a statement of the video, drawn alike in checks of answers and on cards of claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from pages.parts.shared.escaping import clean, has_address, link, md, md_piece
from search_core.checking.verdicts.difference import Span, differing_parts, shared_values
from search_core.domain.stance import Stance, StanceRow
from search_core.search.presenting import claim_text
from search_core.search.presenting.claim_text import JUDGED_BY
from search_core.search.presenting.dates import date_text

MAX_ROWS = 8
"""Quotations in a fold; more would bury the rest of the page."""
QUOTE_CHARS = 260
NAME_CHARS = 70
LINE_CHARS, LINE_NAME_CHARS = 110, 36
NO_BREAK = "\u00a0"
"""A space at which no line ends."""
_DECIDED = (Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED)


class Kind(NamedTuple):
    """A word, a shape and a colour."""

    word: str
    icon: str
    colour: str

    @property
    def mark(self) -> str:
        """Return the shape in its colour, as Markdown."""
        return f":{self.colour}[{self.icon}]"

    @property
    def badge(self) -> str:
        """Return the shape and the word in their colour, as Markdown."""
        return f":{self.colour}-badge[{self.icon} {self.word}]"


KINDS = {
    "contradicts": Kind(Stance.CONTRADICTS.label, ":material/warning:", "red"),
    "changed": Kind(Stance.CHANGED.label, ":material/update:", "violet"),
    "agree": Kind(Stance.AGREE.label, ":material/check_circle:", "green"),
    "adds": Kind(Stance.ADDS.label, ":material/add_box:", "blue"),
    "cannot_tell": Kind(Stance.CANNOT_TELL.label, ":material/help:", "gray"),
    "own_contradicts": Kind("내 자료와 상충", ":material/warning:", "red"),
    "own_changed": Kind("내 자료: 이후 변경", ":material/update:", "violet"),
    "own_agree": Kind("내 자료와 일치", ":material/check_circle:", "green"),
    "failed": Kind("물어보지 못함", ":material/cloud_off:", "gray"),
    "left_out": Kind("확인하지 않음", ":material/remove:", "gray"),
    "going": Kind("확인 중", ":material/pending:", "blue"),
    "waiting": Kind("대기 중", ":material/radio_button_unchecked:", "gray"),
}
"""By the values of stances and of states, in the order of the filters, the most urgent first.

Own documents, which are not the web, have labels of their own.
"""
WEB = "웹"
JUDGES_HELP = (
    "규칙은 숫자·날짜·이름을 비교하고, 의미 모델은 다른 말로 쓴 같은 뜻을 읽어요. 괄호 안은 그 모델이 본 확률이에요. "
    "언어 모델은 둘이 가리지 못한 것을 봐요."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A source's statement, and the source."""

    row: StanceRow
    name: str
    """What the source is called."""
    url: str
    place: str = WEB
    """Whether it is of the web, or what the library is called."""
    year: str = ""
    """When it appeared; empty where that is not known."""
    facts: str = ""
    """Where it is from, when it appeared and what was read of it."""
    uncounted: str = ""
    """Why it does not count; empty where it does."""
    note: str = ""
    """Which other sources are counted as one with it."""


def quotation(item: claim_text.Evidence) -> Quotation:
    """Return what one source says, as a quotation to draw."""
    source, date = item.source, item.row.date or item.source.publish_date
    return Quotation(
        row=item.row,
        name=source.title or source.url,
        url=source.url,
        place=claim_text.own_name((source,)) if source.own else WEB,
        year="" if date is None else date_text(date) if item.row.stance is Stance.CANNOT_TELL else f"{date.year}",
        facts=" · ".join((claim_text.source_facts(item), *(["웹이 아니에요"] if source.own else []))),
        uncounted=item.uncounted,
        note=claim_text.copies_text(item),
    )


def choose_strongest(quotations: Sequence[Quotation], verdict: Stance | None) -> tuple[Quotation, ...]:
    """Return the quotation that supports *verdict* most, and one of another story, preferably an opposing one.

    The surest come first among *quotations*.
    """
    counted = [quotation for quotation in quotations if not quotation.uncounted and quotation.row.quote.strip()]
    first = next((quotation for quotation in counted if quotation.row.stance is verdict), next(iter(counted), None))
    if first is None:
        return ()
    others = [quotation for quotation in counted if quotation.row.independent_of != first.row.independent_of]
    opposing = (
        quotation for quotation in others if quotation.row.stance in _DECIDED and quotation.row.stance is not first.row.stance
    )
    second = next(opposing, next((quotation for quotation in others if quotation.row.stance is first.row.stance), None))
    return (first,) if second is None else (first, second)


def line(statement: str, quotation: Quotation) -> str:
    """Return in one line of Markdown the differing values of a *statement* and a source, or else the source's quotation."""
    spoken, quote = clean(statement, QUOTE_CHARS), clean(quotation.row.quote, QUOTE_CHARS)
    settles = quotation.row.stance in _DECIDED  # otherwise the values may be about different things
    values = (differing_parts(spoken, quote), shared_values(spoken, quote)) if settles else ()
    mine, theirs = next((both for both in values if all(both)), ((), ()))
    source = link(clean(quotation.name, LINE_NAME_CHARS) or clean(quotation.url, LINE_NAME_CHARS), quotation.url)
    whose = f":small[({source}{f', {quotation.year}' if quotation.year else ''})]"
    where = f":small[:gray[{md(quotation.place)}]]"
    if not mine:
        return f"{where} “{md(clean(quote, LINE_CHARS))}” {whose}"
    one, other = (" · ".join(md(text[start:end]) for start, end in spans) for text, spans in ((spoken, mine), (quote, theirs)))
    return f":small[:gray[영상]] **{one}** ↔ {where} **{other}** {whose}"


def pair(key: str, statement: str, shown: Sequence[Quotation], *, head: str, moment: str = "") -> None:
    """Draw under *head* a *statement* of the video beside the quotations *shown*; *key* is unique on the page."""
    with st.container(key=f"evidence-{key}"):
        st.markdown(f"{head}\n\n{pair_markdown(statement, shown, moment=moment)}".strip())


def pair_markdown(statement: str, shown: Sequence[Quotation], *, moment: str = "") -> str:
    """Return as a Markdown list a *statement* of the video and the quotations *shown*, with their differences marked."""
    spoken = clean(statement, QUOTE_CHARS)
    quotes = [clean(quotation.row.quote, QUOTE_CHARS) for quotation in shown]
    parts = [differing_parts(spoken, quote) for quote in quotes]
    where = f"영상 {moment}".rstrip()
    lines = [f"- :small[:gray[:material/movie: {where}]]  \n  “{_marked(spoken, parts[0][0] if parts else ())}”"]
    for quotation, quote, (_, theirs) in zip(shown, quotes, parts, strict=True):
        lines.append(f"- {_badge(quotation)} :small[{_whose(quotation)}]  \n  “{_marked(quote, theirs)}”")
    return "\n".join(lines)


def fold_label(shown: Sequence[Quotation], rest: Sequence[Quotation]) -> str:
    """Return how many more sources the *rest* comes from; empty without any."""
    known = {quotation.url or quotation.name for quotation in shown}
    count = len({quotation.url or quotation.name for quotation in rest} - known)
    if not count:
        return "같은 출처의 다른 말" if rest else ""
    return f"다른 출처 {count}곳" if shown else f"출처 {count}곳"


def others_markdown(rest: Sequence[Quotation]) -> str:
    """Return as Markdown the quotations not shown beside the video; those past the limit are only counted."""
    parts = [_quotation(quotation) for quotation in rest[:MAX_ROWS]]
    if len(rest) > MAX_ROWS:
        parts.append(f":small[:gray[그 밖에 {len(rest) - MAX_ROWS}곳]]")
    return "\n\n".join(parts)


def judges(key: str, quotations: Sequence[Quotation]) -> None:
    """Offer details on who judged each source, and why."""
    if quotations:
        with st.popover(JUDGED_BY, key=f"judges-{key}", type="tertiary", icon=":material/gavel:"):
            lines = []
            for quotation in quotations:
                reasons = dict.fromkeys(text for text in (quotation.row.why, quotation.uncounted, quotation.note) if text.strip())
                whose = f"**{quotation.row.judged_by}** :small[:gray[{md(quotation.name, NAME_CHARS)}]]"
                why = "".join(f"  \n  :small[{md(text, 400)}]" for text in reasons)
                lines.append(f"- {KINDS[quotation.row.stance].badge} {whose}{why}")
            st.markdown("\n".join(lines))
            st.caption(JUDGES_HELP)


def _quotation(quotation: Quotation) -> str:
    quote = f"“{md(quotation.row.quote, QUOTE_CHARS)}”" if quotation.row.quote.strip() else ":gray[옮길 문장이 없어요]"
    lines = [f"{_badge(quotation)} {quote}", f":small[{_whose(quotation)}]"]
    lines += [f":small[:orange[{md(text, 300)}]]" for text in (quotation.uncounted, quotation.note) if text]
    return "> " + "  \n> ".join(lines)


def _badge(quotation: Quotation) -> str:
    return KINDS[quotation.row.stance]._replace(word=quotation.row.label).badge


def _whose(quotation: Quotation) -> str:
    """Return the source's name as a link, and its facts, each on one line."""
    name = link(clean(quotation.name, NAME_CHARS) or clean(quotation.url, NAME_CHARS), quotation.url)
    facts = f"· {md(quotation.facts, 300)}".replace(" ", NO_BREAK).replace(f"·{NO_BREAK}", "· ") if quotation.facts else ""
    return f"{name}{NO_BREAK}:gray[{facts}]" if facts else name


def _marked(text: str, spans: Sequence[Span]) -> str:
    """Return *text* as Markdown with *spans* in bold on a background; addresses are not split."""
    parts, done = [], 0
    for start, end in () if has_address(text) else spans:
        start, end = max(start, done), min(end, len(text))
        if start < end:
            parts += [md_piece(text[done:start]), f":orange-background[**{md(text[start:end])}**]"]
            done = end
    return "".join((*parts, md_piece(text[done:])))
