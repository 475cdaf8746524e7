"""Finds the claims of a video without a language model: check-worthy, self-contained sentences, each once."""

from __future__ import annotations

import asyncio
import math
import re
from calendar import month_name
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from search_core.answers.check_worthiness import (
    CHECK_WORTHY,
    NAMES,
    CheckWorthiness,
    read_features,
    score_check_worthiness,
    shipped_weights,
)
from search_core.answers.sentence_classes import SentenceClass, classify_sentences, way_of
from search_core.checking.verdicts.missing_support import named_topic, subject_names
from search_core.domain.claim import Claim, ClaimMoment, FoundClaims
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.dates import clock
from search_core.language.korean import has_hangul, morphemes
from search_core.language.korean.particles import join_particle
from search_core.language.sentences import ends_sentence, shorten
from search_core.language.statements.containment import names_of, reverses
from search_core.language.statements.periods import month_away
from search_core.language.statements.proposition import Proposition, read_proposition, without_lead
from search_core.language.vectors import Embedder
from search_core.package import VERSION
from search_core.runtime import in_turns
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.references import korean_references
from search_core.search.understanding.transcript_index import SIGN_OFF
from search_core.video.sentences import JudgeEnds, spoken_sentences

if TYPE_CHECKING:
    from search_core.storage.videos import FoundClaimsCache

MAX_SENTENCES = 6000
MAX_CAPTIONS = 30_000
"""Each of the two limits is about a day of speech; captions and sentences beyond it are ignored."""
MAX_CLAIMS = 400
MAX_SENTENCE_CHARS = 600
"""Characters of a sentence that are read; nobody speaks longer sentences."""
EMBED_WITHIN_S = 2.5
"""Seconds the model may take for one video; sentences not read by then are judged by their words alone."""
FIRST_S = 900.0
"""Seconds at the start of a long video that are read first, so that a page can show some claims at once."""
_LEAST = {"words": 0.19, "korean": 0.5, "english": 0.62}
"""Least probability of a self-contained claim: judged by words alone, or with vectors in Korean or English (.5 with a figure)."""
_LOST_SUBJECT = 0.6
"""Least probability of a lost subject ("It costs 30,000 won") at which the sentence before is taken to name the subject."""
_NAMING = 0.65
"""Least probability of being a claim at which a sentence is put before the next one to name its subject."""
_WELL_WORTH, _SAYS_SOMETHING = 0.85, 0.55
"""Least check-worthiness and least probability of being a claim for a sentence without a subject to be offered anyway."""
_STATED_WORTH, _STATES_FACT = 0.2, 0.6
"""How check-worthy one with a figure or a time need be for that, and how certainly a Korean one states a fact to be certain.

Of 466 short Korean ones with a final ending and a label 456 state a fact, though 34 of them are labelled as cut off; the class of
what is cut counts for them, too. Those that point at something ("이 회사") and English ones without a subject are never certain.
"""
_STATED = [NAMES.index(name) for name in ("figure", "year", "time")]
_WHOLE_WORDS = 14
_SUBJECT_WITHIN = 3
"""Sentences before one without a subject among which the name it speaks of is looked for."""
_TOPICS = ("은", "는", "이", "가")
_OF_SPEAKER = re.compile(r"(?<![가-힣])(?:저희|우리|제가|저[는도]|내가|나[는도])|\b(?:we|our|us|i|my)\b", re.IGNORECASE)
_FILLERS = re.compile(r"^(?:(?:네|예|어|음|뭐|자|이제|근데|그런데|그래서|그니까|그러니까|그리고|참|하필)[,\s]+)+(?=\S)")
_ANALYZER, _CONSTRUCTOR = QueryIntentAnalyzer(), QueryConstructor()
_LOST = 0.5
"""Factor that lowers the score of a sentence without a subject."""
NOTHING_SAID = "영상에 자막이 없어서 확인할 주장을 찾지 못했어요."
WITHOUT_MODEL = "의미 분석 모델 없이 단어와 숫자만 보고 골랐어요. 놓친 주장이 있을 수 있어요."
PARTLY_BY_MODEL = "시간이 모자라서 일부 문장은 의미 분석 모델 없이 단어와 숫자만 보고 골랐어요."


