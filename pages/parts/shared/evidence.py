"""Sources beside a statement of the video, drawn alike in checks of answers and on cards of claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from pages.parts.shared.escaping import clean, has_address, link, md
from search_core.checking.verdicts.difference import Span, differing_parts, shared_values
from search_core.domain.stance import Stance, StanceRow
from search_core.search.presenting.claim_text import JUDGED_BY

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
QUOTED_VIDEO, QUOTED_VIDEO_AT, WEB = "영상", "영상 {moment}", "웹"
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


def choose_strongest(quotations: Sequence[Quotation], verdict: Stance | None) -> tuple[Quotation, ...]:
    """Return the quotation that supports *verdict* most, and one of another story, preferably an opposing one.

    The surest come first among *quotations*.
    """
    counted = [each for each in quotations if not each.uncounted and each.row.quote.strip()]
    first = next((each for each in counted if each.row.stance is verdict), next(iter(counted), None))
    if first is None:
        return ()
    others = [each for each in counted if each.row.independent_of != first.row.independent_of]
    opposing = (each for each in others if each.row.stance in _DECIDED and each.row.stance is not first.row.stance)
    second = next(opposing, next((each for each in others if each.row.stance is first.row.stance), None))
    return (first,) if second is None else (first, second)


def line(said: str, each: Quotation) -> str:
    """Return in one Markdown line what the video *said* and a source says; a decided difference by its values alone."""
    spoken, quote = clean(said, QUOTE_CHARS), clean(each.row.quote, QUOTE_CHARS)
    settles = each.row.stance in _DECIDED  # otherwise the values may be about different things
    values = (differing_parts(spoken, quote), shared_values(spoken, quote)) if settles else ()
    mine, theirs = next((both for both in values if all(both)), ((), ()))
    source = link(clean(each.name, LINE_NAME_CHARS) or clean(each.url, LINE_NAME_CHARS), each.url)
    whose = f":small[({source}{f', {each.year}' if each.year else ''})]"
    where = f":small[:gray[{md(each.place)}]]"
    if not mine:
        return f"{where} “{md(clean(quote, LINE_CHARS))}” {whose}"
    one, other = (" · ".join(md(text[start:end]) for start, end in spans) for text, spans in ((spoken, mine), (quote, theirs)))
    return f":small[:gray[{QUOTED_VIDEO}]] **{one}** ↔ {where} **{other}** {whose}"


def pair(key: str, said: str, shown: Sequence[Quotation], *, head: str, moment: str = "") -> None:
    """Draw under *head* what the video *said* beside the quotations *shown*; *key* is unique on the page."""
    with st.container(key=f"evidence-{key}"):
        st.markdown(f"{head}\n\n{pair_markdown(said, shown, moment=moment)}".strip())


def pair_markdown(said: str, shown: Sequence[Quotation], *, moment: str = "") -> str:
    """Return a Markdown list of what the video *said* and each quotation *shown*, with differences marked."""
    spoken = clean(said, QUOTE_CHARS)
    quotes = [clean(each.row.quote, QUOTE_CHARS) for each in shown]
    parts = [differing_parts(spoken, quote) for quote in quotes]
    where = QUOTED_VIDEO_AT.format(moment=moment) if moment else QUOTED_VIDEO
    lines = [f"- :small[:gray[:material/movie: {where}]]  \n  “{_marked(spoken, parts[0][0] if parts else ())}”"]
    for each, quote, (_, theirs) in zip(shown, quotes, parts, strict=True):
        lines.append(f"- {_badge(each)} :small[{_whose(each)}]  \n  “{_marked(quote, theirs)}”")
    return "\n".join(lines)


def fold_label(shown: Sequence[Quotation], rest: Sequence[Quotation]) -> str:
    """Return how many more sources the *rest* comes from; empty without any."""
    count = len({each.url or each.name for each in rest} - {each.url or each.name for each in shown})
    label = "다른 출처 {count}곳" if shown else "출처 {count}곳"
    return label.format(count=count) if count else "같은 출처의 다른 말" if rest else ""


def others_markdown(rest: Sequence[Quotation]) -> str:
    """Return as Markdown the quotations not shown beside the video; those past the limit are only counted."""
    parts = [_quotation(each) for each in rest[:MAX_ROWS]]
    if len(rest) > MAX_ROWS:
        parts.append(f":small[:gray[그 밖에 {len(rest) - MAX_ROWS}곳]]")
    return "\n\n".join(parts)


def judges(key: str, quotations: Sequence[Quotation]) -> None:
    """Offer details on who judged each source, and why."""
    if quotations:
        with st.popover(JUDGED_BY, key=f"judges-{key}", type="tertiary", icon=":material/gavel:"):
            lines = []
            for each in quotations:
                reasons = dict.fromkeys(text for text in (each.row.why, each.uncounted, each.note) if text.strip())
                whose = f"**{each.row.judged_by}** :small[:gray[{md(each.name, NAME_CHARS)}]]"
                why = "".join(f"  \n  :small[{md(text, 400)}]" for text in reasons)
                lines.append(f"- {KINDS[each.row.stance].badge} {whose}{why}")
            st.markdown("\n".join(lines))
            st.caption(JUDGES_HELP)


def _quotation(each: Quotation) -> str:
    """Return a source's quotation, its name and, if it does not count, the reason."""
    quote = f"“{md(each.row.quote, QUOTE_CHARS)}”" if each.row.quote.strip() else ":gray[옮길 문장이 없어요]"
    lines = [f"{_badge(each)} {quote}", f":small[{_whose(each)}]"]
    lines += [f":small[:orange[{md(text, 300)}]]" for text in (each.uncounted, each.note) if text]
    return "> " + "  \n> ".join(lines)


def _badge(each: Quotation) -> str:
    """Return as Markdown the shape and the word of a stance, in its colour."""
    return KINDS[each.row.stance]._replace(word=each.row.label).badge


def _whose(each: Quotation) -> str:
    """Return the source's name as a link, and its facts, each on one line."""
    name = link(clean(each.name, NAME_CHARS) or clean(each.url, NAME_CHARS), each.url)
    facts = f"· {md(each.facts, 300)}".replace(" ", NO_BREAK).replace(f"·{NO_BREAK}", "· ") if each.facts else ""
    return f"{name}{NO_BREAK}:gray[{facts}]" if facts else name


def _marked(text: str, spans: Sequence[Span]) -> str:
    """Return *text* as Markdown with *spans* in bold on a background; addresses are not split."""
    parts, done = [], 0
    for start, end in () if has_address(text) else spans:
        start, end = max(start, done), min(end, len(text))
        if start < end:
            parts += [_kept(text[done:start]), f":orange-background[**{md(text[start:end])}**]"]
            done = end
    return "".join((*parts, _kept(text[done:])))


def _kept(piece: str) -> str:
    """Return *piece* as Markdown with its outer spaces, which ``md`` strips."""
    inside = piece.strip()
    return piece.replace(inside, md(inside)) if inside else piece
