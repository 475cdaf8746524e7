"""A video's statements held against sources: one row for each statement and source that speaks of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from search_core import korean
from search_core.answering.comparison.across_languages import Nearness, NearnessTable
from search_core.answering.comparison.claim import Claim, claim_text, is_table, read_claim
from search_core.answering.comparison.independence import Standing, standings
from search_core.answering.comparison.rulings import Ruling, rulings_in
from search_core.answering.comparison.verdict import Setting, Verdict, judge
from search_core.domain import Comparison, SearchResult, Stance, StanceRow, Statement, VideoContext
from search_core.entities import find_entities
from search_core.presenting.dates import aware, day_in_korea
from search_core.sentences import sentences_of

MAX_STATEMENTS = 40
MAX_SOURCES = 30
MAX_STATEMENT_SENTENCES = 8
MAX_SOURCE_SENTENCES = 60
MAX_SOURCE_CHARS = 20_000
LEAST_WORDS = 2
"""Sentences with fewer content words and without a number are greetings and the like."""
_CLOCK_SLACK = timedelta(days=1)
_DECISIVE = {Stance.AGREE: 0.6, Stance.CONTRADICTS: 0.6, Stance.CHANGED: 0.6, Stance.ADDS: 0.3, Stance.CANNOT_TELL: 0.0}
_PREFERRED = (Stance.AGREE, Stance.CHANGED, Stance.CONTRADICTS, Stance.ADDS, Stance.CANNOT_TELL)
"""Of equally sure verdicts of one source the first stands: a page that says both does not contradict."""
_ANNOUNCES = re.compile(
    r"(?:이야기|얘기|말씀|소개|설명|정리|발표)(?:를|을)?\s*(?:하겠|합니다|할게|해\s*보겠|해\s*볼게|드리겠|드릴게|나누겠|시작하겠|시작할게)"
    r"|(?:살펴|알아|짚어|들여다|(?<![가-힣])(?:을|를)?)\s*(?:보겠|보시죠|봅시다|볼게|보도록)|다뤄\s*보겠"
    r"|\b(?:let's|let us|today (?:we|i)(?:'ll| will)|we(?:'ll| will|'re going to)|i(?:'ll| will|'m going to))\s+"
    r"(?:look at|talk about|discuss|explore|cover|see)\b",
    re.IGNORECASE,
)
"""A sentence that only says what will be spoken of: a page that speaks of it, too, bears out nothing."""
_ASKS = re.compile(
    r"[?？]\s*[\"'”’)]*$|(?:까요|나요|을까|ㄹ까|는가)[.…]?\s*$|(?:구독|좋아요|알림)\S*\s.{0,20}(?:부탁|눌러)"
    r"|(?:십시오|보세요|주세요|바랍니다)[.!]*\s*$"
    r"|^(?:감사합니다|고맙습니다|안녕하세요|반갑습니다|(?:thank you|thanks|hello|welcome)\b)",
    re.IGNORECASE,
)
"""A question, a request or a greeting."""
_WE = re.compile(r"우리|저희|당사|\b(?:we|our|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _ReadSource:
    """A source read once for all statements."""

    claims: tuple[tuple[str, Claim], ...]
    """(sentence, claim): what the text rules on, its sentences, the title."""
    names: tuple[str, ...]
    published: datetime | None
    day: date | None
    standing: Standing


def compare(
    statements: Sequence[Statement],
    sources: Sequence[SearchResult],
    video: VideoContext,
    now: datetime,
    pages: Mapping[str, str] | None = None,
    nearness: Nearness | None = None,
    told: Sequence[Standing] | None = None,
) -> Comparison:
    """Return how *sources* stand to *statements* of *video*.

    *pages* holds the text of pages that were read, by address; of other sources the snippet counts. A source dated after *now*
    counts as undated. At most ``MAX_STATEMENTS`` and ``MAX_SOURCES`` are compared; the rest is counted in the result.
    *nearness* is asked of sentences in two languages, whose words cannot be held against each other, of what pages rule on, and
    of articles that may be one in two languages. *told* holds the standing of each source where that is known already.
    """
    read = _read_sources(sources[:MAX_SOURCES], video, now, pages or {}, nearness, told)
    video_day = day_in_korea(video.published_at) if video.published_at else None
    context = _video_names(video)
    rows: list[StanceRow] = []
    spoken = [(statement, _read_statement(statement.text, video_day)) for statement in statements[:MAX_STATEMENTS]]
    near = NearnessTable(
        nearness,
        [text for _, said in spoken for text, _ in said],
        [[text for text, claim in source.claims if claim.ruling is None] for source in read],
        {text: claim.text for source in read for text, claim in source.claims if claim.ruling is not None},
    )
    for statement, said in spoken:
        rated = (_row(statement, said, place, source, video_day, context, near) for place, source in enumerate(read))
        found = [row for row in rated if row is not None]
        rows += sorted(found, key=lambda row: (-_weight(row.stance, row.confidence), row.source))
    return Comparison.of(
        rows,
        unread_statements=max(0, len(statements) - MAX_STATEMENTS),
        unread_sources=max(0, len(sources) - MAX_SOURCES),
    )


def asserted_sentences(text: str, day: date | None) -> tuple[str, ...]:
    """Return the sentences of *text*, which is said on *day*, that can be held against others; no more are read."""
    return tuple(sentence for sentence, _ in _read_statement(text, day))


def _read_statement(text: str, day: date | None) -> tuple[tuple[str, Claim], ...]:
    read = ((sentence, read_claim(sentence, day)) for sentence in sentences_of(text, MAX_STATEMENT_SENTENCES))
    return tuple((sentence, claim) for sentence, claim in read if _claims(sentence, claim))


def _claims(text: str, claim: Claim) -> bool:
    """Tell whether a sentence says anything that can be right or wrong: it neither asks nor says what will be spoken of."""
    if _ASKS.search(text):
        return False
    if claim.figures or claim.roles:
        return True
    return len(claim.words) >= LEAST_WORDS and _ANNOUNCES.search(text) is None


def _read_sources(
    sources: Sequence[SearchResult],
    video: VideoContext,
    now: datetime,
    pages: Mapping[str, str],
    nearness: Nearness | None,
    told: Sequence[Standing] | None,
) -> tuple[_ReadSource, ...]:
    texts = [(pages.get(source.url) or source.snippet)[:MAX_SOURCE_CHARS] for source in sources]
    sentences = [
        (*(each for each in sentences_of(text, MAX_SOURCE_SENTENCES) if not is_table(each)), *sentences_of(source.title, 1))
        for text, source in zip(texts, sources, strict=True)
    ]
    together = [claim_text(sentence) for own in sentences for sentence in own]
    korean.morphemes_of([text for text in together if korean.has_hangul(text)])  # kept for the claims
    read = []
    known = standings(sources, texts, video, nearness) if told is None else told[: len(sources)]
    for source, text, own, standing in zip(sources, texts, sentences, known, strict=True):
        published = (
            source.publish_date if source.publish_date and aware(source.publish_date) <= aware(now) + _CLOCK_SLACK else None
        )
        day = day_in_korea(published) if published else None
        title = read_claim(source.title, day)
        claims = tuple((sentence, _with_title_periods(read_claim(sentence, day), title)) for sentence in own)
        ruled = tuple((found.quote, _ruled_claim(found, day)) for found in rulings_in(text))
        read.append(_ReadSource((*ruled, *claims), title.names, published, day, standing))
    return tuple(read)


def _ruled_claim(found: Ruling, day: date | None) -> Claim:
    return replace(read_claim(found.content, day), open=False, ruling=found.holds)


def _with_title_periods(claim: Claim, title: Claim) -> Claim:
    """Return *claim* with the time its page's title names where it names none itself."""
    return (
        claim
        if claim.periods or not title.periods
        else replace(claim, periods=tuple(replace(p, start=0, end=0) for p in title.periods))
    )