@dataclass(frozen=True, slots=True)
class Found:
    """One claim and the sentence it was made in."""

    sentence: int
    text: str
    score: float
    widened: bool = False
    """True if the sentence before is part of the claim, because it names the subject."""
    certain: bool = True
    """False if the claim may not be understandable without the sentences around it."""
    lost: bool = False
    """True if the sentence lacks its subject, which was named earlier ("It costs 30,000 won")."""


def find_claims(
    video: VideoContext,
    embedder: Embedder | None = None,
    *,
    ends: JudgeEnds | None = None,
    within_s: float = EMBED_WITHIN_S,
    first_s: float = math.inf,
) -> FoundClaims:
    """Return the claims of *video* in the order of their first moments; asks no language model.

    The *embedder* reads for at most *within_s* seconds; *ends* finds sentence ends without punctuation. Captions that begin more
    than *first_s* seconds after the first are left out; the result is then incomplete.
    """
    looked_through = video.transcript[:MAX_CAPTIONS]
    until_s = first_s + (looked_through[0].start_s if looked_through else 0)
    captions = [segment for segment in looked_through if segment.start_s < until_s]
    complete = len(captions) == len(looked_through)
    sentences = tuple(islice(spoken_sentences(captions, ends), MAX_SENTENCES))
    if not complete:
        sentences = sentences[:-1] or sentences  # the last one may continue after the last caption
    if not sentences:
        return FoundClaims(notes=(NOTHING_SAID,))
    texts = [closed(without_lead(sentence.text)) for sentence in sentences]
    worthiness = score_check_worthiness(texts, embedder, within_s=within_s)
    groups, less_certain = (
        [[_with_subject(group[0], video, sentences), *group[1:]] for group in chosen]
        for chosen in find_groups(texts, worthiness, video)
    )
    claims = _strongest(groups, sentences, MAX_CLAIMS)
    told = (range(each.sentence - each.widened, each.sentence + 1) for group in (*groups, *less_certain) for each in group)
    places = set(chain.from_iterable(told))
    return FoundClaims(
        claims=claims,
        sentences=len(sentences),
        by_meaning=worthiness.by_meaning,
        notes=_notes(
            by_meaning=worthiness.by_meaning,
            read_until=_read_until(sentences, video, captions),
            going_on=not complete,
            left_out=sum(score >= CHECK_WORTHY for place, score in enumerate(worthiness.scores) if place not in places),
            weaker=len(groups) - len(claims),
        ),
        less_certain=_strongest(less_certain, sentences, MAX_CLAIMS - len(claims), first=len(claims) + 1),
        complete=complete,
    )


def closed(sentence: str) -> str:
    """Return *sentence* with the full stop that a recogniser left out: those learnt from are only cut or noise without it."""
    return sentence if ends_sentence(sentence) else f"{sentence}."


def find_groups(
    sentences: Sequence[str], worthiness: CheckWorthiness, video: VideoContext | None = None
) -> tuple[list[list[Found]], list[list[Found]]]:
    """Return the certain and the uncertain claims in *sentences*, each with all its places; none is in both lists."""
    published = video.published_at.date() if video is not None and video.published_at is not None else None
    claims = _classify_claims([shorten(sentence, MAX_SENTENCE_CHARS) for sentence in sentences], worthiness)
    ranked = sorted(claims, key=lambda claim: not claim.certain)  # the certain ones open the groups
    worded = (claim.text if claim.widened else _FILLERS.sub("", claim.text) for claim in ranked)
    texts = [" ".join(name_times(text, published).split()) for text in worded]
    groups = [[replace(ranked[place], text=texts[place]) for place in group] for group in group_same(texts)]
    certain = [[claim for claim in group if claim.certain] for group in groups if group[0].certain]
    return certain, [group for group in groups if not group[0].certain]


