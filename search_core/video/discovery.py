"""A video's subject and speakers, found in its title, description, channel and transcript."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from search_core.domain.video import Chapter, TranscriptSegment, VideoContext
from search_core.language.dates import CLOCK, clock_seconds
from search_core.language.entities import EntityKind, find_entities
from search_core.language.entities.cues import SURNAMES
from search_core.language.entities.gazetteer import fold_name, known_by_name, write_known_names
from search_core.language.korean import detect_language, has_hangul, morphemes
from search_core.language.korean.morphemes import kiwi
from search_core.language.vectors import Embedder
from search_core.runtime import in_turns
from search_core.video.subject import (
    COMMON,
    MAX_SUBJECT,
    Term,
    current_embedder,
    excerpts_of,
    rank_terms,
    telling_of,
    title_of,
)

MAX_SPEAKERS = 8
MAX_ORGANIZATIONS = 12
MAX_EVENTS = 8
MAX_KEY_TERMS = 15
_TITLE_WEIGHT = 20.0
_CUE_WEIGHT = 40.0
_INTRODUCED_WEIGHT = 12.0
_DESCRIPTION_WEIGHT = 6.0
_CHANNEL_WEIGHT = 3.0
_TRANSCRIPT_CAP = 15.0
_LEAST_SAID = {EntityKind.PERSON: 3, EntityKind.ORGANIZATION: 2, EntityKind.EVENT: 2}
"""Least mentions of a name that occurs only in the transcript; a slip of the recogniser is rarely repeated.

