"""Texts as morphemes, by Kiwi.

Kiwi (kiwipiepy 0.24) analyses Korean and passes Latin words, digits and signs through as tokens of their own, so one
analyser serves mixed texts. Its model is loaded once a process, at the first use or by ``warm_up``, and takes a second.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kiwipiepy import Kiwi

from search_core.language import word_set
from search_core.runtime import Lazy, Recent

NOUN_TAGS = frozenset({"NNG", "NNP", "NR", "SL", "SH", "SN", "XR", "W_SERIAL"})
"""Common and proper nouns, numerals, Latin words, Chinese characters, digits, roots."""
PREDICATE_TAGS = frozenset({"VV", "VA", "VV-R", "VV-I", "VA-R", "VA-I", "MAG"})
"""Stems of verbs and adjectives, and adverbs."""
CONTENT_TAGS = NOUN_TAGS | PREDICATE_TAGS

_CACHE_CHARS = 600_000
"""Characters of text whose morphemes are remembered (four talks of three hours), at some 100 bytes a character."""
_LONGEST_KEPT_CHARS = 50_000
"""Longer texts (whole transcripts and documents) are analysed once and not remembered."""
_PIECE_CHARS = 4000
_UNBROKEN_CHARS = 100
"""Longest run without spaces that is analysed whole, because the time grows with its square; no word is this long."""
_OF_PROSE = 1.5
_GUESSED_IDS = frozenset({2, 3})
"""Kiwi's morpheme ids of a guessed common and proper noun; dictionary entries have ids of their own."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNBROKEN = re.compile(rf"\S{{{_UNBROKEN_CHARS + 1},}}")
_HANGUL = re.compile(r"[가-힣]")
_HANGUL_RUN = re.compile(r"[가-힣]+")
_SPACE = re.compile(r"\s")
_MISREAD_CHARS, _MISREAD_MORPHEMES = 2, 5
"""Longest beginning of a name that is taken for a verb; a longer one is a verb written without a space."""
_remembered: Recent[str, tuple[Morpheme, ...]] = Recent(_CACHE_CHARS, size=len)

_TAKEN_APART = word_set(
    """
    SK온 미스트랄 화이자 배달의민족 우아한형제들 야놀자 국민의힘 웨이모 글락소스미스클라인 기후변화에관한정부간협의체
    징둥닷컴 김정은 구광모 다케다 손정의 닝더스다이 두나무 순다르피차이 이창용 제미나이 아시아나 우리은행
    국민의당 매일경제 비비씨 모빌아이 이해진 아이유 링크드인 예일대 이연걸 베트남전 코트라 모더나 쇼피파이
    카카오게임즈 포스코퓨처엠 어도비 에이엠디 마이크론 정의선
    """
)
"""Known names that the analyser splits in one of twenty questions or more ("김정" with a particle, "국민의" "힘")."""


def _load() -> Kiwi:
    """Return the analyser without its dictionary of multi-word names, over half of the time to load (decision 0050)."""
    kiwi = Kiwi(num_workers=2, load_multi_dict=False)
    for name in _TAKEN_APART:
        kiwi.add_user_word(name, "NNP")
    return kiwi


_kiwi = Lazy(_load)
_HANGUL_LETTERS = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]+")
_LATIN_LETTERS = re.compile(r"[A-Za-z]+")
_SCRIPTS = (
    ("ko", _HANGUL_LETTERS),
    ("ja", re.compile(r"[ぁ-ゖァ-ヺ]+")),
    ("zh", re.compile(r"[一-鿿]+")),
    ("ru", re.compile(r"[А-яЁё]+")),
    ("ar", re.compile(r"[؀-ۿ]+")),
    ("en", _LATIN_LETTERS),
)
_KOREAN_SHARE = 0.1


class Morpheme(NamedTuple):
    """One morpheme: its form, Kiwi's tag and its place in the text (``text[start:end]``)."""

    form: str
    tag: str
    start: int
    end: int
    unknown: bool = False
    """True if the morpheme is a guessed noun that the analyser's dictionary lacks."""


def kiwi() -> Kiwi:
    """Return the one analyser of the process, loading it at the first call."""
    return _kiwi()


def warm_up() -> None:
    """Load the analyser now, so that the first search need not wait for it."""
    kiwi().tokenize("맥락")


