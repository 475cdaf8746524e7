"""Whether two sentences are about the same thing, and how much they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from search_core.language import word_set
from search_core.language.entities import EntityMatcher
from search_core.language.equivalents import equivalents
from search_core.language.statements.proposition import Proposition
from search_core.language.words import Word, stem

ENOUGH = 0.5
"""Share of a statement's words that makes a sentence without names count as about the same thing."""
REGIONS = word_set(
    "한국 국내 세계 미국 유럽 중국 일본 korea korean unit state american europ european china chines japan japanes"
)
_NOUNS = frozenset({"NNG", "NNP", "XR", "SL"})
SAYS_NOTHING = word_set(
    """
    공시 발표 집계 기록 기준 수준 관계자 전체 결과 통계 자료 통계청 현재
    지난해 작년 올해 내년 금년 분기 상반기 하반기 연간 이번 이후 이전 최근 당시 하루
    퍼센트 조 억 만 천 천만 백만 억원 조원 만원 원 명 말 수 총 약 전년 동기
    대비 규모 회사 업체 기업 제품 임직원 직원 일 달러 유로 정도 사이 때문 오늘 측 이상 이하
    said say report announc compani data offici accord percent million billion trillion dollar won euro year quarter month last
    keep kept percentag point
    total record new now number today week figur result statement current recent annual first second third fourth
    """
)
"""Morphemes of counting, reporting and time (English ones as stems)."""
_COUNTING = SAYS_NOTHING - word_set("회사 업체 기업 제품 임직원 직원 규모 total record new result")
"""The words of ``SAYS_NOTHING`` that never tell what a sentence is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """What two sentences have in common."""

    related: bool
    """False if the two are about different things, so that nothing can be compared."""
    named: bool
    """True when both name the same person, organisation or product."""
    other_product: bool
    all_held: bool
    """True if the sentence contains every name of the statement."""
    cover: float
    """Share of the statement's words, names excluded, that the sentence contains, in [0, 1]."""
    axes: frozenset[str]
    strength: float
    """How close the sentence is to the statement, in [0, 1]; ranks the sentences of a source."""
    certain: bool = True
    """False if the web's sentence has names, but none of the statement's."""
    said_left: frozenset[str] = frozenset()
    """Nouns of the statement, except names, that the sentence lacks."""
    web_left: frozenset[str] = frozenset()


def align(statement: Proposition, web: Proposition) -> Alignment:
    """Return what *statement* and *web* have in common."""
    held = held_names(statement.names, web.text)
    codes = bool(statement.codes & web.codes)
    other_product = bool(statement.codes and web.codes and not codes)
    own, others = _topic(statement, statement.names), _topic(web, (*web.names, *statement.names))
    matched, matched_other = _match_words(own, others)
    matched |= held_parts(statement, web) & {word.form for word in own}
    matched_other |= held_parts(web, statement) & {word.form for word in others}
    cover = len(matched) / len(own) if own else 0.0
    metrics, axes = _metrics(statement) & _metrics(web), _axes(statement) & _axes(web)
    named = bool(held) or codes
    measured = {f.dimension for f in statement.figures if statement.metrics} & {f.dimension for f in web.figures if web.metrics}
    bare = not own and {f.dimension for f in statement.figures} & {f.dimension for f in web.figures}
    anchored = bool(metrics or axes or matched or (codes and not own) or measured or bare)
    if named:
        related = anchored
    elif statement.names and [name for name in web.names if name not in web.sources]:
        related = False  # somebody else is spoken of
    else:
        related = cover >= ENOUGH or (bool(metrics) and cover > 0)
    certain = named or not [name for name in web.names if name not in web.sources]
    left, left_web = _unmatched_nouns(own, matched), _unmatched_nouns(others, matched_other)
    strength = 0.45 * named + 0.35 * cover + 0.2 * bool(metrics or axes)
    return Alignment(
        related=related,
        named=named,
        other_product=other_product,
        all_held=set(statement.names) <= set(held),
        certain=certain,
        cover=cover,
        said_left=left,
        web_left=left_web,
        axes=axes,
        strength=strength,
    )


@lru_cache(maxsize=8192)
def same_name(one: str, other: str) -> bool:
    """Return whether two names can be the same, in either script."""
    return one.casefold() == other.casefold() or bool(_matcher((one,)).find_in(other) or _matcher((other,)).find_in(one))


@lru_cache(maxsize=16384)
def held_names(names: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the *names* that *text* contains in either script; the region in "European AI Act" need not be there."""
    shorter = {name: rest for name in names for rest in [_without_region(name)] if rest}
    held = {*_matcher((*names, *shorter.values())).find_in(text)}
    return tuple(name for name in names if name in held or shorter.get(name) in held)


def _without_region(name: str) -> str:
    first, _, rest = name.partition(" ")
    return rest if " " in rest and stem(first.casefold()) in REGIONS else ""


@lru_cache(maxsize=2048)
def _matcher(names: tuple[str, ...]) -> EntityMatcher:
    return EntityMatcher(names)


def held_parts(proposition: Proposition, other: Proposition) -> frozenset[str]:
    """Return the parts of *proposition*'s compounds that *other* contains as written, even if analysed differently there."""
    held = other.text.casefold()
    return frozenset(part for word, parts in proposition.compounds if word in held for part in parts)


def shared_words(statement: tuple[Word, ...], web: tuple[Word, ...]) -> frozenset[str]:
    """Return the word forms of *statement* that *web* contains, in either script."""
    return _match_words(statement, web)[0]


def _unmatched_nouns(words: Sequence[Word], matched: frozenset[str]) -> frozenset[str]:
    """Return nouns without a counterpart, apart from words of counting, reporting and time."""
    left = (word.form for word in words if word.tag in _NOUNS and word.form not in matched)
    return frozenset(form for form in left if form not in SAYS_NOTHING)


def _metrics(proposition: Proposition) -> frozenset[str]:
    return frozenset(name for name, _, _ in proposition.metrics)


def _axes(proposition: Proposition) -> frozenset[str]:
    return frozenset(happening.axis for happening in proposition.happenings)


def _topic(proposition: Proposition, names: Iterable[str]) -> tuple[Word, ...]:
    """Return the words of *proposition* that are no part of *names*, of numbers or of times."""
    joined = " ".join(names).casefold()
    amounts = [*(figure.text for figure in proposition.figures), *(period.text for period in proposition.periods)]
    spent = {stem(word) for amount in amounts for word in amount.casefold().split()}
    return tuple(word for word in proposition.words if word.form not in joined and word.form not in _COUNTING | spent)


@lru_cache(maxsize=16384)
def _match_words(statement: tuple[Word, ...], web: tuple[Word, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of each side that the other side contains, in either script."""
    theirs = {word.form for word in web}
    mine = {word.form for word in statement}
    same = mine & theirs
    foreign = equivalents(statement, web)
    matched = same | {statement[number].form for number in foreign}
    matched_other = same | {form for forms in foreign.values() for form in forms}
    return frozenset(matched), frozenset(matched_other)