For a widely known organisation one mention is enough.
"""
_PARTICLES = frozenset("이가은는을를의와과도")
_TOPICS = frozenset("은는")
_LEAST_BARE = 3  # Korean names of two syllables are too short to tell a particle from their end
_SAMPLE_CHARS = 40_000  # two hours of Korean speech, three quarters of English; longer talks are sampled evenly
_PASSAGE_CHARS = 400
_SPOKEN_CHARS = 400_000  # twenty hours of Korean speech
_LANGUAGE_CHARS = 20_000
_DESCRIPTION_CHARS = 2_500
_TITLE_CHARS = 500
_ADDRESS = re.compile(r"https?://\S+|www\.\S+|(?<!\S)[^\s@]++@[^\s.]++\.\S+")  # never tries a place twice: texts may be long
_BOILERPLATE = re.compile(
    r"구독|좋아요|알림\s*설정|문의|후원|멤버십|저작권|무단|샘플 영상|sample video|subscribe|follow (?:us|me)|"
    r"patreon|sponsor|copyright|©|all rights reserved|music (?:by|provided)|facebook|instagram|twitter|tiktok|merch|promo code",
    re.IGNORECASE,
)
_STAMP_LINE = re.compile(r"^\W{0,4}(?:\d{1,2}:)?\d{1,2}:\d{2}")
_Scores = dict[EntityKind, defaultdict[str, float]]
_CHAPTER_LINE = re.compile(rf"^\W{{0,3}}?[\[(]?({CLOCK})[\])]?\s*+(?:[-–—~:|]\s*+(?:{CLOCK})?)?\s*+(\S.*)$")
_TRAILING_STAMP = re.compile(rf"({CLOCK})[\])]?\s*+$")
_LEAST_CHAPTERS = 3  # YouTube itself shows chapters from three stamps on
_KOREAN_LABELS = (
    r"출연(?:자|진)?|진행(?:자)?|강연(?:자)?|강사|연사|발표(?:자)?|패널|게스트|대담(?:자)?|사회(?:자)?|앵커|기자|해설|"
    r"인터뷰(?:이|어)?|취재|내레이션|낭독|교수|MC"
)
_ENGLISH_LABELS = (
    r"speakers?|hosts?|hosted by|co-hosts?|guests?|presenters?|presented by|moderators?|moderated by|panel(?:ists?)?|lecturers?|"
    r"instructors?|interviewees?|interviewers?|narrators?|narrated by|featuring|starring|cast"
)
_LABELLED = re.compile(
    rf"^\W{{0,4}}(?:{_KOREAN_LABELS}|{_ENGLISH_LABELS})\s*(?:[:：|│ㅣ]|[-–—]\s)\s*(\S.{{0,160}})$", re.IGNORECASE | re.MULTILINE
)
_BETWEEN = re.compile(r"[,、·/&;+|]|\band\b|(?<=[가-힣])[와과](?=\s)|(?<=\s)(?:그리고|및)(?=\s)")
_BRACKETS = re.compile(r"[(\[（【<][^)\]）】>]*[)\]）】>]?")
_ROLE = (
    r"교수님?|명예교수|박사님?|대표이사|대표님?|부대표|기자|앵커|아나운서|변호사|의원|장관|위원장?|연구원|연구위원|소장|센터장|팀장|"
    r"작가|감독|선생님?|회장|부회장|사장|부사장|전무|상무|이사|본부장|실장|원장|총장|부장|차장|과장|평론가|애널리스트|이코노미스트|"
    r"특파원|해설위원|캐스터|의사|CEO|CTO|씨|님"
)
_BEFORE_ROLE = re.compile(rf"([가-힣]{{2,4}})\s*(?:{_ROLE})(?=(?:[이가은는의을를와과도]|께서|에게)?(?![가-힣]))")
_LATIN_NAME = r"[A-Z][\w'’-]+(?:\s(?:[A-Z]\.|[A-Z][\w'’-]+|van|von|de|da|der|bin|al)){0,3}"
_LATIN_FULL_NAME = r"[A-Z][\w'’-]+(?:\s(?:[A-Z]\.|[A-Z][\w'’-]+|van|von|de|da|der|bin|al)){1,3}"
_TITLED_WITH = re.compile(
    rf"(?:interview|conversation|talk|chat|q&a|podcast|discussion|lecture|keynote|session)s?\s+(?:with|by)\s+(?-i:({_LATIN_FULL_NAME}))|"
    rf"(?:feat\.?|ft\.?|featuring|starring)\s+(?-i:({_LATIN_FULL_NAME}))",
    re.IGNORECASE,
)
_OPENS = (
    r"(?:저는|저|(?:제|저의)\s?이름은|진행(?:을|에)?\s?맡은|여러분의?|안녕하세요|안녕하십니까|반갑습니다|반가워요|네|지금까지|이상|앵커|진행자|사회자)"
    r"[,.!]?\s"
)
_SAYS_WHO = re.compile(
    rf"(?<![^\s.,!?]){_OPENS}((?:(?!{_OPENS})[가-힣A-Za-z0-9·]+,?\s){{0,9}}?)([가-힣]{{2,4}}?)"
    r"(?:\s[가-힣]{0,4}(?:위원|의원|과장|국장|연구원|기자))?(?:이라고\s|라고\s|입니다|이었습니다|였습니다|이에요|예요|이고요)"
)
"""A speaker's own introduction after a greeting or at either end of a turn: "네 관광과장 임정희입니다."."""
_KOREAN_REPORT = re.compile(
    r"([가-힣]{2,4}?)(?:\s(?:기자|앵커|특파원|캐스터|아나운서)(?:입니다|의\s보도|가\s(?:보도|취재|전해)|,|\.)|[이가]\s전해\s?드[렸립])"
)
_ONESELF = "저는 {}입니다."
"""Sentence in which Kiwi is asked whether a word is a name."""
_SIGNS_OFF = re.compile(
    r"([A-Za-z]{2,5})\s?(?:뉴스)?\s?([가-힣]{2,4})(?:입니다|이었습니다|였습니다)|([A-Za-z]{2,5}|[가-힣]{2,4})\s?뉴스\s?([가-힣]{2,4})입니다"
    r"|([A-Za-z]{2,5})\s?뉴스"
)
"""The words with which a reporter ends a report: "MBC 뉴스 김하늘입니다."."""
_ENGLISH_SELF = re.compile(
    rf"(?:[Mm]y name is|[Mm]y name's)\s({_LATIN_NAME})|"
    rf"(?:\bI'm|\bI am|[Hh]ere's your host,?|[Tt]hank you,)\s({_LATIN_FULL_NAME})|"
    rf"\b(?:hand|turn|pass)\s\w+\s(?:over|off|back)\sto\s(?:[a-z]+,?\s){{0,3}}?({_LATIN_FULL_NAME})|"
    rf"(?:\binvite|\b[Ww]elcome|[Jj]oined by)\s(?:[a-z]+,?\s){{0,5}}?"
    rf"(?<!\bto\s)(?<!\bin\s)(?<!\bthe\s)(?<!\ba\s)(?<!\bnew\s)({_LATIN_FULL_NAME})"
)
_POSITION = re.compile(r"\b(?:Vice|President|Senior|Director|Chief|Officer|Manager|Doctor|Professor|Everyone|Everybody)\b")


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    description: str
    channel: str
    sample: tuple[str, ...]
    """Passages spread over the whole transcript."""
    spoken: str
    """The whole transcript, or passages spread over one that is extremely long."""


