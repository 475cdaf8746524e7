"""Korean gists of foreign results without a language model: asked words, names and figures in their texts.

No sentence is translated, so none can be translated wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence

from search_core.domain.result import SearchResult
from search_core.language.entities import find_entities, translate_name
from search_core.language.equivalents import equivalents
from search_core.language.statements.figures import figures_in
from search_core.language.words import words_of

MAX_WORDS, MAX_NAMES, MAX_FIGURES = 4, 3, 2
MAX_NAME_WORDS = 3
"""Of a name: longer ones are headlines."""
READ_CHARS = 1_000
_NOUNS = ("NNG", "NNP")
_NO_MEASURE = ("plain", "times")


def korean_gists(results: Sequence[SearchResult], asked: str) -> list[str]:
    """Return for each of foreign *results* its question words *asked*, names and figures, in Korean.

    For example ``대역폭 · JEDEC · 6 months``; empty for one that holds none.
    """
    texts = [f"{result.title}\n{result.snippet}"[:READ_CHARS] for result in results]
    question, *words_by_text = words_of([asked, *texts])
    gists = []
    for result, words in zip(results, words_by_text, strict=True):
        held = sorted(equivalents(question, words))
        question_words = [question[number].form for number in held if question[number].tag in _NOUNS]
        snippet = result.snippet[:READ_CHARS]
        parts = (*question_words[:MAX_WORDS], *(_names(snippet) or _names(result.title)), *_figures(snippet))
        gists.append(" · ".join(dict.fromkeys(parts)))
    return gists


def _names(text: str) -> list[str]:
    named = [entity.text for entity in find_entities(text) if len(entity.text) > 2 and len(entity.text.split()) <= MAX_NAME_WORDS]
    # ASML and TSMC are written so in Korean, too.
    return [*dict.fromkeys(name if name.isupper() else translate_name(name) or name for name in named)][:MAX_NAMES]


def _figures(text: str) -> list[str]:
    figures = [figure for figure in figures_in(text) if figure.dimension not in _NO_MEASURE]
    return [*dict.fromkeys(text[figure.start : figure.end].strip() for figure in figures)][:MAX_FIGURES]
