"""A comparison as a table and as a Korean paragraph; no model is at work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from search_core.domain import Comparison, SearchResult, Stance, WebSource
from search_core.presenting.dates import date_text
from search_core.presenting.wording import one_line
from search_core.stance.weighing import weigh_statements
from search_core.text.video_time import clock

_TIMES = {True: "영상 이후", False: "영상 당시까지", None: "시기 모름"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One row as people read it."""

    moment: str
    """``mm:ss``, or ``h:mm:ss`` from an hour on."""
    stance: str
    source: str
    date: str
    """As in "2026년 11월 3일", or that it is not known."""
    time: str
    """Whether the evidence is from before or after the video."""
    statement: str
    quote: str
    judge: str
    """Who judged, and how sure: "의미 모델 (86%)"."""
    independent: bool
    """True for the first source of its story that does not only repeat the video."""


def stance_table(comparison: Comparison, sources: Sequence[SearchResult | WebSource]) -> list[TableRow]:
    """Return the rows of *comparison* in words; *sources* are the ones that were compared."""
    seen: set[tuple[float, int]] = set()
    table = []
    for row in comparison.rows:
        source = sources[row.source]
        first = not row.restates_video and (row.moment_s, row.independent_of) not in seen
        seen.add((row.moment_s, row.independent_of))
        table.append(
            TableRow(
                moment=clock(row.moment_s),
                stance=row.stance.label,
                source=one_line(source.source).strip(),
                date=date_text(row.date),
                time=_TIMES[row.after_video],
                statement=row.statement,
                quote=row.quote,
                judge=row.judged_by,
                independent=first,
            )
        )
    return table


def stance_summary(comparison: Comparison) -> str:
    """Return one Korean paragraph: statements by their verdict, what is later than the video, and what was not counted."""
    if not comparison.rows:
        return "영상의 발언을 다루는 웹 자료를 찾지 못했어요."
    counted = [row for row in comparison.rows if not row.restates_video]
    stories = {row.independent_of for row in counted}
    if comparison.adds_nothing:
        parts = ["웹에서 영상의 내용을 뒷받침하거나 더해 주는 독립된 자료를 찾지 못했어요."]
    else:
        spoken = {(row.moment_s, row.statement) for row in counted}
        verdicts = [each.verdict.stance for each in weigh_statements(comparison) if (each.moment_s, each.statement) in spoken]
        numbers = {stance: verdicts.count(stance) for stance in Stance}
        parts = [f"영상의 발언 {len(verdicts)}개를 서로 독립된 출처 {len(stories)}곳과 견줬어요."]
        parts.append(f"{', '.join(f'{stance.label} {number}개' for stance, number in numbers.items() if number)}예요.")
    if any(row.stance is Stance.CHANGED for row in counted):
        parts.append("이후 변경은 영상이 나온 뒤에 달라진 내용이라, 영상이 틀렸다는 뜻은 아니에요.")
    copies = len({row.source for row in counted}) - len(stories)
    if copies:
        parts.append(f"같은 글을 옮겼거나 같은 곳에서 낸 자료 {copies}건은 따로 세지 않았어요.")
    repeating = len({row.source for row in comparison.rows if row.restates_video})
    if repeating:
        parts.append(f"영상을 그대로 옮긴 {repeating}곳은 세지 않았어요.")
    undated = [row for row in counted if row.after_video is None]
    if any(row.date is not None for row in undated):
        parts.append("영상의 날짜를 몰라서, 영상 뒤에 달라진 내용인지는 가리지 못했어요.")
    elif undated:
        parts.append("날짜를 모르는 자료가 있어서, 그 자료가 영상 뒤에 나왔는지는 가리지 못했어요.")
    return " ".join(parts)
