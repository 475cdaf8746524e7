"""A check as a table for spreadsheets: a line for each source of each claim, none of which a spreadsheet runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from search_core.claims.export.contents import ENDS, STILL_RUNNING, doubt
from search_core.domain import ClaimCheck, ClaimsRun, VideoContext
from search_core.presenting import korean_date, transcript_source
from search_core.presenting.claim_text import (
    JUDGED_BY,
    RULES_ALONE,
    TIMES,
    Evidence,
    copies_text,
    evidence_of,
    own_name,
    own_verdict_text,
    verdict_text,
)
from search_core.presenting.export import WEB_KIND, inert_cell
from search_core.presenting.wording import moment_url
from search_core.video_time import clock

COLUMNS = (
    "번호",
    "시각",
    "영상 주소",
    "주장",
    "영상에서 한 말",
    "판단",
    "독립된 출처",
    "까닭",
    "검색어",
    "내 자료의 판단",
    "출처의 판단",
    JUDGED_BY,
    "출처의 말",
    "출처",
    "출처 주소",
    "사이트",
    "날짜",
    "영상보다",
    "세지 않은 까닭",
    "자료",
)


def csv_file(run: ClaimsRun) -> bytes:
    """Return *run* as CSV, UTF-8 with a mark for spreadsheets."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for check in run.checks:
        for line in _lines(check, run.request.video):
            writer.writerow([check.claim.number, *map(inert_cell, line)])
    writer.writerow([])
    for label, value in _frame(run):
        writer.writerow([label, inert_cell(value)])
    return file.getvalue().encode("utf-8-sig", "replace")


def _lines(check: ClaimCheck, video: VideoContext) -> Iterator[tuple[str, ...]]:
    claim, found = check.claim, evidence_of(check)
    head = (
        ", ".join(clock(moment.start_s) for moment in claim.places),
        moment_url(video, claim.start_s) if claim.start_s is not None else "",
        claim.text,
        " / ".join(moment.quote + doubt(moment, video) for moment in claim.moments),
        verdict_text(check),
        str(check.independent) if check.verdict is not None else "",
        " ".join(filter(None, (check.why, check.failure))),
        check.query,
        own_verdict_text(check),
    )
    rows = [_source(each) for each in (*found.web, *found.speakers, *found.own)]
    yield from ((*head, *row) for row in rows or [("",) * (len(COLUMNS) - len(head) - 1)])


def _source(evidence: Evidence) -> tuple[str, ...]:
    row, source = evidence.row, evidence.source
    date = row.date or source.publish_date
    return (
        row.stance.label,
        row.judged_by,
        row.quote,
        source.title,
        source.url,
        source.domain,
        date.isoformat() if date is not None else "",
        TIMES[row.after_video],
        evidence.uncounted or copies_text(evidence),
        own_name((source,)) if source.own else WEB_KIND,
    )


def _frame(run: ClaimsRun) -> Iterator[tuple[str, str]]:
    video = run.request.video
    yield "영상", video.title
    yield "영상 주소", video.url
    if video.published_at is not None:
        yield "영상이 나온 날", video.published_at.isoformat()
    if source := transcript_source(video):
        yield "자막", source
    yield "확인한 날", korean_date(run.created_at)
    yield "상태", ENDS.get(run.status, STILL_RUNNING)
    for failure in run.failures:
        yield "알림", failure.korean
    if run.judged_by_rules_alone:
        yield "알림", RULES_ALONE
    for line in run.coverage:
        yield "확인 범위", line
