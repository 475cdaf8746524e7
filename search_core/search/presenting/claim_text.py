"""The outcome of a claim's check in words: the same on pages, in terminals and in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from search_core.domain.claim import ClaimCheck, ClaimMoment, ClaimsBudget, ClaimSource, ClaimState, Settlement
from search_core.domain.result import SAMPLE_COLLECTION
from search_core.domain.stance import Stance, StanceRow
from search_core.domain.video import VideoContext
from search_core.search.presenting.dates import date_text
from search_core.search.presenting.formatter import SAMPLE
from search_core.search.presenting.ledger import OWN
from search_core.search.presenting.wording import READ

STATES = {
    ClaimState.WAITING: "차례를 기다려요",
    ClaimState.SEARCHING: "찾고 있어요",
    ClaimState.READING: "읽고 있어요",
    ClaimState.CHECKED: Stance.CANNOT_TELL.label,
    ClaimState.FAILED: "물어보지 못함",
    ClaimState.LEFT_OUT: "확인하지 않음",
}
TIMES = {True: "영상보다 나중", False: "영상보다 먼저", None: "모름"}
RESTATES = "영상 쪽에서 냈거나 영상을 옮긴 글이라 세지 않았어요"
JUDGED_BY = "판단 근거"
SETTLED = "직접 판단"
"""Label of a verdict that the user gave after reading the sources, beside the computed one."""
RULES_ALONE = "의미 모델 없이 규칙만으로 판단했어요."
WHAT_IT_MEANS = "판단은 찾은 출처가 영상과 같게 말하는지, 다르게 말하는지를 뜻해요. 무엇이 옳은지 가린 것은 아니에요."


def heard_badly(moments: Iterable[ClaimMoment], video: VideoContext) -> bool:
    """Return whether speech recognition is uncertain at one of *moments*."""
    return any(video.is_uncertain(moment.start_s, moment.end_s) for moment in moments)


def budget_text(budget: ClaimsBudget) -> str:
    """Return the maximum cost of a check, as in "검색 최대 24회 · 그중 유료 12회까지 · 언어 모델 최대 12회(96,000토큰)"."""
    if budget.paid == budget.searches:
        facts = [f"유료 검색 최대 {budget.paid}회"]
    else:
        facts = [f"검색 최대 {budget.searches}회", f"그중 유료 {budget.paid}회까지" if budget.paid else "유료 검색 없음"]
    if budget.judging.requests:
        facts.append(f"언어 모델 최대 {budget.judging.requests}회({budget.judging.tokens:,}토큰)")
    return " · ".join(facts)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One source's statement on a claim, and the sources that copy it."""

    row: StanceRow
    source: ClaimSource
    copies: tuple[ClaimSource, ...] = ()
    """Other sources of the same story: they are not counted."""

    @property
    def uncounted(self) -> str:
        """Return in Korean why the source does not count; empty if it does, and for own documents, which are separate."""
        return RESTATES if (self.source.speakers_own or self.row.restates_video) and not self.source.own else ""

    @property
    def why(self) -> str:
        """Return in Korean the reason for the stance and, if the source does not count, why not."""
        return self.row.why.strip() or self.uncounted


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """The rows of a check in the order of reading."""

    web: tuple[Evidence, ...]
    """Independent sources, one for each story; the ones that agree with the verdict come first."""
    speakers: tuple[Evidence, ...]
    """The video itself, its channel, its speakers, and sources that only repeat it."""
    own: tuple[Evidence, ...]
    """Documents of the library, which are not the web."""


def evidence_of(rows: Iterable[StanceRow], sources: Sequence[ClaimSource], verdict: Stance | None) -> ClaimEvidence:
    """Return the evidence in *rows* in three groups: web, speakers and own documents.

    Sources that copy a story are listed with it; web evidence whose stance is the *verdict* comes first.
    """
    items = _grouped(rows, sources)
    own = tuple(item for item in items if item.source.own)
    speakers = tuple(item for item in items if not item.source.own and item.uncounted)
    web = (item for item in items if not item.source.own and not item.uncounted)
    return ClaimEvidence(tuple(sorted(web, key=lambda item: item.row.stance is not verdict)), speakers, own)


def _grouped(rows: Iterable[StanceRow], sources: Sequence[ClaimSource]) -> list[Evidence]:
    items: dict[tuple[object, ...], Evidence] = {}
    for row in rows:
        if not 0 <= row.source < len(sources):
            continue
        source = sources[row.source]
        kind = (source.own, source.speakers_own or row.restates_video)
        key = (*kind, row.stance, *((row.source, row.quote) if any(kind) else (row.independent_of,)))
        item = items.setdefault(key, Evidence(row, source))
        if source.url != item.source.url and source not in item.copies:
            items[key] = replace(item, copies=(*item.copies, source))
    return list(items.values())


def verdict_text(check: ClaimCheck) -> str:
    """Return the word for the web's verdict on a claim, or for the state of its check."""
    return check.verdict.label if check.verdict is not None else STATES[check.state]


def settled_text(checks: Iterable[ClaimCheck]) -> str:
    """Return the counts of a person's verdicts, as in "직접 판단: 맞음 2 · 다름 1"; empty without any."""
    counts = Counter(check.settled for check in checks)
    counts_text = [f"{settlement.label} {counts[settlement]}" for settlement in Settlement if counts[settlement]]
    return f"{SETTLED}: {' · '.join(counts_text)}" if counts_text else ""


def own_verdict_text(check: ClaimCheck) -> str:
    """Return own documents' verdict on a claim, labelled as such; empty if none is relevant."""
    if check.own_verdict is None:
        return ""
    return f"{own_name(source for source in check.sources if source.own)}에서는 {check.own_verdict.label}"


def own_name(sources: Iterable[ClaimSource]) -> str:
    """Return the name for documents of the library, which says if they are only samples."""
    kinds = {source.collection for source in sources}
    return f"{OWN}({SAMPLE})" if kinds == {SAMPLE_COLLECTION} else OWN


def independence_text(check: ClaimCheck) -> str:
    """Return how many independent sources support the verdict, as in "독립된 출처 2곳"; empty without a verdict."""
    decided = check.verdict is not None and (check.independent or check.verdict is not Stance.CANNOT_TELL)
    return f"독립된 출처 {check.independent}곳" if decided else ""


def source_facts(evidence: Evidence) -> str:
    """Return a source's site, its date relative to the video, and how much of it was read."""
    source, row = evidence.source, evidence.row
    place = own_name((source,)) if source.own else source.domain
    facts = [place] if place else []
    facts.append(date_text(row.date or source.publish_date))
    facts += [TIMES[row.after_video]] if row.after_video is not None else []
    if not source.own:
        facts.append(READ[source.read])
    return " · ".join(facts)


def copies_text(evidence: Evidence) -> str:
    """Return in Korean the sources that copy this one; empty without any."""
    sites = ", ".join(dict.fromkeys(source.domain or source.title for source in evidence.copies))
    return f"같은 글을 옮겼거나 한 회사에서 낸 {len(evidence.copies)}곳은 하나로 셌어요: {sites}" if sites else ""
