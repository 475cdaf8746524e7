"""Whether a sentence is self-contained as a claim and, if not, why; ``tests/quality/learn_standing_weights.py`` learns it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from search_core.answers.check_worthiness import NAMES as CUES
from search_core.answers.check_worthiness import read_features
from search_core.answers.regression import Regression, read_weights
from search_core.language.korean import Morpheme, has_hangul, morphemes
from search_core.runtime import in_turns
from search_core.search.understanding.references import english_references, korean_references

Rows = NDArray[np.float32]


class SentenceClass(StrEnum):
    """Names the classes of single sentences."""

    CLAIM = "claim"
    """A statement that can be checked without its neighbours."""
    LOST = "lost"
    """Its subject was named in an earlier sentence."""
    CUT = "cut"
    """A part of a sentence, several sentences, or misheard words."""
    OTHER = "other"
    """An example, a plan, a question, somebody else's word or a vague judgement."""


_LEAD = r"^\W*(?:(?:and|but|so|now|well|because|in fact|actually|also|or|then)\b[ ,]*)*"
_PATTERNS = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "opens with a person": rf"{_LEAD}(?:he|she|they|his|her|their)\b",
        "opens with a thing": rf"{_LEAD}(?:it|its|that|this|these|those|which)\b",
        "opens with us": rf"{_LEAD}(?:we|our|i|my|you|your)\b",
        "opens with a place": rf"{_LEAD}(?:here|there)\b",
        "opens with a noun": r"^(?:the|that|this)\s[a-z]+",
        "opens with a joint": r"^\W*(?:and|but|so|or|because|which)\b",
        "opens with a time": r"^\W*(?:(?:and|but|so|now),? )?(?:in|since|last|over|every|today|yesterday|during|by)\b",
        "a person": r"\b(?:he|she|they|him|her|his|them|their)\b",
        "a thing": r"\b(?:it|its)\b",
        "us": r"\b(?:we|our|us)\b",
        "me": r"\b(?:i|my|me)\b",
        "you": r"\b(?:you|your|yours)\b",
        "which one": r"\b(?:this|that|these|those|such) (?!year|month|week|country|century|that\b)\w+",
        "here or there": r"\b(?:here|there)\b",
        "goes on": r"\b(?:also|likewise|similarly|then|so|same|other|another|for example|in other words)\b",
        "shown": r"\b(?:let['’]s|see|look|imagine|suppose|say|consider|if|example)\b",
        "felt": r"\b(?:think|believe|great|tremendous|amazing|best|beautiful|incredible|proud|important|very)\b",
        "reported": r"\b(?:said|says|told|according to|announced|report(?:ed)?|poll)\b",
        "told of the past": r"\b(?:was|were|had|did|[a-z]{3,}ed)\b",
        "told of what comes": r"\b(?:will|going to|plan|would|should|could)\b",
        "goes on in Korean": r"^(?:그러나|하지만|또한?|반면|그리고|그런데|이어|이후|한편|특히|실제로|다만"
        r"|이에|이를|이는|이로써|이와|앞서|당시|그래서|그렇게|이렇게|결국|물론|우선|이제|여기에?|여기서)(?=\s)",
        "points in Korean": r"(?<![가-힣])(?:[이그저]|해당|이런|그런|이러한|그러한|당시|앞서|이번"
        r"|[이그]들|[이그]곳|여기|[이그]것|[이그]때)"
        r"(?=\s|의|이|은|는|을|를|에|도|과|와|서)",
        "a part of a name": r"(?:^|\s)[가-힣] ?(?:의원|대통령|시장|대표|후보자|장관|회장|씨|모 씨"
        r"|위원장|판사|전 장관)(?=[\s은는이가의을를도])",
        "reported in Korean": r"[다라냐자](?:고|며|면서)\s*(?:밝|말|전|주장|설명|강조|지적|덧붙|예상|보도|해명|경고|발표)",
        "a row of a table": r"^(?:또 )?(?:지역별로는 |이 가운데 |이 중 )?\S{1,6}\s?\d",
        "the talk itself": r"여러분|저는|저희|우리|오늘은|이야기|정리|살펴|말씀|생각",
        "expected": r"것으로|전망|예상|계획|방침|예정|추정",
        "weighed": r"중요|핵심|의미|문제|부분|상황|바로|굉장히|훨씬|정말",
        "ends politely": r"니다\W*$",
        "ends softly": r"요\W*$",
        "ends agreeing": r"죠\W*$",
        "quotes": r"[\"“”]",
        "begins small": r"^(?-i:[a-z])",
        "is closed": r"[.?!…][\"”’)]*$",
        "names": r"(?<=[a-z,] )(?-i:[A-Z])\w+",
        "opens with a name": rf"{_LEAD}(?!(?:the|an?|in|on|if|when|what|there|here|it|th[ai]t|th[ei]se|this|those|we|i|you|they"
        r"|s?he|our|my|your|at|for|with|some|all|since|as)\b)(?-i:[A-Z])",
    }.items()
}
_GRAMMAR = (
    "has a subject", "names its subject", "opens with its subject", "names its first subject", "names in Korean",
    "opens with a number", "unknown words", "ends as a sentence", "ends open", "joints", "is something",
    "its subject is somebody's", "names whose its subject is",
)  # fmt: skip
_KINDS = ("person", "organization", "thing", "place")
NAMES = (*CUES, *_PATTERNS, *_GRAMMAR, *(f"points at a {kind}" for kind in _KINDS), "points", "many words", "was cut before")
"""The names of the features, in the order of a row."""
_MOST = 3
_LONG_WORDS = {True: 28, False: 38}
_SUBJECTS = ("이", "가", "은", "는", "도", "께서")
_NAMED = ("NNP", "SL")
_REACH = 10
"""How many morphemes before a particle are searched for its noun."""


