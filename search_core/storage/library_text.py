"""Documents cut into passages, and texts as the words the library looks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from search_core import korean
from search_core.korean.function_words import ENGLISH_FUNCTION_WORDS, FILLER_NOUNS, LIGHT_PREDICATES
from search_core.sentences import sentence_spans

PASSAGE_CHARS = 400
"""What a snippet on the page can hold."""
SECTION_CHARS = 2_000
"""What is ranked as one: shorter and words of one thought are torn apart, longer and a book beats an article by its length."""
MAX_QUERY_WORDS = 48
TITLE_WEIGHT, BODY_WEIGHT, BIGRAM_WEIGHT = 2.0, 1.0, 0.4
"""Measured on four Korean retrieval sets, whole corpora as library; bigrams find what the analyser cuts differently."""
_WORD = re.compile(r"\w+")


class Section(NamedTuple):
    """A stretch of a document that is ranked as one, in passages."""

    passages: tuple[str, ...]


class QueryWords(NamedTuple):
    """A query as words to look for."""

    terms: tuple[str, ...]
    bigrams: tuple[str, ...]


def sections(text: str) -> list[Section]:
    """Return *text* in sections of whole passages; every character but white space is in exactly one passage."""
    cut: list[Section] = []
    held: list[str] = []
    length = 0
    for passage in passages(text):
        if held and length + len(passage) > SECTION_CHARS:
            cut.append(Section(tuple(held)))
            held, length = [], 0
        held.append(passage)
        length += len(passage)
    return [*cut, Section(tuple(held))] if held else cut


def passages(text: str) -> list[str]:
    """Return *text* in passages of whole sentences, at most ``PASSAGE_CHARS`` long; a longer sentence is cut between words."""
    cut: list[str] = []
    held = ""
    for sentence in _sentences(text):
        joined = f"{held} {sentence}" if held else sentence
        if len(joined) <= PASSAGE_CHARS:
            held = joined
        else:
            if held:
                cut.append(held)
            held = sentence
    return [*cut, held] if held else cut


def _sentences(text: str) -> list[str]:
    found = []
    for start, end in sentence_spans(text):
        sentence = " ".join(text[start:end].split())
        while len(sentence) > PASSAGE_CHARS:
            space = sentence.rfind(" ", PASSAGE_CHARS // 2, PASSAGE_CHARS + 1)
            cut = space if space > 0 else PASSAGE_CHARS
            found.append(sentence[:cut])
            sentence = sentence[cut:].lstrip()
        found.append(sentence)
    return found


def from_first_said(passage: str, words: QueryWords) -> str:
    """Return *passage* from its first sentence that holds one of *words* on, for a reader sees its beginning first."""
    wanted = [term for term in words.terms if len(term) > 1]
    for start, end in sentence_spans(passage):
        if any(term in passage[start:end].lower() for term in wanted):
            return passage[start:]
    return passage


def indexed_words(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return the terms and the bigrams of each text, each joined by spaces."""
    return [(" ".join(terms), " ".join(korean.bigrams(text))) for text, terms in zip(texts, korean.terms_of(texts), strict=True)]


def query_words(query: str) -> QueryWords:
    """Return what to look for: the query's words without those that only ask or bind, all of them when no others are there."""
    terms = _once(word for term in korean.terms(query) for word in _WORD.findall(term))
    telling = tuple(term for term in terms if not _is_empty(term))
    pairs = _once(pair for pair in korean.bigrams(query) if len(pair) == 2)
    return QueryWords((telling or terms)[:MAX_QUERY_WORDS], pairs[:MAX_QUERY_WORDS])


def _is_empty(term: str) -> bool:
    return term in ENGLISH_FUNCTION_WORDS or term in FILLER_NOUNS or term in LIGHT_PREDICATES


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def as_match(words: QueryWords) -> str:
    """Return the FTS5 expression for any of *words*; empty when there is none to look for.

    Every word is a quoted string, so that nothing in a query is taken for an operator (sqlite.org/fts5.html §3.1).
    """
    parts = []
    if words.terms:
        parts.append(f"{{title_terms body_terms}} : ({_any_of(words.terms)})")
    if words.bigrams:
        parts.append(f"{{bigrams}} : ({_any_of(words.bigrams)})")
    return " OR ".join(parts)


def _any_of(words: Sequence[str]) -> str:
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
