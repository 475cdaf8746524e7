"""Whether a spoken sentence is a question, by its punctuation, beginning and end."""

from __future__ import annotations

import re

from search_core.language import word_set
from search_core.language.korean import has_hangul, morphemes

_MARK = re.compile(r"[?？][\"'”’)\]]*$")
_ASKING = word_set(
    "ᆸ니까 습니까 ᆯ까 을까 ᆯ까요 을까요 ᆫ가 은가 는가 던가 ᆫ가요 은가요 는가요 던가요 나 나요 니 으니 냐 으냐 느냐 는지요 ᆫ지요 은지요"
)
"""Endings of sentences, as Kiwi writes them, with which Korean asks."""
_CONFIRMING = word_set("죠 지요 지 잖아요 잖아 거든요 거든")
"""Endings with which speakers say what they take for known, also where a question mark follows."""
_OPEN = word_set("뭐 무엇 누구 어디 언제 왜 어떻 얼마 얼마나 몇 어느 어떤 무슨")
_ENGLISH = re.compile(
    r"\W*(?:(?:so|and|but|well|now|then)\W+){0,2}(?:what|who|why|how|where|when|which)(?:\s[\w'’]+){0,2}?"
    r"\s(?:do|does|did|would|will|can|could|should|is|are|was|were|have|has)\s(?:you|we|they|he|she|it|i)\b",
    re.IGNORECASE,
)
"""How English questions begin, which automatic captions leave without a sign."""


def is_question(sentence: str) -> bool:
    """Return whether *sentence* asks something; one that only seeks confirmation ("맞죠?") does not."""
    marked = _MARK.search(sentence.rstrip()) is not None
    if not has_hangul(sentence):
        return marked or _ENGLISH.match(sentence) is not None
    said = [morpheme for morpheme in morphemes(sentence) if not morpheme.tag.startswith("S")]
    while said and said[-1].tag == "JX":
        said.pop()
    ending = said[-1].form if said and said[-1].tag == "EF" else ""
    if marked and ending in _CONFIRMING:
        return any(morpheme.form in _OPEN for morpheme in said)
    return marked or ending in _ASKING
