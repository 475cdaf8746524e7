"""Whether a Korean question asked before a video leaves open what it is about: "언제 발사됐어?", "수명은 얼마나 돼?".

Logistic regression over what the question names. Weights: ``data/open_subject.json``, learnt by
``tests/quality/learn_open_subject.py`` from questions of this project and of SQuARe and MIRACL, which stand alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from search_core.text.korean import Morpheme
from search_core.text.korean.content import ContentTerm
from search_core.text.words import rarity, words_of

NAMES = (
    "nouns", "names", "names as subjects", "rarest", "rarity", "nouns as verbs", "verbs", "properties", "past", "asks what it is",
    "words",
)  # fmt: skip
"""The names of what is read of a question."""
_NAME_TAGS = frozenset({"NNP", "SL", "SH"})
_ASKS_WHAT = re.compile(r"뭐(?:야|예|니|지)|무엇|무슨 뜻|란\?")


@cache
def _weights() -> tuple[Mapping[str, float], float]:
    stored = json.loads(resources.files(__package__).joinpath("data/open_subject.json").read_text(encoding="utf-8"))
    return stored["weights"], stored["bias"]


def leaves_subject_open(text: str, analysed: Sequence[Morpheme], specific: Sequence[ContentTerm], properties: int) -> bool:
    """Return whether *text* likely leaves to the video what it asks about; no keywords do.

    *specific* are its content terms without the number of words that only name *properties* ("매출").
    """
    if not (text.endswith("?") or any(each.tag == "EF" for each in analysed[-2:])):
        return False
    weights, bias = _weights()
    read = read_question(text, analysed, specific, properties)
    return sum(weights.get(name, 0.0) * value for name, value in read.items()) + bias > 0


def read_question(text: str, analysed: Sequence[Morpheme], specific: Sequence[ContentTerm], properties: int) -> dict[str, float]:
    """Return what *text* says of its subject, by ``NAMES``."""
    behind = {morpheme.start: morpheme for morpheme in reversed(analysed)}  # of "됐" the first of two
    as_verbs = [term for term in specific if term.end in behind and behind[term.end].tag in ("XSV", "XSA")]
    nouns = [term for term in specific if not term.predicate and term not in as_verbs]
    tags = {term: {each.tag for each in analysed if term.start <= each.start and each.end <= term.end} for term in nouns}
    names = [term for term in nouns if not _NAME_TAGS.isdisjoint(tags[term])]
    said = words_of(term.text for term in nouns)
    rarities = [max(map(rarity, words), default=0.3) + 0.1 * (len(words) > 1) for words in said]
    return dict(
        zip(
            NAMES,
            (
                len(nouns),
                len(names),
                sum(_is_subject(behind.get(term.end)) for term in names),
                max(rarities, default=0.0),
                sum(rarities),
                len(as_verbs),
                sum(term.predicate for term in specific),
                properties,
                any(each.tag == "EP" and each.form in ("었", "았") for each in analysed),
                _ASKS_WHAT.search(text) is not None,
                len(text.split()),
            ),
            strict=True,
        )
    )


def _is_subject(particle: Morpheme | None) -> bool:
    return particle is not None and (particle.tag == "JKS" or (particle.tag == "JX" and particle.form in ("은", "는")))
