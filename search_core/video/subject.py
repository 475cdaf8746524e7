"""What a video is about: its terms, the likeliest subject first.

The score combines how informative a term is, how often, how early and in how much of the text it is said, its place in the
title, and how near it is to the text in meaning. Weights: ``data/subject.json``, learnt by ``tests/quality/learn_context.py``.
"""

from __future__ import annotations

import json
import logging
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources

import numpy as np

from search_core.domain.video import VideoContext
from search_core.errors import EmbeddingError
from search_core.language import word_set
from search_core.language.korean import Morpheme, has_hangul, morphemes_of, normalize
from search_core.language.korean.content import is_attribute
from search_core.language.korean.morphemes import with_whole_names
from search_core.language.vectors import Embedder
from search_core.language.words import LATIN, rarity, rarity_in_english, stem, words_of

logger = logging.getLogger(__name__)

_PARTS = 10
"""Number of parts of the text; a term's spread is the share of parts that contain it."""
_EARLY = 30
"""Number of other words before the first mention that reduces its weight to a third."""
JUDGED, _EXCERPTS, _EXCERPT_CHARS = 40, 12, 300
"""Terms compared by meaning, excerpts of the text that they are compared with, and the length of an excerpt."""
_LEAST_SPREAD = 1e-6
_TOPIC = re.compile(r"[은는이가도](?![가-힣])")
_TITLE_MENTIONS = 0.9
"""What a mention in the title counts: below 1, because words adjacent only in a title need not form a term."""
_LONGEST = 3
"""Most words of a term."""
_KEEPS_COMPANY = 0.5
"""A word is joined with its neighbours into a term if they occur together in at least this share of its mentions."""
COMMON = 0.3
"""Least informativeness (``telling_of``) of a subject; "오늘", "정부" and "people" have less."""
_LEAST_LETTERS = 3
_PROPER = 0.15
"""How much more informative a proper name is than its rarity says."""
_OF_PROGRAMMES = word_set(
    "뉴스 뉴스룸 통합뉴스룸 기자 앵커 특파원 캐스터 아나운서 리포터 구독자 시청자 채널 영상 유튜브 여러분 video channel"
)
"""Words for the reporter and the programme; a run that ends in one ("KBS 뉴스") is no subject."""
_READ_SEGMENTS, _READ_CHARS, _TOGETHER = 600, 2_500, 10
_JOINED = frozenset({"NNG", "NNP", "SL", "SH", "XSN", "XPN", "XR"})
_SIGNS = frozenset("-.&/+#'’·")
_LATIN = re.compile(r"[^\W\d_][\w+#'’.-]*[\w+#]|[^\W\d_]")
_PLURAL_SUFFIX = "들"
_MARKS = re.compile(r"\[[^\[\]]{1,30}\]|\([^()]{1,12}\)|[♪♫]+")
"""Descriptions of sounds in captions: [음악], (박수)."""


_FILE_LIKE = re.compile(
    r"(?=[^_]*_)[\w.+-]+|[a-z0-9.-]+|[\w-]+\.[a-z0-9]{2,4}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{11}"
)
"""A title that is no title: one word that has an underscore or a file ending, is all lower-case, or looks like a video id."""
_ADDRESS = re.compile(r"(?<!\S)\S*?(?:://|www\.)\S*", re.IGNORECASE)


def title_of(video: VideoContext) -> str:
    """Return the title of *video* without addresses, or nothing if it is only a file name or an id."""
    title = _ADDRESS.sub(" ", video.title).strip()
    if video.title_is_file_name or title == video.video_id or (title.isascii() and _FILE_LIKE.fullmatch(title)):
        return ""
    return title


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a video."""

    text: str
    times: float
    """Number of mentions; one in the title counts less than 1."""
    features: Mapping[str, float]
    """Values from which its rank as subject is computed, by name ("early": said early)."""

    def score(self, by: str) -> float:
        """Return the term's score with the weights called *by* ("by words"); only scores of the same text can be compared."""
        return sum(weight * self.features[name] for name, weight in read_weights()[by].items())


@cache
def read_weights() -> Mapping[str, Mapping[str, float]]:
    """Return the weights for ranking terms, by words alone, and by words and meaning."""
    stored: dict[str, dict[str, float]] = json.loads(
        resources.files(__package__).joinpath("data/subject.json").read_text(encoding="utf-8")
    )
    return stored