def morphemes(text: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of *text* in order; positions count characters of *text* as given."""
    return morphemes_of([text])[0]


def morphemes_of(texts: Sequence[str]) -> list[tuple[Morpheme, ...]]:
    """Return the morphemes of each text; unseen texts are analysed together, on several cores."""
    analyses = {text: remembered for text in texts if (remembered := _remembered.get(text)) is not None}
    unseen = list(dict.fromkeys(text for text in texts if text not in analyses))
    if unseen:
        for text, analysed in zip(unseen, _analyse(unseen), strict=True):
            if len(text) <= _LONGEST_KEPT_CHARS:
                _remembered.put(text, analysed)
            analyses[text] = analysed
    return [analyses[text] for text in texts]


def improbability(text: str) -> float:
    """Return the analyser's improbability of *text* for each letter: about 1.5 for prose, and for text without Hangul."""
    beginning = text[:_UNBROKEN_CHARS]
    letters = sum(map(str.isalnum, beginning))
    return -kiwi().analyze(beginning)[0][1] / letters if has_hangul(beginning) else _OF_PROSE


def conjugate(stem: Sequence[Morpheme], form: str, tag: str) -> str:
    """Return *stem* with the ending *form* as Korean spells the two together: 크 and 은 are "큰"."""
    written: str = kiwi().join([*((m.form, m.tag) for m in stem), (form, tag)])
    return written


def _analyse(texts: Sequence[str]) -> list[tuple[Morpheme, ...]]:
    pieces = [(index, start, piece) for index, text in enumerate(texts) for start, piece in _pieces(text)]
    analyses: list[list[Morpheme]] = [[] for _ in texts]
    for (index, offset, _), tokens in zip(pieces, kiwi().tokenize([piece for _, _, piece in pieces]), strict=True):
        analyses[index].extend(
            Morpheme(token.form, token.tag, token.start + offset, token.start + token.len + offset, token.id in _GUESSED_IDS)
            for token in tokens
        )
    return [_with_derived_nouns(morphemes) for morphemes in analyses]


def _with_derived_nouns(morphemes: list[Morpheme]) -> tuple[Morpheme, ...]:
    """Return *morphemes* with a determiner and noun suffix joined: Kiwi reads 수율 as 수 and -율."""
    whole: list[Morpheme] = []
    for here in morphemes:
        before = whole[-1] if whole else None
        if here.tag == "XSN" and before is not None and before.tag == "MM" and before.end == here.start:
            whole[-1] = Morpheme(before.form + here.form, "NNG", before.start, here.end)
        else:
            whole.append(here)
    return tuple(whole)


def _pieces(text: str) -> Iterable[tuple[int, str]]:
    """Yield *text* in pieces with their offsets, cut at spaces; lone surrogates, which Kiwi refuses, become U+FFFD."""
    text = _SURROGATE.sub("\ufffd", text)
    if len(text) <= _UNBROKEN_CHARS:
        yield 0, text
        return
    start = 0
    for run in _UNBROKEN.finditer(text):
        yield from _cut(text, start, run.start(), _PIECE_CHARS)
        yield from _cut(text, run.start(), run.end(), _UNBROKEN_CHARS)
        start = run.end()
    yield from _cut(text, start, len(text), _PIECE_CHARS)


def _cut(text: str, start: int, end: int, size: int) -> Iterable[tuple[int, str]]:
    while end - start > size:
        space = max(text.rfind(" ", start, start + size), text.rfind("\n", start, start + size)) + 1
        cut = space if space > start else start + size
        yield start, text[start:cut]
        start = cut
    if start < end:
        yield start, text[start:end]


def terms(text: str, *, predicates: bool = True) -> tuple[str, ...]:
    """Return the content morphemes of *text* in lower case, in order, with duplicates.

    Particles, endings and signs are left out; two-syllable and one-syllable nouns are kept. *predicates* adds stems of verbs and
    adjectives and adverbs.
    """
    return terms_of([text], predicates=predicates)[0]


def terms_of(texts: Iterable[str], *, predicates: bool = True) -> list[tuple[str, ...]]:
    """Return ``terms`` of each text, analysed together."""
    tags = CONTENT_TAGS if predicates else NOUN_TAGS
    normal = [normalize(text) for text in texts]
    return [tuple(m.form.lower() for m in analysed if m.tag in tags) for analysed in morphemes_of(normal)]


def bigrams(text: str) -> tuple[str, ...]:
    """Return the overlapping two-syllable pieces of each run of Hangul in *text*; a single syllable stays."""
    pieces: list[str] = []
    for run in _HANGUL_RUN.findall(normalize(text)):
        pieces.extend([run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)])
    return tuple(pieces)


def normalize(text: str) -> str:
    """Return *text* in Unicode NFC, so that Hangul typed as letters equals precomposed syllables."""
    return unicodedata.normalize("NFC", text)


def has_hangul(text: str) -> bool:
    """Return whether *text* holds a Hangul syllable."""
    return _HANGUL.search(text) is not None


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of *text* by script, or an empty string for a text without letters.

    Korean counts from a tenth of the letters, for Korean texts are full of Latin names and a syllable is worth several of
    those; kana makes a text Japanese even among Chinese characters; any other Latin text is called English.
    """
    if text.isascii():
        return "en" if _LATIN_LETTERS.search(text) else ""
    hangul = _count_letters(_HANGUL_LETTERS, text)
    if hangul and hangul >= _KOREAN_SHARE * len(text):  # there cannot be more letters than characters
        return "ko"
    counts = {code: _count_letters(letters, text) for code, letters in _SCRIPTS}
    letters = sum(counts.values())
    if letters == 0:
        return ""
    if counts["ko"] >= _KOREAN_SHARE * letters:
        return "ko"
    if counts["ja"] and counts["ja"] + counts["zh"] > counts["en"]:
        return "ja"
    return max(counts, key=lambda code: counts[code])


def _count_letters(runs: re.Pattern[str], text: str) -> int:
    return sum(map(len, runs.findall(text)))


def with_whole_names(text: str, analysed: Sequence[Morpheme]) -> Sequence[Morpheme]:
    """Return *analysed* with those names whole whose beginning is read as a verb or an adverb ("박찬" and "범")."""
    whole: list[Morpheme] = []
    for here in analysed:
        before = _SPACE.split(text[max(0, here.start - _MISREAD_CHARS - 1) : here.start])[-1]
        start = here.start - len(before)
        misread = [each for each in whole[-_MISREAD_MORPHEMES:] if each.start >= start and len(before) <= _MISREAD_CHARS]
        if here.tag in ("NNG", "NNP") and here.form != "때" and _may_begin_name(misread):
            whole[-len(misread) :] = [Morpheme(text[start : here.end], "NNP", start, here.end)]
        else:
            whole.append(here)
    return whole


def _may_begin_name(misread: Sequence[Morpheme]) -> bool:
    """Return whether the *misread* morphemes may be the beginning of a name: "온새" of "온새시"."""
    verbal = all(each.tag.startswith(("V", "MA", "MM", "E")) for each in misread)
    return verbal and bool(misread) and misread[0].tag.startswith(("V", "MA"))