def _classify_claims(texts: Sequence[str], worthiness: CheckWorthiness) -> Iterator[Found]:
    """Yield the check-worthy *texts* that are understandable alone, or with the sentence before that names the subject.

    The sentence before is only used if both have vectors: chosen by words alone, it named another subject in more than half
    of the cases.
    """
    signed_off = {place for place, text in enumerate(texts) if text.count(" ") < 3 and SIGN_OFF.search(f"{text} ")}
    possible = [place for place, score in enumerate(worthiness.scores) if score >= _STATED_WORTH and place not in signed_off]
    counted = read_features([texts[place] for place in possible])[:, _STATED].max(axis=1)
    stated = {place for place, says in zip(possible, counted, strict=True) if says}
    worthy = [place for place in possible if worthiness.scores[place] >= CHECK_WORTHY or place in stated]
    places = sorted({*worthy, *(place - 1 for place in worthy if place)})
    before = [texts[place - 1] if place else "" for place in places]
    vectors, vectors_before = ([worthiness.vectors.get(place - back) for place in places] for back in (0, 1))
    classified = classify_sentences([texts[place] for place in places], before, vectors, vectors_before)
    judged = dict(zip(places, classified, strict=True))
    for place in worthy:
        shares, text, score = judged[place], texts[place], worthiness.scores[place]
        share = shares[SentenceClass.CLAIM] + shares[SentenceClass.LOST]
        says = 1 - shares[SentenceClass.OTHER] if place in stated and _is_whole(text) else share
        read = place in worthiness.vectors
        korean = has_hangul(text)
        least, least_says = (CHECK_WORTHY, _STATES_FACT) if korean else (_WELL_WORTH, _WELL_WORTH)
        is_fact = read and place in stated and score >= least and says >= least_says and not _points_back(text)
        if score >= CHECK_WORTHY and stands_alone(shares, text, by_meaning=read, stated=place in stated):
            yield Found(place, text, score * shares[SentenceClass.CLAIM])
        elif (
            score >= CHECK_WORTHY
            and {place - 1, place} <= worthiness.vectors.keys()
            and shares[SentenceClass.LOST] >= _LOST_SUBJECT
            and judged[place - 1][SentenceClass.CLAIM] >= _NAMING
        ):
            likely = shares[SentenceClass.LOST] * judged[place - 1][SentenceClass.CLAIM]
            topic = "" if _points_back(text) else named_topic(texts[place - 1 : place], _TOPICS)
            yield Found(place, f"{topic}: {text}" if topic else f"{texts[place - 1]} {text}", score * likely, widened=True)
        elif score >= CHECK_WORTHY and may_stand_alone(shares):
            yield Found(place, text, score * shares[SentenceClass.CLAIM], certain=is_fact)
        elif read and (score >= _WELL_WORTH or place in stated) and says >= _SAYS_SOMETHING:
            yield Found(place, text, score * share * _LOST, certain=is_fact and korean, lost=True)


def _is_whole(text: str) -> bool:
    """Return whether *text* is a short Korean sentence with a final ending."""
    last = next((morpheme for morpheme in reversed(morphemes(text)) if not morpheme.tag.startswith("S")), None)
    return last is not None and (last.tag == "EF" or last.form == "요") and len(text.split()) <= _WHOLE_WORDS


def _points_back(text: str) -> bool:
    return text.startswith(("당시", "이는 ", "이를 ")) or bool(korean_references(text, morphemes(text)))


