"""Sources beside a statement of the video, drawn alike in checks of answers and on cards of claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts.shared.escaping import clean, has_address, link, md, md_piece
from search_core.checking.verdicts.difference import Span, differing_parts, shared_values
from search_core.domain.stance import Stance
from search_core.search.presenting.claim_text import JUDGED_BY, Evidence, copies_text, own_name, source_facts
from search_core.search.presenting.dates import date_text

MAX_ROWS = 8
"""Most quotations in a fold; more would bury the rest of the page."""
QUOTE_CHARS = 260
NAME_CHARS = 70
LINE_CHARS, LINE_NAME_CHARS = 110, 36
NO_BREAK = "\u00a0"
"""A non-breaking space."""
_DECIDED = (Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED)


class Kind(NamedTuple):
    """How a verdict or a state is drawn: a word, a shape and a colour."""

    word: str
    icon: str
    colour: str

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
"""Kinds by the value of a stance or a state, in the order of the filters, the most urgent first.

Own documents, which are not the web, have labels of their own.
"""
JUDGES_HELP = (
    "규칙은 숫자·날짜·이름을 비교하고, 의미 모델은 다른 말로 쓴 같은 뜻을 읽어요. 괄호 안은 그 모델이 본 확률이에요. "
    "언어 모델은 둘이 가리지 못한 것을 봐요."
)


def choose_strongest(items: Sequence[Evidence], verdict: Stance | None) -> tuple[Evidence, ...]:
    """Return the source that supports *verdict* most, and one of another story, preferably an opposing one.

    The surest come first among *items*.
    """
    counted = [item for item in items if not item.uncounted and item.row.quote.strip()]
    first = next((item for item in counted if item.row.stance is verdict), next(iter(counted), None))
    if first is None:
        return ()
    others = [item for item in counted if item.row.independent_of != first.row.independent_of]
    opposing = (item for item in others if item.row.stance in _DECIDED and item.row.stance is not first.row.stance)
    second = next(opposing, next((item for item in others if item.row.stance is first.row.stance), None))
    return (first,) if second is None else (first, second)


def line(statement: str, item: Evidence) -> str:
    """Return in one line of Markdown the differing values of a *statement* and a source, or else the source's quotation."""
    spoken, quote = clean(statement, QUOTE_CHARS), clean(item.row.quote, QUOTE_CHARS)
    settles = item.row.stance in _DECIDED  # otherwise the values may be about different things
    values = (differing_parts(spoken, quote), shared_values(spoken, quote)) if settles else ()
    mine, theirs = next((both for both in values if all(both)), ((), ()))
    when = item.row.date or item.source.publish_date
    date = "" if when is None else date_text(when) if item.row.stance is Stance.CANNOT_TELL else f"{when.year}"
    whose = f":small[({', '.join(filter(None, (_link(item, LINE_NAME_CHARS), date)))})]"
    where = f":small[:gray[{md(own_name((item.source,)) if item.source.own else '웹')}]]"
    if not mine:
        return f"{where} “{md(clean(quote, LINE_CHARS))}” {whose}"
    one, other = (" · ".join(md(text[start:end]) for start, end in spans) for text, spans in ((spoken, mine), (quote, theirs)))
    return f":small[:gray[영상]] **{one}** ↔ {where} **{other}** {whose}"


def pair(key: str, statement: str, shown: Sequence[Evidence], *, head: str, moment: str = "") -> None:
    """Draw under *head* a *statement* of the video beside what the sources *shown* say; *key* is unique on the page."""
    with st.container(key=f"evidence-{key}"):
        st.markdown(f"{head}\n\n{pair_markdown(statement, shown, moment=moment)}".strip())