_embedders: list[Callable[[], Embedder | None]] = []


def use_embedder(embedder: Callable[[], Embedder | None]) -> None:
    """Rank subjects by meaning as well, while *embedder* returns an embedder, until ``drop_embedder``."""
    _embedders.append(embedder)


def drop_embedder(embedder: Callable[[], Embedder | None]) -> None:
    """Stop using *embedder*; an earlier one is used again."""
    _embedders.remove(embedder)


def current_embedder() -> Embedder | None:
    """Return the embedder in use, or None."""
    return _embedders[-1]() if _embedders else None


def rank_terms(
    passages: Sequence[str],
    title: str = "",
    *,
    names: Sequence[str] = (),
    people: Sequence[str] = (),
    left_out: Collection[str] = (),
    excerpts: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> tuple[Term, ...]:
    """Return the terms of *passages*, the likeliest subject first.

    With *embedder*, terms are also compared with *excerpts* by meaning. A term that mostly occurs within one of *names* becomes
    that name. *people* and their origins rank low, as they are rarely the subject. Words of the names *left_out* are no terms.
    """
    table = _Table([name.casefold() for name in left_out], " ".join(people).casefold())
    for place, passage in enumerate(passages):
        table.read(passage, 1.0, place * _PARTS // len(passages))
    terms = _with_names(table.terms(title), names, "\n".join((title, *passages)))
    if embedder is None or not terms or not excerpts:
        return terms
    try:
        near = _nearness([term.text for term in terms[:JUDGED]], excerpts, title, embedder)
    except EmbeddingError as error:
        logger.warning("The subject of %r is found by words alone: %s", title, error)
        return terms
    judged = (replace(term, features={**term.features, **read}) for term, read in zip(terms, near, strict=False))
    return (*sorted(judged, key=lambda term: -term.score("by words and meaning")), *terms[JUDGED:])


def excerpts_of(video: VideoContext) -> tuple[str, ...]:
    """Return at most twelve excerpts of *video*'s transcript, evenly spread, or of its description if it has none."""
    text = "\n".join(segment.text for segment in video.transcript).strip() or video.description
    starts = range(0, len(text), max(_EXCERPT_CHARS, -(-len(text) // _EXCERPTS)))
    return tuple(text[start : start + _EXCERPT_CHARS] for start in starts)


def _nearness(texts: Sequence[str], passages: Sequence[str], title: str, embedder: Embedder) -> list[dict[str, float]]:
    """Return the similarity of each of *texts* to *passages* and *title*, in standard deviations from the mean of *texts*."""
    excerpts, vectors = embedder.embed(passages, "passage"), embedder.embed(texts, "query")
    near_title = vectors @ embedder.embed([title], "passage")[0] if title else np.zeros(len(texts))
    measured = {
        "near the whole": vectors @ excerpts.mean(axis=0),
        "near a part": (vectors @ excerpts.T).max(axis=1),
        "near the title": near_title,
    }
    scores = {name: (values - values.mean()) / (values.std() + _LEAST_SPREAD) for name, values in measured.items()}
    return [{name: float(values[place]) for name, values in scores.items()} for place in range(len(texts))]


def _with_names(terms: Sequence[Term], names: Sequence[str], text: str) -> tuple[Term, ...]:
    """Return *terms*; a term that mostly occurs within one of *names* is replaced by that name."""
    mentions = {name: text.count(name) for name in names if " " in name}
    whole: dict[str, Term] = {}
    for term in terms:
        fitting = [name for name, times in mentions.items() if term.text in name and times >= _KEEPS_COMPANY * term.times]
        text_of = max(fitting, key=len, default=term.text)
        whole.setdefault(text_of, replace(term, text=text_of))
    return tuple(whole.values())


class _Table:
    """Counts the words of a text, and the runs of adjacent words."""

    def __init__(self, left_out: Sequence[str], people: str) -> None:
        self._left_out, self._people = left_out, people
        self._times: defaultdict[str, float] = defaultdict(float)
        self._parts: defaultdict[str, set[int]] = defaultdict(set)
        self._first: dict[str, int] = {}
        """Number of other words before the first mention of a word."""
        self._topic: Counter[str] = Counter()
        """How often a word ends a run marked as topic or subject ("반도체는")."""
        self._closes: Counter[str] = Counter()
        self._written: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._runs: defaultdict[str, float] = defaultdict(float)
        """Mentions of a run, whose spaces are removed: recognisers write both 자가검사 키트 and 자가 검사 키트."""
        self._runs_of: defaultdict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)

    def read(self, passage: str, count: float, part: int) -> None:
        """Count the words of one *passage*."""
        passage = normalize(passage)
        for placed in runs_with_places(passage):
            run = [word for word, _, _ in placed]
            keys = [_key(word) for word in run]
            if keys[-1] in _OF_PROGRAMMES or names_programme(keys[-1]):
                continue
            self._closes[keys[-1]] += 1
            self._topic[keys[-1]] += _TOPIC.match(passage, placed[-1][2]) is not None
            for word, key in zip(run, keys, strict=True):
                self._first.setdefault(key, len(self._first))
                self._times[key] += count
                self._parts[key].add(part)
                self._written[key][word] += 1
            for size in range(1, _LONGEST + 1):
                for start in range(len(run) - size + 1):
                    together = tuple(keys[start : start + size])
                    joined = "".join(together)
                    self._runs[joined] += count
                    self._written[joined][" ".join(run[start : start + size])] += 1
                    for key in together:
                        self._runs_of[key][joined] = together

    def terms(self, title: str) -> tuple[Term, ...]:
        """Return the terms, the likeliest subject by words first."""
        spoken = frozenset(self._times)
        titled = list(dict.fromkeys(_key(word) for run in runs_of(normalize(title)) for word in run))
        self.read(title, _TITLE_MENTIONS, 0)
        candidates = {key: self._term(key, titled, key in spoken) for key in self._times if self._may_stand(key)}
        chosen: list[Term] = []
        taken: set[str] = set()
        for key in sorted(candidates, key=lambda key: (-candidates[key].score("by words"), key)):
            if key not in taken:
                taken.update(self._company(key)[1])
                chosen.append(candidates[key])
        return tuple(chosen)

    def _may_stand(self, key: str) -> bool:
        if len(key) < 2 or key in _OF_PROGRAMMES or names_programme(key) or self._is_left_out(key):
            return False
        return not any(map(is_attribute, self._written[key])) and telling_of(self._word(key)) >= COMMON

    def _is_left_out(self, key: str) -> bool:
        return any(key in name for name in self._left_out)

    def _word(self, key: str) -> str:
        return self._written[key].most_common(1)[0][0]

    def _term(self, key: str, titled: Sequence[str], spoken: bool) -> Term:
        """Return the word *key* with its usual neighbours and its features."""
        joined, together = self._company(key)
        often, early, in_title = math.log1p(self._times[key]), spoken * math.exp(-self._first[key] / _EARLY), key in titled
        features = {
            "telling": telling_of(self._word(key)),
            "often": often,
            "spread": len(self._parts[key]) / _PARTS,
            "early": early,
            "title": float(in_title),
            "title and said": float(in_title and spoken),
            "late in the title": titled.index(key) / len(titled) if in_title else 0.0,
            "several words": float(len(together) > 1),
            "long": min(len(key), 10) / 10,
            "topic": self._topic[key] / max(1, self._closes[key]),
            "of a person": float(key in self._people),
            "often, without a title": often * (not titled),
            "early, without a title": early * (not titled),
        }
        return Term(self._word(joined), self._times[key], features)

    def _company(self, key: str) -> tuple[str, tuple[str, ...]]:
        """Return the run in which *key* mostly occurs, joined and as words; if there is none, *key* alone."""
        least = max(1.2, _KEEPS_COMPANY * self._times[key])
        often = [
            (joined, together)
            for joined, together in self._runs_of[key].items()
            if self._runs[joined] >= least and not any(map(self._is_left_out, together))
        ]
        return max(often, key=lambda run: (len(run[0]), self._runs[run[0]], run), default=(key, (key,)))


@lru_cache(maxsize=20_000)
def telling_of(word: str) -> float:
    """Return how informative *word* is in its language, from 0 to about 1.3; compounds and names get more than other words."""
    if not has_hangul(word):
        if len(word) < _LEAST_LETTERS:  # "AI", "OS", "TV"
            return min(COMMON, rarity_in_english(word))
        coined = word[1:] != word[1:].lower() or any(map(str.isdigit, word))
        return rarity_in_english(word) + _PROPER * (coined + word[:1].isupper())
    parts = words_of([word])[0]
    proper = any(part.tag in ("NNP", LATIN) for part in parts)
    return max(map(rarity, parts), default=0.0) + 0.1 * (len(parts) > 1) + _PROPER * proper


def names_programme(word: str) -> bool:
    """Return whether *word* is the name of a news programme ("저녁뉴스9")."""
    return word.rstrip("0123456789").endswith(("뉴스", "뉴스룸"))


def _key(word: str) -> str:
    """Return the key under which *word* is counted; for a Latin word its stem, so that plurals count together."""
    return word if has_hangul(word) else stem(word)


Word = tuple[str, int, int]
"""A word with its start and end in the text."""


def runs_of(text: str) -> Iterator[list[str]]:
    """Yield the runs of adjacent nouns, or of Latin words that are no function words, in *text*."""
    return ([word for word, _, _ in run] for run in runs_with_places(text))


def runs_with_places(text: str) -> Iterator[list[Word]]:
    """Yield the same as ``runs_of`` with the place of each word; *text* is in Unicode NFC."""
    text = _MARKS.sub(lambda match: "." * len(match[0]), text)
    if not has_hangul(text):
        return filter(None, _latin_runs(text))
    return filter(None, _korean_runs(text, with_whole_names(text, morphemes_of([text])[0])))


def _korean_runs(text: str, analysed: Sequence[Morpheme]) -> Iterator[list[Word]]:
    """Yield runs of adjacent nouns as words; digits belong to the word they touch."""
    run: list[Word] = []
    end = -1
    for before, here, after in zip((None, *analysed), analysed, (*analysed[1:], None), strict=False):
        attached = bool(run) and here.start == end
        following = after.tag if after is not None and after.start == here.end else ""
        counted = before is not None and before.tag == "SN" and before.end == here.start and here.tag == "NNG"  # "7나노"
        determines = here.tag == "MM" and following in _JOINED  # "전고체"
        joins = set(here.form) <= _SIGNS and following in {*_JOINED, "SN"}  # "GPT-4o", "R&D"
        numbered = bool(run) and here.tag == "SN" and after is not None and after.form == "호"  # "은하 7호"
        is_letter = here.tag == "SW" and unicodedata.category(here.form[0])[0] in "LM"  # one that Kiwi does not know: "AAﬀ"
        is_word = here.tag in _JOINED or is_letter
        if attached and text[here.start : here.end] == _PLURAL_SUFFIX:
            end = here.end
        elif attached and (is_word or here.tag in ("SN", "NNB") or determines or joins):
            start = run[-1][1]
            run[-1] = (text[start : here.end], start, here.end)
            end = here.end
        elif not counted and (is_word or determines or numbered):
            if not run or text[end : here.start].strip(" "):
                yield run
                run = []
            run.append((text[here.start : here.end], here.start, here.end))
            end = here.end
        else:
            yield run
            run, end = [], -1
    yield run


def _latin_runs(text: str) -> Iterator[list[Word]]:
    run: list[Word] = []
    end = 0
    for match in _LATIN.finditer(text):
        word = re.sub(r"['’]s?$", "", match[0])
        common = telling_of(word) < COMMON or "'" in word
        if common or text[end : match.start()].strip(" "):
            yield run
            run = []
        if not common:
            run.append((word, match.start(), match.start() + len(word)))
        end = match.end()
    yield run


MAX_SUBJECT = 3


@lru_cache(maxsize=8)
def subject_of(video: VideoContext) -> tuple[str, ...]:
    """Return the subject of *video* in one to three terms: stated ones, else from its title and first half hour."""
    if video.subject:
        return video.subject
    captions = [segment.text for segment in video.transcript[:_READ_SEGMENTS]]
    passages = ["\n".join(captions[start : start + _TOGETHER]) for start in range(0, len(captions), _TOGETHER)]
    names = (*video.organizations, *video.events, *video.speakers, *video.key_terms)
    stated = " . ".join(names)
    terms = rank_terms(
        (video.description[:_READ_CHARS], stated, *passages), title_of(video), names=names, left_out=(video.channel,)
    )
    return tuple(term.text for term in terms[:MAX_SUBJECT]) or tuple(filter(None, [title_of(video)]))