def stands_alone(shares: Mapping[SentenceClass, float], sentence: str, *, by_meaning: bool, stated: bool = False) -> bool:
    """Return whether *sentence* with class probabilities *shares* is a self-contained claim; *stated* ones have a figure."""
    least = min(_LEAST[way_of(sentence, by_meaning=by_meaning)], 0.5 if stated else 1.0)
    return shares[SentenceClass.LOST] < _LOST_SUBJECT and shares[SentenceClass.CLAIM] >= least


def may_stand_alone(shares: Mapping[SentenceClass, float]) -> bool:
    """Return whether "claim" is the likeliest class in *shares*, however low its probability."""
    return shares[SentenceClass.CLAIM] == max(shares.values())


def _with_subject(claim: Found, video: VideoContext, sentences: Sequence[TranscriptSegment]) -> Found:
    """Return *claim* with its lost subject filled in, such as the company that "이 회사" means at that place of the video.

    One that names and points at nothing gets the name in front that the sentences before it speak of ("한빛전자: ...").
    """
    if not claim.lost:
        return claim
    intent = _ANALYZER.analyze_intent(claim.text, video, moment_s=sentences[claim.sentence].start_s)
    text = _CONSTRUCTOR.spell_out(intent, video)
    if intent.references or _OF_SPEAKER.search(text) or subject_names(read_proposition(text, None)):
        return replace(claim, text=text)
    topic = named_topic([said.text for said in sentences[max(0, claim.sentence - _SUBJECT_WITHIN) : claim.sentence]])
    return replace(claim, text=f"{topic}: {text}" if topic else text)


def _strongest(
    groups: Sequence[Sequence[Found]], sentences: Sequence[TranscriptSegment], most: int, *, first: int = 1
) -> tuple[Claim, ...]:
    """Return the *most* highest scored claims, numbered from *first* in the order of the video."""
    claims = sorted((_claim(group, sentences) for group in groups), key=lambda claim: -claim.score)[:most]
    in_order = sorted(claims, key=lambda claim: claim.moments[0].start_s)
    return tuple(replace(claim, number=number) for number, claim in enumerate(in_order, first))


def _claim(group: Sequence[Found], sentences: Sequence[TranscriptSegment]) -> Claim:
    moments = dict.fromkeys((claim.sentence - claim.widened, claim.sentence) for claim in group)
    return Claim(
        number=0,
        text=group[0].text,
        moments=tuple(_moment(sentences[first : last + 1]) for first, last in moments),
        score=round(max(claim.score for claim in group), 4),
    )


def _moment(said: Sequence[TranscriptSegment]) -> ClaimMoment:
    return ClaimMoment(said[0].start_s, said[-1].end_s, " ".join(sentence.text for sentence in said))


def _read_until(
    sentences: Sequence[TranscriptSegment], video: VideoContext, captions: Sequence[TranscriptSegment]
) -> float | None:
    """Return the second of *video* at which the search for claims stopped; None if it reached the end."""
    end_s = sentences[-1].end_s
    reached = len(sentences) == MAX_SENTENCES or len(video.transcript) > len(captions)
    return end_s if reached and end_s < video.transcript[-1].start_s else None


def _notes(*, by_meaning: float, read_until: float | None, going_on: bool, left_out: int, weaker: int) -> tuple[str, ...]:
    notes = []
    if by_meaning < 1:
        notes.append(PARTLY_BY_MODEL if by_meaning else WITHOUT_MODEL)
    if read_until is not None and going_on:
        notes.append(f"영상이 길어서 {clock(read_until)}까지 먼저 살펴봤어요. 그 뒤는 이어서 살펴보고 있어요.")
    elif read_until is not None:
        notes.append(f"영상이 길어서 {clock(read_until)}까지만 살펴봤어요. 그 뒤는 빠졌어요.")
    if left_out:
        notes.append(f"주장인지, 따로 떼어 놓아도 뜻이 통하는지 확실하지 않은 문장 {left_out:,}개는 뺐어요.")
    if weaker:
        notes.append(f"확인할 만한 주장이 많아서 {MAX_CLAIMS}개만 남겼어요. {weaker:,}개는 빠졌어요.")
    return tuple(notes)