def discover(context: VideoContext, *, keep: Collection[str] = ()) -> VideoContext:
    """Return *context* with empty speakers, organizations, events, key terms, chapters and language filled in.

    ``speakers`` are those who speak, and after them the people the video is mostly about. Names in the title come before names in
    the description, and those before names that are only said. Fields named in *keep* stay as they are, even when empty.
    """
    missing = frozenset(name for name in _FINDABLE if name not in keep and not getattr(context, name))
    if not missing:
        return context
    fields = _find_all(context, current_embedder())  # type: ignore[arg-type]  # mypy takes no protocol for hashable
    return replace(context, **{name: fields[name] for name in missing})


_FINDABLE = ("speakers", "organizations", "events", "subject", "key_terms", "chapters", "language")


@lru_cache(maxsize=16)  # a batch asks many questions about the same video
def _find_all(context: VideoContext, embedder: Embedder | None) -> dict[str, Any]:
    words, people, organizations, events = _read(context)
    speakers = context.speakers or people[:MAX_SPEAKERS]
    terms = video_terms(context, embedder)
    subject = terms[:MAX_SUBJECT]
    named = {fold_name(name) for name in (*speakers, *organizations, *events)}
    return {
        "speakers": speakers,
        "organizations": organizations,
        "events": events,
        "subject": tuple(term.text for term in subject),
        "key_terms": tuple(term.text for term in terms if fold_name(term.text) not in named)[:MAX_KEY_TERMS],
        "chapters": chapters_in(context.description),
        "language": detect_language(words.spoken[:_LANGUAGE_CHARS]) or detect_language(f"{words.title} {words.description}"),
    }


def video_terms(context: VideoContext, embedder: Embedder | None = None) -> tuple[Term, ...]:
    """Return the terms of *context*, the likeliest subject first."""
    words, people, organizations, events = _read(context)
    return rank_terms(
        (words.description, *words.sample),
        title_of(context),
        names=(*organizations, *events),
        people=(*people, *(place for place, _ in _introductions(words.spoken))),
        left_out=(words.channel, *tellers(words.spoken)),
        excerpts=excerpts_of(context),
        embedder=embedder,
    )