@dataclass(frozen=True, slots=True)
class SentenceClassifier(Regression):
    """Predicts the ``SentenceClass`` of a row: a sentence's features, its vector and that of the sentence before."""

    without_before: NDArray[np.float64]
    """Log odds of each class added if the sentence before has no vector: what an average one adds."""


@cache
def shipped_weights() -> dict[str, SentenceClassifier]:
    """Return the shipped classifiers: ``words``, and with vectors ``korean`` and ``english``."""
    return {
        name: SentenceClassifier(
            weights=np.array([*(weights["features"][feature] for feature in NAMES), *weights["vectors"]]),
            bias=np.array(weights["bias"]),
            without_before=np.array(weights["without_before"]),
        )
        for name, weights in read_weights("standing").items()
    }


def classify_sentences(
    sentences: Sequence[str],
    before: Sequence[str],
    vectors: Sequence[Rows | None] = (),
    before_vectors: Sequence[Rows | None] = (),
) -> list[dict[SentenceClass, float]]:
    """Return the class probabilities of *sentences*, given the sentence *before* each.

    *vectors* and *before_vectors* have the shipped model's vectors of both where they are known, or are empty.
    """
    if not sentences:
        return []
    weights, rows = shipped_weights(), read_class_features(sentences, before)
    odds = weights["words"].odds(rows)
    for place, vector in enumerate(vectors):
        if vector is not None:
            earlier, of_way = before_vectors[place], weights[way_of(sentences[place], by_meaning=True)]
            row = np.hstack([rows[place], vector, np.zeros_like(vector) if earlier is None else earlier])
            odds[place] = of_way.odds(row) + (of_way.without_before if earlier is None else 0)
    shares = np.exp(odds - odds.max(axis=1, keepdims=True))
    return [dict(zip(SentenceClass, map(float, row), strict=True)) for row in shares / shares.sum(axis=1, keepdims=True)]


def way_of(sentence: str, *, by_meaning: bool) -> str:
    """Return the key of ``shipped_weights`` for *sentence*: "words", or with vectors "korean" or "english"."""
    if not by_meaning:
        return "words"
    return "korean" if has_hangul(sentence) else "english"


def read_class_features(sentences: Sequence[str], before: Sequence[str]) -> Rows:
    """Return ``(n, len(NAMES))``, a row of features for each of *sentences*, given the sentence *before* each."""
    rows = [_row(text, earlier) for text, earlier in in_turns(zip(sentences, before, strict=True))]
    return np.hstack([read_features(sentences), np.array(rows, dtype=np.float32).reshape(len(rows), len(NAMES) - len(CUES))])


def _row(text: str, before: str) -> list[float]:
    korean = has_hangul(text)
    analysed = morphemes(text) if korean else ()
    references = korean_references(text, analysed) if korean else english_references(text)
    kinds = {str(reference.kind) for reference in references}
    return [
        *(_share(len(pattern.findall(text))) for pattern in _PATTERNS.values()),
        *(_grammar(analysed) if analysed else [0.0] * len(_GRAMMAR)),
        *(float(kind in kinds) for kind in _KINDS),
        _share(len(references)),
        float(len(text.split()) > _LONG_WORDS[korean]),
        float(bool(before) and _PATTERNS["is closed"].search(before) is None),
    ]


def _grammar(analysed: Sequence[Morpheme]) -> list[float]:
    subjects = [
        place for place, morpheme in enumerate(analysed) if place and morpheme.tag in ("JKS", "JX") and morpheme.form in _SUBJECTS
    ]
    first = _words_before(analysed, subjects[0], genitive=True) if subjects else []
    words = [morpheme for morpheme in analysed if not morpheme.tag.startswith("S") or morpheme.tag in ("SL", "SN")]
    last = words[-1].tag if words else ""
    return [
        float(bool(subjects)),
        float(any(_is_named(analysed, place) for place in subjects)),
        float(bool(subjects) and analysed[subjects[0]].end < 25),
        float(bool(subjects) and _is_named(analysed, subjects[0])),
        _share(sum(morpheme.tag in ("NNP", "SL") for morpheme in analysed)),
        float(bool(words) and words[0].tag in ("SN", "NR")),
        _share(sum(morpheme.unknown for morpheme in analysed)),
        float(last == "EF"),
        float(last.startswith(("N", "J", "ETM", "EC"))),
        _share(sum(morpheme.tag == "EC" for morpheme in analysed)),
        float(any(morpheme.tag.startswith("VCP") for morpheme in analysed[-4:])),
        float(any(morpheme.tag == "JKG" for morpheme in first)),
        float(any(morpheme.tag in _NAMED for morpheme in first)),
    ]


def _is_named(analysed: Sequence[Morpheme], particle: int) -> bool:
    return any(morpheme.tag in _NAMED for morpheme in _words_before(analysed, particle))


def _words_before(analysed: Sequence[Morpheme], particle: int, *, genitive: bool = False) -> list[Morpheme]:
    """Return the nouns directly before a *particle*; *genitive* ones included, as in "설악산의 높이는"."""
    kinds = ("N", "XSN", "S", "JKG") if genitive else ("N", "XSN", "S")
    return [*takewhile(lambda each: each.tag.startswith(kinds), reversed(analysed[max(0, particle - _REACH) : particle]))]


def _share(count: int) -> float:
    return min(_MOST, count) / _MOST