async def recall_or_find(
    video: VideoContext,
    kept: FoundClaimsCache,
    *,
    embedder: Callable[[], tuple[Embedder, bool]],
    ends: JudgeEnds | None = None,
    within_s: float = math.inf,
    first_s: float = math.inf,
) -> FoundClaims:
    """Return the stored claims of *video*, or find them anew; claims found again keep their stored ids and numbers.

    *embedder* waits for an embedder, and also returns whether it is the chosen one; *ends*, *within_s* and *first_s* are as in
    ``find_claims``.
    """
    earlier = await asyncio.to_thread(kept.get, video, VERSION)
    if earlier is not None and earlier.complete:
        return earlier

    def find() -> FoundClaims:
        at_work, as_chosen = embedder()
        claims = find_claims(video, at_work, ends=ends, within_s=within_s, first_s=first_s)
        final = claims.by_meaning == 1 or (as_chosen and at_work.name != shipped_weights().model)
        return replace(claims, complete=(final and claims.complete) or not video.transcript)

    claims = await asyncio.to_thread(find)
    if earlier is not None:
        claims = claims.continuing(earlier)
    if claims.known:
        await asyncio.to_thread(kept.put, video, VERSION, claims)
    return claims


_ALIKE = 0.75
"""Two wordings are one claim if the shorter has no words of its own and at least this share of the longer one's words."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_COUNTING = frozenset({"NR", "SN", "MM"})
_ACTING = ("VV", "VA", "XR")


@dataclass(frozen=True)
class Wording:
    """One wording of a claim, analysed for comparison with others."""

    text: str

    @cached_property
    def proposition(self) -> Proposition:
        """Return the parsed sentence."""
        return read_proposition(self.text, None)

    @cached_property
    def counted(self) -> tuple[Hashable, ...]:
        """Return the numbers in digits and in words ("3", "셋"): cheap to read, and equal in wordings of one claim."""
        counted = (word.form for word in morphemes(self.text) if word.tag in _COUNTING and not word.form.isdigit())
        return tuple(sorted(number.replace(",", "") for number in _DIGITS.findall(self.text))), tuple(sorted(counted))

    @cached_property
    def fixed(self) -> tuple[Hashable, ...]:
        """Return all that wordings of one claim have in common: counts, numbers, times, negation and verbs."""
        proposition = self.proposition
        return (
            *self.counted,
            tuple(sorted((each.dimension, each.low, each.high, each.bound, each.sign) for each in proposition.figures)),
            tuple(sorted(str(period.parts) for period in proposition.periods)),
            proposition.codes,
            proposition.negated,
            proposition.denied,
            proposition.open,
            frozenset(word.form for word in proposition.words if word.tag.startswith(_ACTING)),
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the forms of the wording's content words."""
        return frozenset(word.form for word in self.proposition.words)

    def _names(self, other: Wording) -> bool:
        """Return whether this wording contains every word in the names of *other*."""
        text = self.text.casefold()
        return all(word in text for name in names_of(other.proposition) for word in name.casefold().split())

    def says_the_same(self, other: Wording) -> bool:
        """Return whether this wording and *other*, whose ``fixed`` parts are equal, are one claim."""
        if self.text == other.text:
            return True
        if not (self._names(other) and other._names(self)):
            return False
        fewer, more = sorted((self.words, other.words), key=len)
        if not fewer or not fewer <= more or len(fewer) < _ALIKE * len(more):
            return False
        return not reverses(self.proposition, other.proposition)


