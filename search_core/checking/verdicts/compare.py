"""A video's statements compared with sources: one row for each statement and relevant source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from search_core.checking.verdicts.fact_checks import fact_checks_in
from search_core.checking.verdicts.independence import SourceIndependence, Speakers, judge_independence
from search_core.checking.verdicts.judge import (
    SILENT,
    Entails,
    Judgement,
    OpenRow,
    ReadWindow,
    decide,
    exchange_values,
    in_order,
    weight,
)
from search_core.checking.verdicts.missing_support import equal_pairs, speaks_of_same, subject_names
from search_core.checking.verdicts.verdict import DECIDED, ComparisonContext, Verdict, judge_by_rules
from search_core.domain.result import SearchResult
from search_core.domain.stance import Judge, Stance, StanceRow, Statement
from search_core.domain.video import VideoContext
from search_core.language import korean
from search_core.language.entities.gazetteer import fold_name
from search_core.language.sentences import sentences_of
from search_core.language.statements.alignment import held_names, shared_words
from search_core.language.statements.proposition import (
    MAX_SENTENCE_CHARS,
    Proposition,
    is_table,
    read_proposition,
    readable_start,
)
from search_core.search.presenting.dates import aware, day_in_korea
from search_core.video.subject import subject_of

MAX_WINDOWS = 3
"""Windows (short parts) of a source that the entailment model reads."""
MAX_OPEN_WINDOWS = 6
"""Windows of a source that a language model reads of a row that no rule decides."""
NEAR = 0.3
"""Least nearness of a passage to an undecided statement at which the passage is shown beside it."""
_VALUE = 0.5
"""Weight of an equal value beside the share of shared words."""
_NAME = 0.3
_FOREIGN = 1e-6
"""Least score of a sentence in another language, which may say the same in words that no dictionary translates."""


def choose_windows(parts: Sequence[str], scores: Sequence[float], most: int = MAX_WINDOWS) -> tuple[str, ...]:
    """Return at most *most* windows of *parts*, those with the best *scores*; none if all are 0.

    First comes the nearest sentence, alone and after the one before it, which may name its subject; then the next nearest
    ones, and the sentence after the nearest.
    """
    order = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    if not order:
        return ()
    first, *others = order
    before = _joined(parts, first - 1) if first else []
    windows = [parts[first], *before, *(parts[place] for place in others[: max(1, most - 3)])]
    windows += [*_joined(parts, first), *(parts[place] for place in others)]
    return tuple(dict.fromkeys(windows))[:most]


def _joined(parts: Sequence[str], place: int) -> list[str]:
    """Return a list with the parts at *place* and after it as one window; empty if they are too long together."""
    joined = [f"{before} {part}" for before, part in pairwise(parts[place : place + 2])]
    return [window for window in joined if len(window) <= MAX_SENTENCE_CHARS]


def _score(statement: Proposition, proposition: Proposition) -> float:
    words = len(shared_words(statement.words, proposition.words)) / max(1, len(statement.words))
    values = _VALUE * bool(equal_pairs(statement, proposition))
    foreign = korean.has_hangul(statement.text) != korean.has_hangul(proposition.text)
    return words + values + _NAME * bool(held_names(statement.names, proposition.text)) or _FOREIGN * foreign


MAX_SOURCES = 30
MAX_STATEMENT_SENTENCES = 8
MAX_SOURCE_SENTENCES = 60
MAX_SOURCE_CHARS = 20_000
NEARBY_S = 120.0
"""A page is about what a sentence leaves unnamed if the video says the page's name within these seconds, or is about it."""
LEAST_WORDS = 2
"""A sentence with fewer content words, no number and no time ("안녕하세요") states nothing and is not compared."""
_CLOCK_SLACK = timedelta(days=1)
_PREFERRED = (Stance.AGREE, Stance.CHANGED, Stance.CONTRADICTS, Stance.ADDS, Stance.CANNOT_TELL)
"""Of equally sure verdicts of one source the earliest in this list counts: a page that also agrees does not contradict."""
_FAINTLY = 0.1
"""Factor that turns nearness into a confidence, lower than any verdict's."""
_NEAREST = "이 말에 가장 가까운 글이에요. 맞는지는 가리지 못했어요."
_SILENT = Verdict(Stance.CANNOT_TELL, 0.0, "이 출처로는 맞는지 가리지 못했어요.")
_ASKS = re.compile(
    r"[?？]\s*[\"'”’)]*$|(?:까요|나요|을까|ㄹ까|는가)[.…]?\s*$|(?:구독|좋아요|알림)\S*\s.{0,20}(?:부탁|눌러)"
    r"|(?:십시오|보세요|주세요|바랍니다)[.!]*\s*$"
    r"|^(?:감사합니다|고맙습니다|안녕하세요|반갑습니다|(?:thank you|thanks|hello|welcome)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _ReadSource:
    """A source, parsed once for all statements."""

    title: str
    parts: tuple[tuple[str, Proposition], ...]
    """The sentences of the text, from which windows are made, each with its parsed form."""
    beside: tuple[tuple[str, Proposition], ...]
    """The same for the title, and for statements that the text calls true or false ("Did A build B? No.")."""
    titled: tuple[str, ...]
    """What its title names."""
    published: datetime | None
    day: date | None
    independence: SourceIndependence

    def up_to(self, window: str) -> str:
        """Return the title and the text up to the end of *window*."""
        sentences = [sentence for sentence, _ in self.parts]
        places = [place for place, sentence in enumerate(sentences, start=1) if sentence in window]
        return "\n".join((self.title, *sentences[: max(places, default=0)], window))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A sentence of the video and a source, before the entailment model reads them."""

    statement: Statement
    sentence: str
    proposition: Proposition
    place: int
    source: _ReadSource
    context: ComparisonContext
    by_rules: Verdict | None
    windows: tuple[str, ...]
    nearest: tuple[float, str]
    """The score and the text of the passage that shares most with the sentence."""

    def read(self, window: ReadWindow) -> ReadWindow:
        """Return *window* with whether it is about what the sentence names."""
        around, context = self.source.up_to(window.text), self.context
        same = speaks_of_same(self.proposition, window.proposition, around, context.titled, context.video)
        return replace(window, same=same)


def judge_sources(
    statements: Sequence[Statement],
    sources: Sequence[SearchResult],
    video: VideoContext,
    now: datetime,
    pages: Mapping[str, str] | None = None,
    entails: Entails | None = None,
    *,
    open_windows: bool = False,
) -> Judgement:
    """Return the stance of *sources* to *statements*: a row for each sentence and each source relevant to it.

    *pages* has the text of read pages by address; otherwise the snippet counts. Sources dated after *now* count as undated. The
    first ``MAX_SOURCES`` are compared. *entails* judges windows of sources. Without it only rules judge,
    and rows are open only if *open_windows* has windows chosen.
    """
    read = _read_sources(sources[:MAX_SOURCES], video, now, pages or {})
    video_day = day_in_korea(video.published_at) if video.published_at else None
    spoken = [(statement, _read_statement(statement.text, video_day)) for statement in statements]
    about = (video.title, *video.speakers, *subject_of(video))
    said = {}
    for statement in statements:
        at_s = statement.moment_s or -2 * NEARBY_S  # 0 for words of one's own, said nowhere
        around = (each.text for each in video.transcript if abs(each.start_s - at_s) <= NEARBY_S)
        said[statement] = fold_name(" ".join((*about, *around)))
    most = MAX_OPEN_WINDOWS if open_windows else MAX_WINDOWS if entails is not None else 0
    pairs = [
        _pair(statement, own_propositions, number, place, source, video_day, said[statement], windows=most)
        for statement, own_propositions in spoken
        for number in range(len(own_propositions))
        for place, source in enumerate(read)
    ]
    readings = _entailments(pairs, entails)
    rows: list[StanceRow] = []
    left: list[OpenRow] = []
    for pair in pairs:
        texts = pair.windows[:MAX_WINDOWS] if readings else ()
        windows = [pair.read(readings[pair.sentence, text]) for text in texts]
        finding = decide(pair.proposition, windows, pair.by_rules, pair.context)
        row = _row(pair, finding)
        if pair.windows and (row.stance not in DECIDED or row.judge is Judge.ENTAILMENT_MODEL):
            left.append(OpenRow(row, pair.windows, tuple(window.found for window in windows), pair.proposition, pair.context))
        rows += [row] if finding is not None else []
    near = [
        _row(pair, Verdict(Stance.CANNOT_TELL, round(pair.nearest[0] * _FAINTLY, 3), _NEAREST, quote=pair.nearest[1]))
        for pair in pairs
        if pair.nearest[0] >= NEAR and not pair.source.independence.uncounted
    ]
    return Judgement(
        in_order(rows),
        tuple(left),
        in_order(near),
        sentences=tuple(sentence for _, propositions in spoken for sentence, _ in propositions),
        independence=tuple(source.independence for source in read),
        speakers=Speakers(video),
        by_rules_alone=entails is not None and not readings and any(pair.windows for pair in pairs),
    )


def asserts_something(text: str, day: date | None) -> bool:
    """Return whether *text*, said on *day*, has a sentence that can be right or wrong."""
    return bool(_read_statement(text, day))


def _read_statement(text: str, day: date | None) -> tuple[tuple[str, Proposition], ...]:
    read = ((sentence, read_proposition(sentence, day)) for sentence in sentences_of(text, MAX_STATEMENT_SENTENCES))
    return tuple(
        (sentence, proposition)
        for sentence, proposition in read
        if not _ASKS.search(sentence) and (proposition.figures or proposition.periods or len(proposition.words) >= LEAST_WORDS)
    )


def _read_sources(
    sources: Sequence[SearchResult],
    video: VideoContext,
    now: datetime,
    pages: Mapping[str, str],
) -> tuple[_ReadSource, ...]:
    texts = [(pages.get(source.url) or source.snippet)[:MAX_SOURCE_CHARS] for source in sources]
    sentences = [
        [each for each in sentences_of(text, MAX_SOURCE_SENTENCES) if not is_table(each) and each != source.title]
        for text, source in zip(texts, sources, strict=True)  # the headline is read beside them
    ]
    together = [readable_start(sentence) for own in sentences for sentence in own]
    korean.morphemes_of([text for text in together if korean.has_hangul(text)])  # kept for the propositions
    read = []
    independent = judge_independence(sources, texts, video)
    for source, text, own, independence in zip(sources, texts, sentences, independent, strict=True):
        published = (
            source.publish_date if source.publish_date and aware(source.publish_date) <= aware(now) + _CLOCK_SLACK else None
        )
        day = day_in_korea(published) if published else None
        title = read_proposition(source.title, day)
        parts = tuple((sentence, _with_title_periods(read_proposition(sentence, day), title)) for sentence in own)
        headline = tuple((sentence, read_proposition(sentence, day)) for sentence in sentences_of(source.title, 1))
        ruled = tuple(
            (ruling.quote, replace(read_proposition(ruling.content, day), open=False, ruling=ruling.holds))
            for ruling in fact_checks_in(text)
        )
        read.append(
            _ReadSource(
                title=source.title,
                parts=parts,
                beside=(*ruled, *headline),
                titled=subject_names(title),
                published=published,
                day=day,
                independence=independence,
            )
        )
    return tuple(read)


def _with_title_periods(proposition: Proposition, title: Proposition) -> Proposition:
    """Return *proposition* with the times in its page's *title* if it names none itself."""
    periods = proposition.periods or tuple(replace(period, start=0, end=0) for period in title.periods)
    return replace(proposition, periods=periods)


def _pair(
    statement: Statement,
    own_propositions: Sequence[tuple[str, Proposition]],
    number: int,
    place: int,
    source: _ReadSource,
    video_day: date | None,
    said: str,
    *,
    windows: int,
) -> _Pair:
    """Return sentence *number* paired with *source*, with the rules' surest verdict and at most *windows* windows."""
    sentence, proposition = own_propositions[number]
    context = ComparisonContext(video_day, source.day, source.titled, said)
    by_rules: Verdict | None = None
    for quote, web in (*source.parts, *source.beside):
        verdict = judge_by_rules(proposition, web, context)
        if verdict is not None and (by_rules is None or _rank(verdict) > _rank(by_rules)):
            by_rules = replace(verdict, quote=quote)
    sentences = [sentence for sentence, _ in source.parts]
    scores = [_score(proposition, read) for _, read in source.parts]
    chosen: tuple[str, ...] = ()
    if windows:
        chosen = choose_windows(sentences, scores, windows)
        if by_rules is not None and by_rules.stance in DECIDED:
            chosen = tuple(dict.fromkeys((by_rules.quote, *chosen)))[:windows]
    nearest = max(zip(scores, sentences, strict=True), key=lambda scored: scored[0], default=(0.0, ""))
    return _Pair(statement, sentence, proposition, place, source, context, by_rules, chosen, nearest)


def _entailments(pairs: Sequence[_Pair], entails: Entails | None) -> Mapping[tuple[str, str], ReadWindow]:
    """Return the entailment probabilities by sentence and window; empty if the model cannot run."""
    asked = dict.fromkeys((text, pair.sentence) for pair in pairs for text in pair.windows[:MAX_WINDOWS])
    answers = entails(list(asked)) if entails is not None and asked else None
    if entails is None or answers is None:
        return {}
    days = {text: pair.source.day for pair in pairs for text in pair.windows[:MAX_WINDOWS]}
    read = {
        (sentence, text): ReadWindow(text, read_proposition(text, days[text]), entailment)
        for (text, sentence), entailment in zip(asked, answers, strict=True)
    }
    said = {pair.sentence: pair.proposition for pair in pairs}
    exchanged = {
        (sentence, text): exchange_values(said[sentence], window.proposition)
        for (sentence, text), window in read.items()
        if window.found.silent < SILENT
    }
    again = [(text, sentence) for (sentence, _), texts in exchanged.items() for text in texts]
    supports = {pair: found.bears_out for pair, found in zip(again, (entails(again) if again else None) or (), strict=False)}
    for (sentence, text), texts in exchanged.items():
        most = max((supports.get((other, sentence), 0.0) for other in texts), default=0.0)
        read[sentence, text] = replace(read[sentence, text], exchanged=most)
    return read


def _rank(verdict: Verdict) -> tuple[float, int]:
    """Return a sort key by which the surest verdict of a source wins, and agreement wins a tie."""
    return weight(verdict.stance, verdict.confidence), -_PREFERRED.index(verdict.stance)


def _row(pair: _Pair, decision: Verdict | None) -> StanceRow:
    """Return the row of *pair* with its *decision*; without one, the row stays open."""
    source, day = pair.source, pair.context.video_day
    verdict = decision or replace(_SILENT, quote=next(iter(pair.windows), ""))
    return StanceRow(
        moment_s=pair.statement.moment_s,
        statement=pair.sentence,
        stance=verdict.stance,
        source=pair.place,
        quote=verdict.quote,
        date=source.published,
        after_video=None if day is None or source.day is None else source.day > day,
        independent_of=source.independence.story,
        confidence=verdict.confidence,
        restates_video=bool(source.independence.uncounted),
        why=f"{verdict.why} {source.independence.uncounted}".rstrip(),
        judge=verdict.judge,
        probability=verdict.probability,
    )
