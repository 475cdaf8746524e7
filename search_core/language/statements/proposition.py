"""One sentence read as a proposition: its subject, its measures, its event, and how certain it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, reduce
from typing import NamedTuple

from search_core.language import korean, word_set
from search_core.language.entities import EntityKind, find_entities
from search_core.language.entities.gazetteer import is_place
from search_core.language.korean.function_words import ENGLISH_FUNCTION_WORDS, LIGHT_PREDICATES
from search_core.language.korean.morphemes import NOUN_TAGS
from search_core.language.statements.concepts import (
    DOUBTED,
    Happening,
    denied_in,
    happenings_in,
    is_negated,
    metrics_in,
    scopes_in,
)
from search_core.language.statements.figures import MAX_FIGURES, Figure, blank_out, figures_in, spelt_out
from search_core.language.statements.periods import Period, periods_in
from search_core.language.words import LATIN, Word, readable, stem

_NOUN_TAGS = frozenset({"NNG", "NNP", "NR", "XR", "SL", "SN", "XPN", "XSN", "SH"})
_VERBAL = ("VV", "VA")
_MADE_VERBAL = frozenset({"XSV", "XSA"})
_SUBJECT = frozenset({"JKS"})
_TOPIC = frozenset({"은", "는", "도"})
_OBJECT = frozenset({"JKO"})


Phrases = tuple[tuple[str, ...], ...]
"""Noun phrases, each as the forms of its nouns in order; the last noun of a phrase is its head."""


class Arguments(NamedTuple):
    """Holds the subjects, objects and predicates of a sentence."""

    subjects: Phrases = ()
    objects: Phrases = ()
    predicates: tuple[str, ...] = ()
    """Stems of verbs and adjectives, and the nouns in front of -하다 and -되다, in order; empty where only 이다 is."""


def arguments_in(analysed: Sequence[korean.Morpheme]) -> Arguments:
    """Return the subjects (은, 는, 이, 가, 도), the objects (을, 를) and the predicates of a sentence."""
    subjects: list[tuple[str, ...]] = []
    objects: list[tuple[str, ...]] = []
    predicates: list[str] = []
    phrase: list[str] = []
    for morpheme in analysed:
        if morpheme.tag.startswith(_VERBAL):
            predicates.append(morpheme.form)
        elif morpheme.tag in _MADE_VERBAL and phrase:
            predicates.append(phrase[-1])
        if morpheme.tag in _NOUN_TAGS:
            phrase.append(morpheme.form.lower())
            continue
        if phrase and (morpheme.tag in _SUBJECT or (morpheme.tag == "JX" and morpheme.form in _TOPIC)):
            subjects.append(tuple(phrase))
        elif phrase and morpheme.tag in _OBJECT:
            objects.append(tuple(phrase))
        phrase = []
    return Arguments(tuple(subjects), tuple(objects), tuple(predicates))


MAX_SENTENCE_CHARS = 400
"""Characters of a sentence that are analysed; longer ones are lists and scripts, whose rest is ignored."""
_TABLE_CHARS = 100
_TABLE_SHARE = 0.7
_NUMERAL = re.compile(r"[\d,.일이삼사오육칠팔구십백천만억조경원]")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_HANGUL = re.compile(r"[가-힣]")
_CODE = re.compile(
    r"(?:(?<![A-Za-z0-9])(?!(?:Q[1-4]|H[12]|[CG]\d)\b)(?:[A-Z][A-Za-z]*-?\d+(?:\.\d+)?[A-Za-z]*"
    r"|(?!(?:About|Over|Nearly|Only|In|On|At|By|The|From|To|And|With|For|Between|Around|Some|Up|January|February|March|April|May"
    r"|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Q|No|Top)\b)[a-z]?[A-Z][a-z]+\s\d{1,2}(?![\d,.]*\d|\s?(?:%|million|billion|percent)))"
    r"|\b(?!The\b|And\b|But\b)[A-Z][a-z]+\s[A-Z]\b(?![.'’])"
    r"|(?<![가-힣])[가-힣]+(?<![은는이가을를에도로의])\s?\d{1,2}(?=(?:은|는|의|가|이|을|를|과|와|도|에)?(?:\s(?![조억만천백십%퍼명대개원배달년월일시분초])|$|[.,]\s))"
    r")(?:\s(?:Pro|Max|Plus|Ultra|Mini|Air|SE|Lite|프로|맥스|플러스|울트라|미니|에어)(?![A-Za-z]))*"
)
_CAPITAL = re.compile(r"\b[A-Z][A-Za-z]{2,}(?:\s[A-Z][A-Za-z]+)*")
_ATTRIBUTED = re.compile(
    r"\s?(?:에 따르면|에 의하면)|\s(?:reported|reports) that\b"
    r"|[은는이가]\s(?=.*[라다]고\s(?:밝혔|말했|전했|설명했|발표했|보도했))"
)
_KOREAN_WORD = re.compile(r"[가-힣]{2,}")
_PARTICLE = re.compile(r"(?<=[가-힣]{2})(?:에서는?|에게|까지|부터|으로|[은는이가을를의에도와과만로])$")
_QUESTION = re.compile(r"\?\s*[\"'”’)]*$|[까나]\s*$")


@dataclass(frozen=True, slots=True)
class Proposition:
    """One parsed sentence, for comparison."""

    text: str
    words: tuple[Word, ...]
    """Content words, doubles dropped, numbers left out."""
    names: tuple[str, ...]
    """Persons and organisations, as written, and capitalised words of English."""
    sources: frozenset[str]
    """Names that are only cited ("통계청에 따르면")."""
    codes: frozenset[str]
    """Products with a number ("hbm4", "atlas3")."""
    figures: tuple[Figure, ...]
    periods: tuple[Period, ...]
    metrics: tuple[tuple[str, int, int], ...]
    scopes: frozenset[str]
    happenings: tuple[Happening, ...]
    arguments: Arguments
    """Subjects, objects and predicates; empty unless the sentence is Korean."""
    compounds: tuple[tuple[str, frozenset[str]], ...]
    """Compounds and words without particles, with their parts: the analyser splits an unknown name differently each time."""
    propers: frozenset[str]
    """Proper nouns of Korean, places among them."""
    denied: frozenset[str]
    """Forms of the words that the sentence negates."""
    negated: bool
    open: bool
    """True for questions, rumours and plans under review, which assert nothing."""
    ruling: bool | None = None
    """Whether a fact check rates the sentence true; None if no fact check rates it."""


class Amounts(NamedTuple):
    """The countable and datable parts of a text."""

    codes: frozenset[str]
    figures: tuple[Figure, ...]
    periods: tuple[Period, ...]
    spelt: tuple[Figure, ...]
    """Numbers written as words, some English ones among the figures, too."""


@lru_cache(maxsize=4096)
def read_proposition(sentence: str, today: date | None) -> Proposition:
    """Return *sentence* as a proposition; relative times refer to *today*, the date of the video or of the source."""
    text = readable_start(sentence)
    analysed = korean.morphemes(text) if _HANGUL.search(text) else ()
    amounts = amounts_in(text, today)
    names, cited = _names(text, (*amounts.periods, *amounts.figures))
    stems = _stems(text, analysed)
    return Proposition(
        text=text,
        words=_words(stems),
        names=names,
        sources=cited,
        codes=amounts.codes,
        figures=amounts.figures[:MAX_FIGURES],
        periods=amounts.periods,
        metrics=metrics_in(text),
        scopes=scopes_in(reduce(lambda rest, name: rest.replace(name, " "), names, text)),
        happenings=happenings_in(text, tuple((form, start, end) for form, _, start, end in stems)),
        arguments=arguments_in(analysed),
        compounds=_compounds(text, stems, analysed),
        propers=frozenset(form for form, tag, _, _ in stems if tag == "NNP"),
        denied=denied_in(text, ((stem(form) if tag == LATIN else form, start, end) for form, tag, start, end in stems)),
        negated=is_negated(text),
        open=bool(_QUESTION.search(text) or DOUBTED.search(text)),
    )


def readable_start(sentence: str) -> str:
    """Return the part of *sentence* that is analysed, normalised."""
    return readable(sentence)[:MAX_SENTENCE_CHARS]


def is_table(sentence: str) -> bool:
    """Return whether *sentence* is a long row of numbers, in digits or Korean words: slow to analyse, and it states nothing."""
    signs = "".join(sentence.split())
    return len(signs) > _TABLE_CHARS and len(_NUMERAL.findall(signs)) > _TABLE_SHARE * len(signs)


def amounts_in(text: str, today: date | None) -> Amounts:
    """Return the numbers, times and numbered products in *text* of any length, without a morphological analysis."""
    codes = tuple(_CODE.finditer(text))
    periods = periods_in(text, today)
    masked = blank_out(blank_out(text, [m.span() for m in codes], "X"), [(p.start, p.end) for p in periods])
    return Amounts(
        codes=frozenset(re.sub(r"[\s-]", "", m.group().lower()) for m in codes),
        figures=tuple(replace(f, text=text[f.start : f.end].strip()) for f in figures_in(masked)),
        periods=periods,
        spelt=spelt_out(text),
    )


def _names(text: str, amounts: Sequence[Period | Figure]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the names in *text* ("September" and "TWh" are none), and those that are only cited as sources."""
    entities = [e for e in find_entities(text) if e.kind in (EntityKind.PERSON, EntityKind.ORGANIZATION)]
    spans = [(entity.start, entity.end) for entity in entities] + [(part.start, part.end) for part in amounts]
    covered = {place for start, end in spans for place in range(start, end)}
    named = [(e.text, e.start, e.end) for e in entities]
    if not _HANGUL.search(text):
        named += [span for m in _CAPITAL.finditer(text) if m.start() not in covered for span in _name_spans(m)]
    ordered = dict.fromkeys(name for name, _, _ in sorted(named, key=lambda span: span[1]))
    cited = frozenset(name for name, _, end in named if _ATTRIBUTED.match(text, end))
    return tuple(ordered), cited


