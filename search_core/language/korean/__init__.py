"""The Korean language itself: morphemes, scripts, particles."""

from search_core.language.korean.morphemes import (
    Morpheme,
    bigrams,
    detect_language,
    has_hangul,
    improbability,
    morphemes,
    morphemes_of,
    normalize,
    terms,
    terms_of,
    warm_up,
)

__all__ = [
    "Morpheme",
    "bigrams",
    "detect_language",
    "has_hangul",
    "improbability",
    "morphemes",
    "morphemes_of",
    "normalize",
    "terms",
    "terms_of",
    "warm_up",
]
