"""A Korean line about a foreign text, made of nothing but facts: where it is from, when, which names, and its own best sentence.

Nothing is translated, so nothing can be translated wrongly; the line is labelled as an extract wherever it is shown.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from search_core.domain import SearchResult
from search_core.entities import find_entities
from search_core.korean import detect_language
from search_core.korean.content import content_terms
from search_core.presenting.dates import korean_date
from search_core.presenting.wording import one_line
from search_core.sentences import split_sentences

MAX_KEY_TERMS = 5
MAX_QUOTE_CHARS = 180
MIN_QUOTE_CHARS = 25
MAX_COMPARED = 6
"""Sentences of a text that are held against the question: each costs as much as a short result."""
MOSTLY = 2 / 3
"""Of the letters of a text, so many in sentences without a Korean word make it a foreign one."""
MAX_READ_CHARS = 2000
"""Snippets are short; a longer text tells what it is about at its beginning."""

_MAX_REMEMBERED = 2048
_WORD = re.compile(r"[^\W_]+")
_KOREAN_WORD = re.compile(r"[가-힣]+")


def foreign_language(result: SearchResult) -> str:
    """Return the ISO 639-1 code of a foreign result, or an empty string for a Korean one and one without letters.

    A text is foreign, too, when most of it is sentences without a Korean word: a Korean text full of Latin names has one in each.
    """
    found = detect_language(f"{result.title} {result.snippet}")
    if found == "ko":
        found = _mostly_foreign(result.title, result.snippet) or found
    if found in ("", "ko"):
        return ""
    return result.language if result.language not in ("", "ko") else found


@lru_cache(maxsize=_MAX_REMEMBERED)
def _mostly_foreign(title: str, snippet: str) -> str:
    """Return the language of the foreign sentences of a text where they are most of it, or an empty string."""
    sentences = [sentence for text in (title, snippet) for sentence in split_sentences(one_line(text)[:MAX_READ_CHARS])]
    foreign = [sentence for sentence in sentences if not _KOREAN_WORD.search(sentence)]
    if sum(map(len, foreign)) < MOSTLY * sum(map(len, sentences)):
        return ""
    return detect_language(" ".join(foreign))


@lru_cache(maxsize=_MAX_REMEMBERED)
def korean_sentences(text: str) -> tuple[str, ...]:
    """Return the Korean sentences of a foreign *text*, letter for letter and in order.

    A sentence with two Korean words or more counts: a foreign one that quotes Korean is kept with what it quotes, one that only
    names somebody in Korean is not.
    """
    return tuple(dict.fromkeys(sentence for sentence in split_sentences(text) if len(_KOREAN_WORD.findall(sentence)) > 1))


def extract_summary(result: SearchResult, quote: str = "") -> str:
    """Return one Korean line for a foreign *result*, with *quote* from it or else the original sentence that names most."""
    when = f" {korean_date(result.publish_date)}에" if result.publish_date is not None else ""
    source = one_line(result.source).strip() or "출처가 적히지 않은 곳"
    terms = [term for term in key_terms(result.title, result.snippet) if not _names_source(term, source)][:MAX_KEY_TERMS]
    words = f" 핵심어: {', '.join(terms)}." if terms else ""
    quote = _shorten(one_line(quote)) if quote else best_sentence(result.title, result.snippet)
    return f"{source}에서{when} 전한 내용이에요.{words} 원문: “{quote}”"


@lru_cache(maxsize=_MAX_REMEMBERED)
def key_terms(title: str, snippet: str) -> tuple[str, ...]:
    """Return the names of a text, those of the title and the most frequent first, then its most frequent words."""
    text = "\n".join((one_line(title), *split_sentences(one_line(snippet)[:MAX_READ_CHARS])))
    names = Counter(entity.text.strip() for entity in find_entities(text))
    words = Counter(term.text for term in content_terms(text) if not term.attribute and len(term.text) > 2)
    found: list[str] = []
    for word, _ in (*_by_weight(names, title), *_by_weight(words, title)):
        if word and not any(word.casefold() in known.casefold() for known in found):
            found.append(word)
        if len(found) == MAX_KEY_TERMS + 1:  # one may turn out to be the source itself
            break
    return tuple(found)


def _names_source(term: str, source: str) -> bool:
    """Tell whether *term* is the site's own name, which stands in the line already ("CNN" of cnn.com)."""
    return "".join(_WORD.findall(term.casefold())) in (source.casefold(), *source.casefold().split("."))


def _by_weight(counts: Counter[str], title: str) -> list[tuple[str, int]]:
    weighed = {word: count + (2 if word in title else 0) for word, count in counts.items()}
    return sorted(weighed.items(), key=lambda item: -item[1])


@lru_cache(maxsize=_MAX_REMEMBERED)
def best_sentence(title: str, snippet: str) -> str:
    """Return the sentence of *snippet* that says most of what *title* names, shortened to ``MAX_QUOTE_CHARS``.

    A snippet without a sentence leaves the title itself.
    """
    wanted = {word.casefold() for word in _WORD.findall(title) if len(word) > 2}
    sentences = split_sentences(one_line(snippet)[:MAX_READ_CHARS])
    if not sentences:
        return _shorten(one_line(title))
    return _shorten(max(sentences, key=lambda sentence: _tells_most(sentence, wanted)))


def quotable_sentences(snippet: str) -> tuple[str, ...]:
    """Return the first sentences of *snippet* that are long enough to tell something."""
    sentences = split_sentences(one_line(snippet)[:MAX_READ_CHARS])
    return tuple(sentence for sentence in sentences if len(sentence) >= MIN_QUOTE_CHARS)[:MAX_COMPARED]


def _tells_most(sentence: str, wanted: set[str]) -> tuple[bool, int, int]:
    words = {word.casefold() for word in _WORD.findall(sentence)}
    return len(sentence) >= MIN_QUOTE_CHARS, len(words & wanted), min(len(words), 25)


def _shorten(sentence: str) -> str:
    plain = sentence.replace("“", '"').replace("”", '"').strip()
    if len(plain) <= MAX_QUOTE_CHARS:
        return plain
    cut = plain[: MAX_QUOTE_CHARS - 1]
    space = cut.rfind(" ")
    return f"{cut[:space] if space > MAX_QUOTE_CHARS // 2 else cut}…"