@lru_cache(maxsize=2)
def _read(context: VideoContext) -> tuple[_Words, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the texts of *context*, its people, organisations and events; the last two are found if none are stated."""
    words = _words_of(context)
    names = _names(words)
    organizations = context.organizations or names[EntityKind.ORGANIZATION][:MAX_ORGANIZATIONS]
    return words, names[EntityKind.PERSON], organizations, context.events or names[EntityKind.EVENT][:MAX_EVENTS]


def _words_of(context: VideoContext) -> _Words:
    passages, spoken = _passages(context.transcript), " ".join(segment.text for segment in context.transcript)
    sample = _spread(passages, _SAMPLE_CHARS)
    if len(spoken) > _SPOKEN_CHARS:
        spoken = " ".join(_spread(passages, _SPOKEN_CHARS))
    if spoken == spoken.casefold():
        sample, spoken = tuple(map(write_known_names, in_turns(sample))), write_known_names(spoken)
    lines = (_ADDRESS.sub(" ", line).replace("#", " ").strip() for line in context.description.split("\n"))
    described = [line for line in lines if line and not _BOILERPLATE.search(line) and not _STAMP_LINE.match(line)]
    return _Words(
        title=context.title[:_TITLE_CHARS],
        description="\n".join(described)[:_DESCRIPTION_CHARS],
        channel=context.channel[:_TITLE_CHARS],
        sample=sample,
        spoken=spoken,
    )


def _passages(transcript: Sequence[TranscriptSegment]) -> Sequence[str]:
    """Return *transcript* in passages of about ``_PASSAGE_CHARS`` characters."""
    passages: list[str] = []
    most = 2 * _PASSAGE_CHARS  # finding names takes time quadratic in a piece
    pieces = (segment.text[start : start + most] for segment in transcript for start in range(0, len(segment.text), most))
    for words in in_turns(pieces):
        if passages and len(passages[-1]) + len(words) < _PASSAGE_CHARS:
            passages[-1] = f"{passages[-1]} {words}"
        else:
            passages.append(words)
    return passages


def _spread(passages: Sequence[str], most_chars: int) -> tuple[str, ...]:
    """Return all *passages*, or if they are too long evenly spread ones of *most_chars* characters together."""
    room = min(most_chars // _PASSAGE_CHARS, len(passages))
    return tuple(passages[index * len(passages) // room] for index in range(room))


def _names(words: _Words) -> dict[EntityKind, tuple[str, ...]]:
    """Return the names of each kind, most salient first."""
    weighted = ((words.title, _TITLE_WEIGHT), (words.description, _DESCRIPTION_WEIGHT), (words.channel, _CHANNEL_WEIGHT))
    everything = " ".join((words.title, words.description, words.spoken))
    mentions_by_weight = [(weight, _entities([text], everything)) for text, weight in weighted]
    spoken_names = _entities(words.sample, everything)
    kinds = _kinds([mention for _, mentions in mentions_by_weight for mention in mentions] + spoken_names)
    scores: _Scores = {kind: defaultdict(float) for kind in _LEAST_SAID}
    for weight, mentions in mentions_by_weight:
        for name in dict.fromkeys(name for _, name in mentions):
            scores[kinds[name]][name] += weight
    for name in stated_speakers(words.title, words.description):
        scores[EntityKind.PERSON][name] += _CUE_WEIGHT
    for name in introduced_speakers(words.spoken):
        scores[EntityKind.PERSON][name] += _INTRODUCED_WEIGHT
    _count_said(scores, dict.fromkeys(name for _, name in spoken_names), kinds, words.spoken)
    return {kind: _distinct(names) for kind, names in scores.items()}


def _count_said(scores: _Scores, said: Iterable[str], kinds: Mapping[str, EntityKind], spoken: str) -> None:
    """Add to *scores* how often each name is said; a name that is only said counts from ``_LEAST_SAID`` times on."""
    for names in scores.values():
        for name in list(names):
            names[name] += min(spoken.count(name), _TRANSCRIPT_CAP) / _TRANSCRIPT_CAP * _DESCRIPTION_WEIGHT
    for name in said:
        kind, times = kinds[name], spoken.count(name)
        entry = known_by_name().get(fold_name(name)) if kind is EntityKind.ORGANIZATION else None
        least = 1 if entry is not None and entry.kind is kind else _LEAST_SAID[kind]
        if name in scores[kind] or times < least or (kind is EntityKind.PERSON and not may_be_person(name)):
            continue
        scores[kind][name] += min(times, _TRANSCRIPT_CAP) / _TRANSCRIPT_CAP * _DESCRIPTION_WEIGHT


def _kinds(mentions: Iterable[tuple[EntityKind, str]]) -> dict[str, EntityKind]:
    """Return the most frequent kind of each name; in a tie another kind wins over person, as persons are guessed."""
    votes: dict[str, Counter[EntityKind]] = {}
    for kind, name in mentions:
        votes.setdefault(name, Counter())[kind] += 1
    return {name: max(counts, key=lambda kind: (counts[kind], kind is not EntityKind.PERSON)) for name, counts in votes.items()}


def _entities(texts: Iterable[str], everything: str) -> list[tuple[EntityKind, str]]:
    """Return the people, organisations and events named in *texts*, without particles."""
    names = [(entity.kind, entity.text.strip()) for text in in_turns(texts) if text for entity in find_entities(text)]
    return [_bare(kind, name, everything) for kind, name in names if kind in _LEAST_SAID and len(name) > 1]


def _bare(kind: EntityKind, name: str, everything: str) -> tuple[EntityKind, str]:
    """Return *name* without a last syllable that may be a particle, if *everything* has the shorter form more often."""
    bare = name[:-1]
    if name[-1] not in _PARTICLES or len(bare) < _LEAST_BARE or everything.count(bare) <= everything.count(name):
        return kind, name
    entities = find_entities(bare)
    return (entities[0].kind, bare) if entities and entities[0].text == bare and entities[0].kind in _LEAST_SAID else (kind, bare)


def _distinct(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Return names by score, without parts of better ones (``홍길동`` before ``홍길동 교수``, ``NASA`` once)."""
    kept: list[str] = []
    for name in sorted(scores, key=lambda name: -scores[name]):
        folded = name.casefold()
        if not any(folded in other.casefold() or other.casefold() in folded for other in kept):
            kept.append(name)
    return tuple(kept)


def chapters_in(description: str) -> tuple[Chapter, ...]:
    """Return the chapters in a description, one a line with its time; none if fewer than three times ascend."""
    chapters: list[Chapter] = []
    for line in description.split("\n"):
        time, title = _stamp(" ".join(line.split()))
        if time is not None and title and (not chapters or time > chapters[-1].start_s):
            chapters.append(Chapter(time, title))
    return tuple(chapters) if len(chapters) >= _LEAST_CHAPTERS else ()


def _stamp(line: str) -> tuple[float | None, str]:
    if match := _CHAPTER_LINE.match(line):
        return clock_seconds(match[1]), match[2].strip()
    if match := _TRAILING_STAMP.search(line, 1):
        return clock_seconds(match[1]), line[: match.start()].strip(" -–—:|([")
    return None, ""


def stated_speakers(title: str, description: str) -> tuple[str, ...]:
    """Return the speakers that title and description introduce, in order, without duplicates."""
    names = [name for line in _LABELLED.findall(description) for name in _names_in(line)]
    names += [name for pair in _TITLED_WITH.findall(f"{title}\n{description}") for name in pair if name]
    names += [name for name in _BEFORE_ROLE.findall(title) if is_korean_name(name, expected=True)]
    return tuple(dict.fromkeys(names))


@lru_cache(maxsize=2)
def introduced_speakers(words: str) -> tuple[str, ...]:
    """Return the people who introduce themselves, or are introduced, in the transcript."""
    names = [name for _, name in _introductions(words)]
    names += [match[1] for match in _KOREAN_REPORT.finditer(words) if is_korean_name(match[1], expected=True)]
    named = (name for pair in _ENGLISH_SELF.findall(words) for name in pair if " " in name)
    names += [name for name in named if not _POSITION.search(name) and all(telling_of(word) > COMMON for word in name.split())]
    return tuple(dict.fromkeys(names))


@lru_cache(maxsize=2)
def _introductions(words: str) -> tuple[tuple[str, str], ...]:
    """Return how each speaker is introduced (profession or origin), and the name."""
    return tuple((match[1], match[2]) for match in _SAYS_WHO.finditer(words) if _names_speaker(match))


def tellers(words: str) -> tuple[str, ...]:
    """Return the names of people who introduce themselves, of reporters, and of their programme."""
    signing_off = [m for m in _SIGNS_OFF.finditer(words) if m[2] is None or "뉴스" in m[0] or is_korean_name(m[2], expected=True)]
    signed = [name for match in signing_off for name in match.groups() if name]
    shows = [f"{match[3] or match[5]}뉴스" for match in signing_off if match[3] or match[5]]
    return tuple(dict.fromkeys((*introduced_speakers(words), *signed, *shows)))


def _names_speaker(said: re.Match[str]) -> bool:
    """Return whether *said* introduces the speaker: no subject or sentence stands before the name."""
    sentence_before = any(each.tag in ("JKS", "EF") or (each.tag == "JX" and each.form in _TOPICS) for each in morphemes(said[1]))
    if sentence_before or not is_korean_name(said[2], expected=True):
        return False
    named = morphemes(_ONESELF.format(said[2]))[2]
    return (named.tag == "NNP" and named.end - named.start in (1, len(said[2]))) or is_korean_name(said[2])


def is_korean_name(text: str, *, expected: bool = False) -> bool:
    """Return whether *text* looks like the name of a Korean person.

    A name begins with a surname, and Kiwi reads it as one proper noun or one unknown word. If a name is *expected*, so are three
    syllables that Kiwi splits after the surname or after a proper noun, unless one of them is an affix.
    """
    if not 2 <= len(text) <= 4 or text[0] not in SURNAMES:
        return False
    tokens = kiwi().tokenize(text)
    if len(tokens) == 1:
        return bool(tokens[0].tag == "NNP" or tokens[0].id == _unknown_noun())
    opening = len(tokens[0].form) == 1 or tokens[0].tag == "NNP"
    return expected and len(text) == 3 and opening and all(token.tag not in ("XSN", "XPN") for token in tokens)


def may_be_person(name: str) -> bool:
    """Return whether a name found only in speech can be a person's; offices and single unknown Korean words cannot."""
    if _POSITION.search(name):
        return False
    if " " in name or not has_hangul(name):
        return True
    tokens = kiwi().tokenize(name)
    return len(tokens) == 1 and bool(tokens[0].tag == "NNP")


@lru_cache(maxsize=1)
def _unknown_noun() -> int:
    """Return the number of Kiwi's tag for unknown nouns, learnt from an invented word."""
    return int(kiwi().tokenize("뷁쀍뛟")[0].id)


def _names_in(line: str) -> Iterator[str]:
    """Yield the names in a list such as ``홍길동 교수(한국대), Jane Doe``."""
    for piece in _BETWEEN.split(_BRACKETS.sub(" ", line)):
        piece = piece.strip().strip(" .-–—")
        if match := _BEFORE_ROLE.search(piece):
            yield match[1]
        elif is_korean_name(piece, expected=True):
            yield piece
        elif match := re.match(rf"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s+)?({_LATIN_FULL_NAME})(?=$|\s)", piece):
            yield match[1]
        else:
            yield from (word for word in piece.split() if len(word) >= 3 and is_korean_name(word))
