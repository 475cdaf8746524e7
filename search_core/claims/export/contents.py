"""What a file of a check holds: the claims on one table, each with its evidence, the sources, coverage and times, in Korean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from search_core.domain import ClaimCheck, ClaimMoment, ClaimSource, ClaimsRun, ClaimsStatus, VideoContext
from search_core.presenting import UNCERTAIN, korean_date, transcript_source
from search_core.presenting.claim_text import (
    JUDGED_BY,
    RULES_ALONE,
    Evidence,
    copies_text,
    evidence_of,
    independence_text,
    own_name,
    own_verdict_text,
    source_facts,
    verdict_text,
)
from search_core.presenting.document.blocks import (
    Block,
    Document,
    Heading,
    Items,
    Paragraph,
    Run,
    SourceEntry,
    Table,
    plain_runs,
)
from search_core.presenting.wording import moment_url
from search_core.video_time import clock
from search_core.visible import visible
from search_core.web_address import web_address

ENDS = {
    ClaimsStatus.COMPLETE: "끝까지 확인했어요.",
    ClaimsStatus.FINISHED_EARLY: "여기까지 확인하고 마무리했어요.",
    ClaimsStatus.STOPPED: "사용자가 멈춘 확인이에요. 멈출 때까지의 내용이에요.",
    ClaimsStatus.FAILED: "확인이 끝까지 되지 못했어요.",
}
STILL_RUNNING = "아직 확인하고 있어요. 여기까지의 내용이에요."
WHAT_IT_MEANS = "판단은 찾은 출처가 영상과 같게 말하는지, 다르게 말하는지를 뜻해요. 무엇이 옳은지 가린 것이 아니에요."
UNTITLED = "제목 없는 영상"
NO_PLACE = "시각 없음"
_TIMES = (
    ("검색 (주장마다 더한 값)", "search_duration_ms"),
    ("읽기 (주장마다 더한 값)", "reading_duration_ms"),
    ("견주기 (주장마다 더한 값)", "comparison_duration_ms"),
    ("처음부터 끝까지", "total_ms"),
)


def title_of(run: ClaimsRun) -> str:
    """Return what a check is called."""
    return f"영상 확인: {' '.join(visible(run.request.video.title).split()) or UNTITLED}"


def build_document(run: ClaimsRun) -> Document:
    """Return *run* as a document."""
    title = title_of(run)
    sources = _Sources(run)
    blocks: list[Block] = [Heading(1, (Run(title),)), _list(_facts(run)), Paragraph(plain_runs(WHAT_IT_MEANS))]
    blocks += [Paragraph(plain_runs(RULES_ALONE))] if run.judged_by_rules_alone else []
    blocks += [_heading("한눈에"), _glance(run), _heading("주장마다")]
    for check in run.checks:
        blocks += _claim(check, run.request.video, sources)
    blocks += [_heading("출처"), *(sources.entries() or [Paragraph(plain_runs("찾은 출처가 없어요."))])]
    if run.coverage:
        blocks += [_heading("어디까지 확인했나요"), _list(map(plain_runs, run.coverage))]
    return Document(title=title, blocks=(*blocks, *_times(run)))


def counts_text(checks: Iterable[ClaimCheck]) -> str:
    """Return how many claims came to what, as in "상충 2 · 일치 5"."""
    return " · ".join(f"{word} {count}" for word, count in Counter(map(verdict_text, checks)).most_common())


class _Sources:
    """Numbers the sources of all claims, each address once."""

    def __init__(self, run: ClaimsRun) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._known: list[ClaimSource] = []
        for check in run.checks:
            for source in check.sources:
                if _identity(source) not in self._numbers:
                    self._known.append(source)
                    self._numbers[_identity(source)] = len(self._known)

    def number(self, source: ClaimSource) -> int:
        return self._numbers[_identity(source)]

    def entries(self) -> list[Block]:
        return [_entry(number, source) for number, source in enumerate(self._known, start=1)]


def _identity(source: ClaimSource) -> tuple[str, str]:
    return source.url, source.collection if source.url else source.title


def _entry(number: int, source: ClaimSource) -> SourceEntry:
    date = korean_date(source.publish_date) if source.publish_date is not None else "날짜 모름"
    facts = [own_name((source,)) if source.own else source.domain, date]
    facts += ["영상 쪽에서 낸 글"] if source.speakers_own else []
    return SourceEntry(
        number=number,
        title=Run(_line(source.title.strip() or source.url), url=web_address(source.url) or ""),
        address="" if source.own else _line(source.url),
        facts=_line(" · ".join(filter(None, facts))),
        lines=(),
    )


def _heading(text: str) -> Heading:
    return Heading(2, (Run(text),))


def _list(lines: Iterable[tuple[Run, ...]]) -> Items:
    return Items(tuple((Paragraph(runs),) for runs in lines))


def _line(text: str) -> str:
    return plain_runs(text)[0].text


def _facts(run: ClaimsRun) -> Iterator[tuple[Run, ...]]:
    video = run.request.video
    yield plain_runs(f"확인한 날: {korean_date(run.created_at)}")
    yield plain_runs(f"상태: {ENDS.get(run.status, STILL_RUNNING)}")
    yield Run("영상: "), Run(_line(video.title) or UNTITLED, url=web_address(video.url) or "")
    if video.published_at is not None:
        yield plain_runs(f"영상이 나온 날: {korean_date(video.published_at)}")
    if source := transcript_source(video):
        yield plain_runs(f"자막: {source}")
    yield plain_runs(f"확인한 주장 {len(run.checks)}개: {counts_text(run.checks)}")
    for failure in run.failures:
        yield plain_runs(f"알림: {failure.korean}")


def _glance(run: ClaimsRun) -> Table:
    rows: list[tuple[tuple[Run, ...], ...]] = [tuple(map(plain_runs, ("번호", "시각", "주장", "판단", "독립된 출처")))]
    for check in run.checks:
        count = f"{check.independent}곳" if check.verdict is not None else "–"
        moments = _clocks(check.claim.places, run.request.video) or plain_runs(NO_PLACE)
        texts = (str(check.claim.number), check.claim.text, verdict_text(check), count)
        number, text, verdict, independent = map(plain_runs, texts)
        rows.append((number, moments, text, verdict, independent))
    return Table(tuple(rows))


def _clocks(moments: Iterable[ClaimMoment], video: VideoContext) -> tuple[Run, ...]:
    runs: list[Run] = []
    for moment in moments:
        runs += [*([Run(", ")] if runs else []), Run(clock(moment.start_s), url=moment_url(video, moment.start_s))]
    return tuple(runs)


def _claim(check: ClaimCheck, video: VideoContext, sources: _Sources) -> Iterator[Block]:
    yield Heading(3, plain_runs(f"{check.claim.number}. {check.claim.text}"))
    found = evidence_of(check)
    lines: list[tuple[Run, ...]] = [_verdict(check)]
    for moment in check.claim.moments:
        place = (Run(clock(moment.start_s), url=moment_url(video, moment.start_s)), Run(" ")) if moment.timed else ()
        lines.append((Run("영상 "), *place, Run(_line(f"“{moment.quote}”") + doubt(moment, video))))
    if not check.claim.moments:
        lines.append(plain_runs("영상: 직접 더한 주장이라 시각이 없어요."))
    lines += [plain_runs(text) for text in (check.why, check.failure) if text.strip()]
    if check.query and not found.web:
        lines.append(plain_runs(f"이렇게 찾아봤어요: “{check.query}”"))
        lines += [plain_runs(sentence) for sentence in check.services]
    yield _list(lines)
    yield from _rows("웹에서는", found.web, sources)
    yield from _rows("영상 쪽에서는", found.speakers, sources)
    yield from _rows(f"{own_name(each.source for each in found.own)}에서는 (웹이 아니에요)", found.own, sources)


def doubt(moment: ClaimMoment, video: VideoContext) -> str:
    """Return the mark of a quotation that speech recognition may have got wrong; empty elsewhere."""
    return f" ({UNCERTAIN})" if video.is_uncertain(moment.start_s, moment.end_s) else ""


def _verdict(check: ClaimCheck) -> tuple[Run, ...]:
    more = " · ".join(filter(None, (independence_text(check), own_verdict_text(check))))
    return Run(verdict_text(check), bold=True), Run(f" · {more}" if more else "")


def _rows(title: str, rows: Iterable[Evidence], sources: _Sources) -> Iterator[Block]:
    items: list[tuple[Block, ...]] = []
    for each in rows:
        cited = Run(f"[{sources.number(each.source)}]", cites=sources.number(each.source))
        quote = (Run(" "), Run(_line(f"“{each.row.quote}”"))) if each.row.quote else ()
        said = (Run(each.row.stance.label, bold=True), *quote, Run(" "), cited)
        facts = " · ".join(filter(None, (source_facts(each), copies_text(each), each.why, f"{JUDGED_BY}: {each.row.judged_by}")))
        items.append((Paragraph(said), Items(((Paragraph(plain_runs(facts)),), (Paragraph(plain_runs(_uncertain_mark(each))),)))))
    if items:
        yield from (Paragraph((Run(title, bold=True),)), Items(tuple(items)))


def _uncertain_mark(evidence: Evidence) -> str:
    return f"영상에서는 “{evidence.row.statement}”"


def _times(run: ClaimsRun) -> list[Block]:
    spent = [(label, getattr(run.metrics, name)) for label, name in _TIMES]
    shown = [(label, f"{milliseconds / 1000:.1f}초") for label, milliseconds in spent if milliseconds > 0]
    if not shown:
        return []
    rows = (tuple(plain_runs(label) for label, _ in shown), tuple(plain_runs(value) for _, value in shown))
    return [_heading("걸린 시간"), Table(rows)]