def _row(
    statement: Statement,
    said: Sequence[tuple[str, Claim]],
    place: int,
    source: _ReadSource,
    video_day: date | None,
    context: tuple[str, ...],
    near: NearnessTable,
) -> StanceRow | None:
    """Return the row of the surest pair of sentences, or None when the source does not speak of the statement."""
    best: tuple[float, Verdict, str, str] | None = None
    spoken = tuple(dict.fromkeys(name for _, claim in said for name in claim.names))
    for sentence, claim in said:
        setting = Setting(spoken or context, source.names, video_day, source.day)
        if not claim.names and _WE.search(sentence):
            setting = replace(setting, said_names=context or spoken)
        for quote, web in source.claims:
            verdict = judge(claim, web, setting, near.get(sentence, quote))
            if verdict is None:
                continue
            weight = _weight(verdict.stance, verdict.confidence)
            if best is None or (weight, -_PREFERRED.index(verdict.stance)) > (best[0], -_PREFERRED.index(best[1].stance)):
                best = (weight, verdict, sentence, quote)
    if best is None:
        return None
    _, verdict, sentence, quote = best
    return StanceRow(
        moment_s=statement.start_s,
        statement=sentence,
        stance=verdict.stance,
        source=place,
        quote=quote,
        date=source.published,
        after_video=None if video_day is None or source.day is None else source.day > video_day,
        independent_of=source.standing.group,
        confidence=verdict.confidence,
        restates_video=source.standing.restates_video,
        why=f"{verdict.why} 영상을 옮긴 글이라 따로 세지 않아요." if source.standing.restates_video else verdict.why,
    )


def _weight(stance: Stance, confidence: float) -> float:
    return round(_DECISIVE[stance] + confidence, 3)


def _video_names(video: VideoContext) -> tuple[str, ...]:
    """Return the names that stand for a statement which names nobody."""
    found = (*video.organizations, *video.speakers, *(entity.text for entity in find_entities(video.title)))
    return tuple(dict.fromkeys(found))