def _name_spans(match: re.Match[str]) -> list[tuple[str, int, int]]:
    """Return a run of capitalised words as a name, except a lone first word of a sentence or a known place."""
    words = match.group().split()
    start = match.start()
    while words and words[0].lower() in ENGLISH_FUNCTION_WORDS:
        start += len(words.pop(0)) + 1
    name = " ".join(words)
    if not words or is_place(name) or (match.start() == 0 and len(words) == 1 and start == 0):
        return []
    return [(name, start, start + len(name))]


def _stems(text: str, analysed: Sequence[korean.Morpheme]) -> list[tuple[str, str, int, int]]:
    """Return content words (form, tag, start, end): Korean morphemes and English words, lower case."""
    stems = [
        (m.form, m.tag, m.start, m.end)
        for m in analysed
        if (m.tag in NOUN_TAGS or m.tag.startswith(("VV", "VA"))) and m.tag not in ("SL", "SN", "W_SERIAL")
    ]
    stems += [(m.group().lower(), LATIN, m.start(), m.end()) for m in _LATIN_WORD.finditer(text)]
    return sorted(stems, key=lambda item: item[2])


def _compounds(
    text: str, stems: Sequence[tuple[str, str, int, int]], analysed: Sequence[korean.Morpheme]
) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the compound nouns and the Korean words of *text*, without particles, with their parts."""
    runs: list[list[tuple[str, str, int, int]]] = []
    for entry in stems:
        if entry[1].startswith(("VV", "VA")) or entry[1] == LATIN:
            continue
        if runs and runs[-1][-1][3] == entry[2]:
            runs[-1].append(entry)
        else:
            runs.append([entry])
    joined = ((text[run[0][2] : run[-1][3]].casefold(), frozenset(word[0] for word in run)) for run in runs)
    cut = [(match.start(), _PARTICLE.sub("", match.group())) for match in _KOREAN_WORD.finditer(text)]
    whole = (
        (word, frozenset(m.form for m in analysed if begin <= m.start and m.end <= begin + len(word))) for begin, word in cut
    )
    return tuple((word, parts) for word, parts in (*joined, *whole) if len(word) > 1)


def _words(stems: Sequence[tuple[str, str, int, int]]) -> tuple[Word, ...]:
    words = []
    for form, tag, _, _ in stems:
        if tag == LATIN and form not in ENGLISH_FUNCTION_WORDS and len(form) > 1:
            words.append(Word(stem(form), LATIN, -1))
        elif tag != LATIN and not (tag.startswith(("VV", "VA")) and form in LIGHT_PREDICATES):
            words.append(Word(form, tag, -1))
    return tuple(dict.fromkeys(words))


_SAID = (
    r"(?:말씀\s?드리(?:지만|자면|면)|말씀\s?드렸(?:듯이?|지만|던 것처럼|다시피)|말씀\s?드린\s(?:것처럼|대로)"
    r"|(?:말|얘기|이야기|언급|설명|강조)했(?:듯이?|지만|던 것처럼|다시피)|(?:말|강조)하(?:지만|자면)"
    r"|(?:말|얘기|이야기|언급|설명|강조)한 (?:것처럼|대로))"
)
_LEAD = re.compile(
    r"^(?:(?:자|네|예|그리고|그러니까|아까|아까도|앞에서?도?|앞서도?|방금|이미|다시(?: ?한 ?번)?|한 번 더|거듭|계속)[,\s]+)*"
    rf"{_SAID}[,\s]+"
    r"|^(?:again|as (?:i|we)(?:['’]ve)? (?:just )?(?:said|mentioned|noted|told you)(?: (?:before|earlier|already|above))?"
    r"|like i said|once (?:more|again)|to repeat|i repeat),\s+",
    re.IGNORECASE,
)


def without_lead(sentence: str) -> str:
    """Return *sentence* without an opening like "다시 말씀드리지만" or "As I said,", and so the statement itself."""
    rest = _LEAD.sub("", sentence, count=1)
    return f"{rest[:1].upper()}{rest[1:]}" if rest != sentence else sentence


_QUESTION_MARK = re.compile(r"[?？][\"'”’)\]]*$")
_ASKING_ENDINGS = word_set(
    "ᆸ니까 습니까 ᆯ까 을까 ᆯ까요 을까요 ᆫ가 은가 는가 던가 ᆫ가요 은가요 는가요 던가요 나 나요 니 으니 냐 으냐 느냐 는지요 ᆫ지요 은지요"
)
"""Endings of sentences, as Kiwi writes them, with which Korean asks."""
_CONFIRMING_ENDINGS = word_set("죠 지요 지 잖아요 잖아 거든요 거든")
"""Endings of what speakers take for known ("맞죠"), which assert something even before a question mark."""
_QUESTION_WORDS = word_set("뭐 무엇 누구 어디 언제 왜 어떻 얼마 얼마나 몇 어느 어떤 무슨")
_ENGLISH_QUESTION = re.compile(
    r"\W*(?:(?:so|and|but|well|now|then)\W+){0,2}(?:what|who|why|how|where|when|which)(?:\s[\w'’]+){0,2}?"
    r"\s(?:do|does|did|would|will|can|could|should|is|are|was|were|have|has)\s(?:you|we|they|he|she|it|i)\b",
    re.IGNORECASE,
)
"""How English questions begin, which automatic captions leave without a sign."""


def is_question(sentence: str) -> bool:
    """Return whether *sentence* asks something; one that only seeks confirmation ("맞죠?") does not."""
    marked = _QUESTION_MARK.search(sentence.rstrip()) is not None
    if not korean.has_hangul(sentence):
        return marked or _ENGLISH_QUESTION.match(sentence) is not None
    spoken = [morpheme for morpheme in korean.morphemes(sentence) if not morpheme.tag.startswith("S")]
    while spoken and spoken[-1].tag == "JX":
        spoken.pop()
    ending = spoken[-1].form if spoken and spoken[-1].tag == "EF" else ""
    if marked and ending in _CONFIRMING_ENDINGS:
        return any(morpheme.form in _QUESTION_WORDS for morpheme in spoken)
    return marked or ending in _ASKING_ENDINGS
