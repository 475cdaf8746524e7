"""A check of a video's claims as a file; strangers' text in it cannot run, load or break out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

from search_core.domain.claim import ClaimCheck, ClaimMoment, ClaimSource, ClaimsRun, ClaimState
from search_core.domain.plain_json import plain_json
from search_core.domain.video import VideoContext
from search_core.errors import UnknownFormatError
from search_core.language.dates import clock
from search_core.language.web_address import web_address
from search_core.search.presenting.claim_text import (
    JUDGED_BY,
    RULES_ALONE,
    SETTLED,
    WHAT_IT_MEANS,
    Evidence,
    copies_text,
    evidence_of,
    independence_text,
    own_name,
    own_verdict_text,
    settled_text,
    source_facts,
    verdict_text,
)
from search_core.search.presenting.dates import date_text, korean_date
from search_core.search.presenting.document import SOURCES, document_file, escape, heading, items, link, table, video_facts
from search_core.search.presenting.export import json_file
from search_core.search.presenting.wording import UNCERTAIN, UNTITLED_VIDEO, moment_url

ClaimsFormat = Literal["markdown", "html", "json"]
_Numbers = Mapping[tuple[str, str], int]
"""Numbers of sources by their keys."""
_STILL_RUNNING = "아직 확인하고 있어요. 여기까지의 내용이에요."
NO_PLACE = "시각 없음"


def export_claims(run: ClaimsRun, format_name: ClaimsFormat) -> bytes:
    """Return *run*, finished or not, as a file; raises UnknownFormatError."""
    match format_name:
        case "json":
            return json_file(plain_json(run))
        case "markdown" | "html":
            return document_file(_markdown(run), format_name)
    raise UnknownFormatError(format_name, get_args(ClaimsFormat))


def _markdown(run: ClaimsRun) -> Iterator[str]:
    video = run.request.video
    sources: dict[tuple[str, str], ClaimSource] = {}
    for source in (source for check in run.checks for source in check.sources):
        sources.setdefault(_identity(source), source)  # each address once
    numbers = {source: number for number, source in enumerate(sources, start=1)}
    yield f"# 영상 확인: {escape(video.title) or UNTITLED_VIDEO}"
    yield ""
    yield from items(_facts(run))
    yield from ("", WHAT_IT_MEANS)
    if run.judged_by_rules_alone:
        yield from ("", RULES_ALONE)
    yield from heading("한눈에")
    columns = ("번호", "시각", "주장", "판단", "독립된 출처", *([SETTLED] if settled_text(run.checks) else []))
    yield from table((columns, *(_glance(check, video)[: len(columns)] for check in run.checks)))
    yield from heading("주장마다")
    for check in run.checks:
        yield from _claim(check, video, numbers)
    yield from heading(SOURCES)
    yield from (_listed(number, source) for number, source in enumerate(sources.values(), start=1))
    if not sources:
        yield "비교할 출처가 없어요." if run.status.ended else "아직 찾은 출처가 없어요."
    if run.coverage:
        yield from heading("어디까지 확인했나요")
        yield from items(map(escape, run.coverage))


def counts_text(checks: Iterable[ClaimCheck]) -> str:
    """Return the counts of claims by verdict, as in "상충 2 · 일치 5"."""
    return " · ".join(f"{word} {count}" for word, count in Counter(map(verdict_text, checks)).most_common())


def _identity(source: ClaimSource) -> tuple[str, str]:
    return source.url, source.collection if source.url else source.title


def _listed(number: int, source: ClaimSource) -> str:
    facts = [own_name((source,)) if source.own else source.domain, date_text(source.publish_date)]
    facts += ["영상 쪽에서 낸 글"] if source.speakers_own else []
    title = link(source.title.strip() or source.url, "" if source.own else source.url)
    return f"{number}. {title} — {escape(' · '.join(filter(None, facts)))}"


def _facts(run: ClaimsRun) -> Iterator[str]:
    yield from (f"{name}: {escape(value)}" for name, value in _state(run))
    yield from video_facts(run.request.video)
    yield f"고른 주장 {len(run.checks)}개: {counts_text(run.checks)}"
    if settled := settled_text(run.checks):
        yield settled


def _state(run: ClaimsRun) -> Iterator[tuple[str, str]]:
    yield "확인한 날", korean_date(run.created_at)
    yield "상태", run.status.ending or _STILL_RUNNING
    yield from (("알림", failure.korean) for failure in run.failures)


def _glance(check: ClaimCheck, video: VideoContext) -> tuple[str, ...]:
    moments = ", ".join(_moment(moment, video) for moment in check.claim.places)
    count = f"{check.independent}곳" if check.verdict is not None else "–"
    settled = check.settled.label if check.settled is not None else ""
    return str(check.claim.number), moments or NO_PLACE, escape(check.claim.text), verdict_text(check), count, settled


def _moment(moment: ClaimMoment, video: VideoContext) -> str:
    return link(clock(moment.start_s), moment_url(video, moment.start_s))


def _claim(check: ClaimCheck, video: VideoContext, numbers: _Numbers) -> Iterator[str]:
    yield from heading(f"{check.claim.number}\\. {escape(check.claim.text)}", 3)
    evidence = evidence_of(check.rows, check.sources, check.verdict)
    yield from items(_claim_facts(check, video, found=bool(evidence.web)))
    own = own_name(row.source for row in evidence.own)
    yield from _rows("웹에서는", evidence.web, numbers)
    yield from _rows("영상 쪽에서는", evidence.speakers, numbers)
    yield from _rows(f"{own}에서는 (웹이 아니에요)", evidence.own, numbers)


def _claim_facts(check: ClaimCheck, video: VideoContext, *, found: bool) -> Iterator[str]:
    """Yield what is known of a claim except its evidence; if nothing was *found*, also what was searched for."""
    yield " · ".join(filter(None, (f"**{verdict_text(check)}**", independence_text(check), own_verdict_text(check))))
    if check.settled is not None:
        yield f"{SETTLED}: **{check.settled.label}**"
    for moment in check.claim.moments:
        place = f"{_moment(moment, video)} " if moment.timed else ""
        yield f"영상 {place}“{escape(moment.quote)}”{doubt(moment, video)}"
    if not check.claim.moments:
        yield "영상: 직접 더한 주장이라 시각이 없어요."
    yield from (escape(text) for text in (check.why, check.failure) if text.strip())
    if check.query and not found:
        tried = "찾아보려 했어요" if check.state is ClaimState.FAILED else "찾아봤어요"
        yield f"이렇게 {tried}: “{escape(check.query)}”"
        yield from map(escape, check.services)


def doubt(moment: ClaimMoment, video: VideoContext) -> str:
    """Return a mark for a quotation that speech recognition may have misheard; empty for any other."""
    return f" ({UNCERTAIN})" if video.is_uncertain(moment.start_s, moment.end_s) else ""


def _rows(title: str, rows: Iterable[Evidence], numbers: _Numbers) -> Iterator[str]:
    for place, row in enumerate(rows):
        if place == 0:
            yield from ("", f"**{title}**", "")
        address = "" if row.source.own else web_address(row.source.url) or ""
        cited = link(f"[{numbers[_identity(row.source)]}]", address)
        quote = f"“{escape(row.row.quote)}” " if row.row.quote else ""
        facts = filter(None, (source_facts(row), copies_text(row), row.why, f"{JUDGED_BY}: {row.row.judged_by}"))
        yield f"- **{row.row.label}** {quote}{cited}"
        yield f"  - {escape(' · '.join(facts))}"
        yield f"  - 영상에서는 “{escape(row.row.statement)}”"
