"""The salient words of a video that are not names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from search_core.korean import Morpheme, has_hangul, morphemes_of, normalize
from search_core.video.everyday_words import ENGLISH_COMMON, KOREAN_COMMON

_WEIGHTS = (12.0, 4.0, 1.0)
"""What one mention in title, description and transcript counts: a title says in five words what a transcript says in many."""
_CAPS = (1, 3, 60)
_JOINED = frozenset({"NNG", "NNP", "SL", "SH", "XSN", "XPN"})
_LEAST_MENTIONS = 2
_LONGEST = 4
_COMPOUND_BONUS = (0.0, 1.0, 1.6, 1.7, 1.8)  # by number of words: words that keep company say more than each alone
_ABSORBED = 0.6  # a word that is mostly inside a longer chosen term adds nothing
_LATIN = re.compile(r"[^\W\d_](?:[\w+#'’-]*[\w+#])?")
_PLURAL_SUFFIX = "들"
_PLURAL = re.compile(r"[a-z]{2}[b-hj-rtv-z]s$")  # apps, mirrors, waves; not glass, bus, analysis


def key_terms(sources: Sequence[Iterable[str]], names: Iterable[str], limit: int) -> tuple[str, ...]:
    """Return the salient words and short compounds of title, description and transcript, best first.

    *sources* are the texts of the three, in that order. Words of *names* are left out.
    """
    named = {part for name in names for part in (_key(name), *(_key(word) for word in name.split()))}
    mentions: Counter[str] = Counter()
    scores: dict[str, float] = {}
    written: dict[str, str] = {}
    for weight, cap, texts in zip(_WEIGHTS, _CAPS, sources, strict=True):
        counts: Counter[str] = Counter()
        for term in _candidates(texts):
            key = _key(term)
            if key not in named and not _all_named(term, named):
                counts[key] += 1
                written.setdefault(key, term)
        for key, count in counts.items():
            mentions[key] += count
            scores[key] = (
                scores.get(key, 0.0) + weight * min(count, cap) * _COMPOUND_BONUS[min(len(written[key].split()), _LONGEST)]
            )
    least = _LEAST_MENTIONS if sum(mentions.values()) > limit * 4 else 1
    ranked = [key for key in sorted(scores, key=lambda key: -scores[key]) if mentions[key] >= least]
    return tuple(written[key] for key in _without_parts(ranked, mentions, limit))


def _without_parts(ranked: list[str], mentions: Counter[str], limit: int) -> list[str]:
    """Return the best terms, without those that are mostly said inside a better one, or that only add a word to it."""
    chosen: list[str] = []
    for key in ranked:
        inside = [other for other in chosen if _holds(other, key)]
        around = [other for other in chosen if _holds(key, other)]
        if any(mentions[other] >= _ABSORBED * mentions[key] for other in inside):
            continue
        if any(mentions[key] < _ABSORBED * mentions[other] for other in around):
            continue
        chosen.append(key)
        if len(chosen) == limit:
            break
    return chosen


def _holds(longer: str, shorter: str) -> bool:
    return longer != shorter and f" {shorter} " in f" {longer} "


def _key(term: str) -> str:
    """Return what a term is counted under: lower case, English plurals with their singular."""
    folded = term.casefold()
    return folded[:-1] if _PLURAL.search(folded) else folded


def _all_named(term: str, named: set[str]) -> bool:
    return all(_key(word) in named for word in term.split())


def _candidates(texts: Iterable[str]) -> Iterator[str]:
    """Yield each run of up to ``_LONGEST`` content words that stand together."""
    normal = [normalize(text) for text in texts]
    korean = [text for text in normal if has_hangul(text)]
    runs = [run for text, analysed in zip(korean, morphemes_of(korean), strict=True) for run in _korean_runs(text, analysed)]
    runs += [run for text in normal if not has_hangul(text) for run in _latin_runs(text)]
    for run in runs:
        for size in range(1, _LONGEST + 1):
            for start in range(len(run) - size + 1):
                words = run[start : start + size]
                if all(len(word) > 1 for word in words):
                    yield " ".join(words)


def _korean_runs(text: str, analysed: Sequence[Morpheme]) -> Iterator[list[str]]:
    """Yield the runs of nouns that follow each other, as words: morphemes written together stay together."""
    run: list[str] = []
    end = -1
    for morpheme in analysed:
        piece = text[morpheme.start : morpheme.end]
        if run and piece == _PLURAL_SUFFIX and morpheme.start == end:
            end = morpheme.end
            continue
        if morpheme.tag not in _JOINED or _is_common(piece):
            yield run
            run = []
        elif run and morpheme.start == end:
            run[-1] += piece
        elif run and not text[end : morpheme.start].strip(" "):
            run.append(piece)
        else:
            yield run
            run = [piece]
        end = morpheme.end
    yield run


def _latin_runs(text: str) -> Iterator[list[str]]:
    """Yield the runs of words between signs and common words."""
    run: list[str] = []
    end = 0
    for found in _LATIN.finditer(text):
        if text[end : found.start()].strip(" ") or _is_common(found[0]):
            yield run
            run = []
        if not _is_common(found[0]):
            run.append(found[0])
        end = found.end()
    yield run


def _is_common(word: str) -> bool:
    return word in KOREAN_COMMON or word.casefold().replace("’", "'") in ENGLISH_COMMON