def pair_markdown(statement: str, shown: Sequence[Evidence], *, moment: str = "") -> str:
    """Return as a Markdown list a *statement* of the video and what the sources *shown* say, with the differences marked."""
    spoken = clean(statement, QUOTE_CHARS)
    quotes = [clean(item.row.quote, QUOTE_CHARS) for item in shown]
    parts = [differing_parts(spoken, quote) for quote in quotes]
    where = f"영상 {moment}".rstrip()
    lines = [f"- :small[:gray[:material/movie: {where}]]  \n  “{_marked(spoken, parts[0][0] if parts else ())}”"]
    for item, quote, (_, theirs) in zip(shown, quotes, parts, strict=True):
        lines.append(f"- {_badge(item)} :small[{_whose(item)}]  \n  “{_marked(quote, theirs)}”")
    return "\n".join(lines)


def fold_label(shown: Sequence[Evidence], rest: Sequence[Evidence]) -> str:
    """Return how many more sources the *rest* comes from; empty without any."""
    known = {item.source.url or item.source.title for item in shown}
    count = len({item.source.url or item.source.title for item in rest} - known)
    if not count:
        return "같은 출처의 다른 말" if rest else ""
    return f"다른 출처 {count}곳" if shown else f"출처 {count}곳"


def others_markdown(rest: Sequence[Evidence]) -> str:
    """Return as Markdown what the sources in *rest* say; above ``MAX_ROWS`` they are only counted."""
    parts = [_quotation(item) for item in rest[:MAX_ROWS]]
    if len(rest) > MAX_ROWS:
        parts.append(f":small[:gray[그 밖에 {len(rest) - MAX_ROWS}곳]]")
    return "\n\n".join(parts)


def judges(key: str, items: Sequence[Evidence]) -> None:
    """Offer details on who judged each source, and why."""
    if items:
        with st.popover(JUDGED_BY, key=f"judges-{key}", type="tertiary", icon=":material/gavel:"):
            lines = []
            for item in items:
                reasons = dict.fromkeys(text for text in (item.row.why, item.uncounted, copies_text(item)) if text.strip())
                whose = f"**{item.row.judged_by}** :small[:gray[{md(item.source.title or item.source.url, NAME_CHARS)}]]"
                why = "".join(f"  \n  :small[{md(text, 400)}]" for text in reasons)
                lines.append(f"- {KINDS[item.row.stance].badge} {whose}{why}")
            st.markdown("\n".join(lines))
            st.caption(JUDGES_HELP)


def _quotation(item: Evidence) -> str:
    quote = f"“{md(item.row.quote, QUOTE_CHARS)}”" if item.row.quote.strip() else ":gray[옮길 문장이 없어요]"
    lines = [f"{_badge(item)} {quote}", f":small[{_whose(item)}]"]
    lines += [f":small[:orange[{md(text, 300)}]]" for text in (item.uncounted, copies_text(item)) if text]
    return "> " + "  \n> ".join(lines)


def _badge(item: Evidence) -> str:
    return KINDS[item.row.stance]._replace(word=item.row.label).badge


def _link(item: Evidence, limit: int) -> str:
    return link(clean(item.source.title, limit) or clean(item.source.url, limit), item.source.url)


def _whose(item: Evidence) -> str:
    """Return the source's name as a link, and its facts, each on one line."""
    facts = f"· {md(source_facts(item), 300)}{' · 웹이 아니에요' if item.source.own else ''}"
    return f"{_link(item, NAME_CHARS)}{NO_BREAK}:gray[{facts.replace(' ', NO_BREAK).replace(f'·{NO_BREAK}', '· ')}]"


def _marked(text: str, spans: Sequence[Span]) -> str:
    """Return *text* as Markdown with *spans* in bold on a background; addresses are not split."""
    parts, done = [], 0
    for start, end in () if has_address(text) else spans:
        start, end = max(start, done), min(end, len(text))
        if start < end:
            parts += [md_piece(text[done:start]), f":orange-background[**{md(text[start:end])}**]"]
            done = end
    return "".join((*parts, md_piece(text[done:])))