def group_same(texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the positions of *texts* in groups of equal meaning, ordered by the first text of each group."""
    groups: list[list[int]] = []
    alike: dict[Hashable, list[int]] = {}
    wordings = [Wording(text) for text in texts]
    sharing = Counter(wording.counted for wording in in_turns(dict(zip(texts, wordings, strict=True)).values()))
    for place, wording in enumerate(in_turns(wordings)):
        fixed = wording.fixed if sharing[wording.counted] > 1 else wording.counted  # only texts with equal counts are parsed
        for number in alike.setdefault(fixed, []):
            if all(wording.says_the_same(wordings[other]) for other in groups[number]):
                groups[number].append(place)
                break
        else:
            alike[fixed].append(len(groups))
            groups.append([place])
    return tuple(map(tuple, groups))


_WORD_START = r"(?<![가-힣\d])"
_AFTER = r"(?=(?:에는?|에도|에만|까지는?|부터는?|보다는?|의|은|는|이|가|도|만|로|와|과|엔|이맘때|처럼|치)?(?:[\s,.?!]|$))"
_KOREAN = re.compile(
    rf"{_WORD_START}(?P<which>재작년|지지난해|작년|지난해|올해|금년|올(?=\s(?:들어|상반기|하반기|[1-4]분기|[봄여가겨초]|1?\d월|연말))"
    rf"|내년|지난\s?달|이번\s?달|이달|다음\s?달|내달|어제|오늘|내일){_AFTER}"
)
_BEFORE_TIME = r"(?P<before>\b(?:in|of|by|until|since|from|for|than|during|over|before|after|to|on|about|between)\s+)?"
_ENGLISH = re.compile(
    rf"{_BEFORE_TIME}(?<!\bthe\s)\b(?P<which>(?:last|this|next) (?:year|month)|yesterday)"
    r"(?P<owner>['’]s)?\b(?!\s+(?:or|alone\b.{0,9}or)\b)",
    re.IGNORECASE,
)
_YEARS = {
    **dict.fromkeys(("재작년", "지지난해"), -2),
    **dict.fromkeys(("작년", "지난해", "lastyear"), -1),
    **dict.fromkeys(("올해", "금년", "올", "thisyear"), 0),
    **dict.fromkeys(("내년", "nextyear"), 1),
}
_MONTHS = {
    **dict.fromkeys(("지난달", "lastmonth"), -1),
    **dict.fromkeys(("이번달", "이달", "thismonth"), 0),
    **dict.fromkeys(("다음달", "내달", "nextmonth"), 1),
}
_DAYS = {"어제": -1, "yesterday": -1, "오늘": 0, "내일": 1}


def name_times(text: str, published: date | None) -> str:
    """Return *text* with relative times ("올해", "지난달", "yesterday") as years, months and days; unchanged without a date."""
    if published is None:
        return text
    for match in reversed(list(_KOREAN.finditer(text))):
        parts = _reckoned(match, published)
        written = " ".join(f"{part}{sign}" for part, sign in zip(parts, "년월일", strict=False))
        named, rest = join_particle(written, text[match.end() :])
        text = f"{text[: match.start()]}{named}{rest}"
    return _ENGLISH.sub(lambda match: _english(match, published), text)


def _reckoned(match: re.Match[str], day: date) -> tuple[int, ...]:
    """Return the date that *match* ("last month") means on *day*, as (year,), (year, month) or (year, month, day)."""
    which = "".join(match["which"].lower().split())
    if which in _YEARS:
        return (day.year + _YEARS[which],)
    if which in _MONTHS:
        return month_away(day, _MONTHS[which])
    on = day + timedelta(days=_DAYS[which])
    return on.year, on.month, on.day


def _english(match: re.Match[str], day: date) -> str:
    parts = _reckoned(match, day)
    year, month, of_month = (*parts, 0, 0)[:3]
    named = " ".join(filter(None, (str(of_month or ""), month_name[month], str(year))))
    if match["owner"] or match["before"]:
        return f"{match['before'] or ''}{named}{match['owner'] or ''}"
    lead = "on" if of_month else "in"
    return f"{lead if match.start() else lead.capitalize()} {named}"
