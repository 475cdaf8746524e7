"""Function words of questions, Korean and English: closed classes and polite formulas, no names and no subjects."""

from __future__ import annotations

from search_core.language import word_lists

_LISTS = word_lists("question_words.txt")

FILLER_NOUNS = _LISTS["filler_nouns"]
"""Nouns that say nothing without the words around them."""

ASKING_NOUNS = _LISTS["asking_nouns"]
"""Nouns that ask for an answer when a light verb follows or they end the question ("설명해 줘", "검색")."""

LIGHT_PREDICATES = _LISTS["light_predicates"]
"""Stems of verbs and adjectives that only carry the sentence."""

MEASURES = {
    "빠르": "속도", "크": "크기", "높": "높이", "길": "길이", "넓": "넓이", "깊": "깊이", "무겁": "무게", "멀": "거리",
    "두껍": "두께", "비싸": "가격", "싸": "가격", "걸리": "시간", "들": "비용",
}  # fmt: skip
"""What "얼마나" asks for with a verb or an adjective of measure."""

KEPT_DETERMINERS = frozenset({"새", "첫", "옛"})
"""Determiners that narrow a search down, as in "첫 고객"."""

ENGLISH_FUNCTION_WORDS = _LISTS["english_function_words"]
"""English words that are no search terms."""

ATTRIBUTE_NOUNS = _LISTS["attribute_nouns"]
"""Nouns that name a property without its owner ("가격")."""

ENGLISH_ATTRIBUTE_WORDS = _LISTS["english_attribute_words"]
"""English words that name a property or relation without its owner ("price")."""
