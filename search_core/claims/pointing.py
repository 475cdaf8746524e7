"""Finds words of a statement that point at earlier ones, and replaces them with names."""

from __future__ import annotations

import re
from dataclasses import replace

from search_core.domain import Reference, ReferenceKind
from search_core.intent.english_references import english_references
from search_core.intent.korean_references import korean_references
from search_core.korean import has_hangul, morphemes
from search_core.korean.particles import join_particle

_HE = re.compile(r"(?:그|그녀)(?=(?:는|가|의|도|를|에게|와)$)")
"""A statement that opens with "그는" speaks of a person, a question may ask for a thing by it."""
_FIXED = re.compile(
    r"\b(?:make|makes|made|worth|get|got|call|that said,|(?:to|i|you|we|they) do|doing) it\b"
    r"|\bit(?= (?:sounds|seems|looks|appears|turns out|feels)\b)|\b(?:does|did|would) it(?= mean\b)"
    r"|\b(?:he|his|him)(?= or (?:she|her)\b)|(?<= or )(?:she|her)\b",
    re.IGNORECASE,
)
"""Turns of phrase in which a pronoun points at nothing that has a name."""
_POSSESSIVES = frozenset({"his", "her", "its", "their"})
_NO_NOUN = re.compile(
    r"\s*(?:$|[.,;!?]|(?:to|in|on|at|for|with|and|or|by|as|from|that|when|into|about|a|the|was|is)\b)", re.IGNORECASE
)
"""After "her" it shows that nothing is hers."""
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those", "the"})
_YEAR = re.compile(
    r"(?<![가-힣])(?:그\s?해|같은\s해)(?=[\s에의는까부]|$)|(?P<then>^(?:그\s)?당시(?!까지)|^그때)(?=[\s에의는,]|$)"
    r"|(?P<before>\b(?:in|of|by|since|for|during|until|later)\s)?\b(?:(?:later\s)?that(?:\ssame)?|the\ssame)\syear\b",
    re.IGNORECASE,
)


def pointing_words(sentence: str) -> list[Reference]:
    """Return the words of *sentence* that point outside it, in order, none overlapping."""
    if not has_hangul(sentence):
        fixed = {match.end() for match in _FIXED.finditer(sentence)}
        return [reference for reference in english_references(sentence) if reference.end not in fixed]
    found = []
    for reference in korean_references(sentence, morphemes(sentence)):
        he = _HE.match(reference.text)
        if reference.head:
            found.append(reference)
        elif he is not None:
            found.append(replace(reference, text=he[0], end=reference.start + len(he[0]), kind=ReferenceKind.PERSON))
    return found


def put_name(sentence: str, reference: Reference, name: str) -> str:
    """Return *sentence* with *reference* replaced by *name*, in the form that the grammar requires."""
    return (_put_korean if has_hangul(sentence) else _put_english)(sentence, reference, name)


def put_year(sentence: str, year: int) -> str:
    """Return *sentence* with *year* where it says "그해", "that year" or opens with "당시"."""

    def word(match: re.Match[str]) -> str:
        if match[0].isascii():
            lead = (match["before"] or "").replace("later ", "later in ")
            return f"{lead or 'in '}{year}"
        return f"{year}년 당시" if match["then"] else f"{year}년"

    dated = _YEAR.sub(word, sentence)
    return sentence if dated == sentence else _capital(dated)


def _put_korean(sentence: str, reference: Reference, name: str) -> str:
    start, end = reference.start, reference.end
    behind = sentence[end:].lstrip()
    if reference.head and behind.startswith(reference.head):
        end = sentence.index(reference.head, end)
        if reference.kind is not ReferenceKind.THING and not name.endswith(reference.head):
            return f"{sentence[:start]}{name} {sentence[end:]}"
        end += len(reference.head)
    word, rest = join_particle(name, sentence[end:])
    return f"{sentence[:start]}{word}{rest}"


def _put_english(sentence: str, reference: Reference, name: str) -> str:
    low, behind = reference.text.casefold(), sentence[reference.end :]
    possessive = low in _POSSESSIVES and not (low == "her" and _NO_NOUN.match(behind))
    if reference.head and low in _DEMONSTRATIVES:
        behind = behind.lstrip()[len(reference.head) :]
    named = f"{name}{'’' if name.endswith('s') else '’s'}" if possessive else name
    return _capital(f"{sentence[: reference.start]}{named}{behind}")


def _capital(sentence: str) -> str:
    """Return *sentence* with a capital first, unless it begins with a name that is written otherwise ("iOS")."""
    return sentence if sentence[1:2].isupper() else sentence[:1].upper() + sentence[1:]
