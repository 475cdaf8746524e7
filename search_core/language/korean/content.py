"""The content of a question: nouns and names as written, without particles, endings and question formulas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_core.domain.query import QuestionTerm
from search_core.language import word_set
from search_core.language.korean.exclusions import exclusions
from search_core.language.korean.function_words import (
    ASKING_NOUNS,
    ATTRIBUTE_NOUNS,
    ENGLISH_ATTRIBUTE_WORDS,
    ENGLISH_FUNCTION_WORDS,
    FILLER_NOUNS,
    KEPT_DETERMINERS,
    LIGHT_PREDICATES,
    MEASURES,
)
from search_core.language.korean.morphemes import Morpheme, conjugate, has_hangul, morphemes, with_whole_names

_NUMERALS = word_set(
    "한 두 세 네 서 너 석 넉 다섯 여섯 일곱 여덟 아홉 열 스무 몇 한두 두세 서너 두어 너댓 네댓 대여섯 예닐곱 첫 수 수십 수백 수천"
)
_ONE = ("한", "첫")
_ONCE = ("번", "가지", "분", "마디")
"""Counters that count nothing after "한", as in "한 번 알려 줘"; after other numerals they do."""
_NOUNS = ("NNG", "NNP", "SL", "XR")
_SUPERLATIVE = ("가장", "제일")
_PLACES = ("째", "다음")
_SUFFIXES = ("XSN", "NNB")


def quantity_end(analysed: Sequence[Morpheme], index: int) -> int:
    """Return the end of the number with its counter at *index* ("두 달 전", "1만 도", "10분의 1"), or *index*.

    Digits written together with their counter ("3개월") are a noun of their own, for which *index* is returned.
    """
    first = analysed[index]
    if first.tag not in ("MM", "NR", "SN") or (first.tag == "MM" and first.form not in _NUMERALS):
        return index
    end = index + 1
    while end < len(analysed) and _continues_number(analysed[end - 1], analysed[end]):
        end += 1
    if _tags(analysed, end, 3) == ["XSN", "JKG", "SN"] and analysed[end].form == "분":
        return end + 3
    if not _counts(analysed, index, end):
        ordinal = first.form.endswith("째")
        alone = end - index == 1 and (first.tag != "MM" or first.form in _ONE or _tags(analysed, end, 1) != ["NNG"])
        return index if first.tag == "SN" or (alone and not ordinal) else end
    end += 1
    while end < len(analysed) and analysed[end].start == analysed[end - 1].end and analysed[end].tag in _SUFFIXES:
        end += 1
    return end


def _counts(analysed: Sequence[Morpheme], index: int, end: int) -> bool:
    """Return whether the noun at *end* is counted by the number ``analysed[index:end]``."""
    if end >= len(analysed):
        return False
    first, counter = analysed[index], analysed[end]
    if counter.tag == "NNB":
        spaced = counter.start > analysed[end - 1].end
        return spaced if first.tag == "SN" else first.form != "한" or counter.form not in _ONCE
    if counter.tag != "NNG" or first.tag == "SN":
        return False
    after = analysed[end + 1] if end + 1 < len(analysed) else None
    if first.form in _ONE:
        return first.form == "한" and after is not None and after.form in ("에", "당", "만", "동안")
    return after is None or after.tag not in _NOUNS


def _continues_number(before: Morpheme, here: Morpheme) -> bool:
    """Return whether *here* continues the number of *before*: 스물세, 1만, "수십 조"."""
    if here.start == before.end:
        return here.tag in ("NR", "MM", "SN")
    return here.tag == before.tag == "NR"


def degree_phrase(text: str, analysed: Sequence[Morpheme], index: int) -> tuple[str, int] | None:
    """Return the superlative at *index* as a query writes it, and its end: "가장 큰", "두 번째로 높은"."""
    adverb = analysed[index].tag == "MAG" and analysed[index].form in _SUPERLATIVE
    begin = index + 1 if adverb else _ordinal_end(analysed, index)
    if begin == index:
        return None
    end = begin
    while end < min(len(analysed), begin + _LONGEST):
        here = analysed[end]
        if here.tag in ("JKS", "JKO") and analysed[end - 1].tag == "NNG":
            end += 1
            continue
        if here.tag == "ETM":
            return text[analysed[index].start : here.end], end + 1
        if here.tag.startswith(("V", "XS", "MA", "XR")) or here.tag in ("EC", "NNG"):
            end += 1
            continue
        break
    if adverb and begin < len(analysed) and analysed[begin].tag in ("NNG", "XR"):
        return text[analysed[index].start : analysed[begin].end], begin + 1
    return None


def _ordinal_end(analysed: Sequence[Morpheme], index: int) -> int:
    """Return the end of an ordinal ("세 번째로", "둘째로") that begins at *index*, or *index*."""
    whole = analysed[index].tag in ("NR", "NNG") and analysed[index].form.endswith(_PLACES)
    end = index + 1 if whole else quantity_end(analysed, index)
    if end == index or not analysed[end - 1].form.endswith(_PLACES):
        return index
    return end + 1 if _tags(analysed, end, 1) == ["JKB"] and analysed[end].form in ("로", "으로") else index


def _tags(analysed: Sequence[Morpheme], start: int, count: int) -> list[str]:
    return [m.tag for m in analysed[start : start + count]]


AUXILIARIES = frozenset({"하", "되", "있", "없", "이"})
_SPOKEN = re.compile(r"데|길래|대$|더라$|거든|니까|면서$")
"""Endings inside a sentence with which speakers report and ask; writers end the sentence instead."""
_LONGEST = 8
"""Most morphemes of a verb with its auxiliaries and endings, or of a superlative; more would be a clause."""
_TENSES = frozenset({"었", "겠"})
_WORD = re.compile(r"[^\W_]+")
_ATTACHED = frozenset({"전", "신", "구", "총", "본", "현", "한", "양"})
"""Determiners that make a new word when written together with the noun ("전고체")."""
_NOUN_START = frozenset({"NNG", "NNP", "SL", "SH", "SN", "XPN", "XR", "UN", "SW"})
_NOUN_INSIDE = _NOUN_START | {"NR", "XSN"}
_SIGNS = frozenset({"SO", "SW", "SP", "SS", "SY"})
_JOINERS = frozenset("-.&/+#_'’·@:%")
_LATIN_TERM = re.compile(
    r"(?:\b(?:(?:(?<!at )(?:most|least)|per)\s+(?=[a-z])|(?:(?<=in )|(?<=of ))one\s+(?=[a-z])"
    r"|(?:(?:more|less|fewer)\s+than|over|under|above|below|at\s+least|at\s+most|up\s+to)\s+(?=[$€£¥₩]?\d)))?"
    r"(?P<word>[$€£¥₩]?[^\W_](?:[\w.&+#/'’·:%-]*[\w+#%])?)",
    re.IGNORECASE,
)
"""A Latin word with its measure: "most expensive", "per kWh", "over 400", "one week"."""
_GLUED = frozenset({"NNG", "NNP", "XPN"})
_POWERS = ("제곱", "세제곱")
"""Words between a number and its unit: "483제곱킬로미터"."""
_MISREAD = re.compile(r"(?<![가-힣])우리나라|(?<!\d )(?<!\S)차(?=[\s?.,]|[는가를도의]\s|$)")
"""Words that Kiwi misreads: 우리나라 as two words, and 차 (a car) as a counter."""
_WHOLE = re.compile(r"(?<!\S)[-−]\d[\d.]*(?:도|℃|°C|%)?|(?<![A-Za-z])[A-Za-z]\([^()]{1,20}\)")
"""Numbers with a sign, and formulas: "-20도", "O(n log n)"."""
_SPACED = re.compile(r"(?<!\S)[가-힣]+(?=[\s?.!,]|$)")
_WORDLIKE = re.compile(r"[^\W_]")
_TRAILING_SUFFIXES = frozenset({"들", "님", "씨", "째"})
_ENDS = frozenset({"SF", "SE", "SP"})


def verb_as_written(text: str, start: int) -> str:
    """Return the verb or adjective at ``text[start]`` with its ending; a sentence-final one as a statement.

    "얹은" stays, and "올랐대요?" is "올랐다".
    """
    analysed = morphemes(text)
    first = next(place for place, m in enumerate(analysed) if m.start >= start)
    for place in range(first + 1, min(len(analysed), first + _LONGEST)):
        here = analysed[place]
        after = analysed[place + 1] if place + 1 < len(analysed) else None
        if here.tag == "EF" or _is_left_open(here, after):
            return _statement(analysed[first:place])
        if here.tag.startswith("E") and here.tag != "EP" and (after is None or after.tag != "VX"):
            written = _WORD.match(text, start)
            whole = written[0] if written and written.end() >= here.end else text[start : here.end]
            return whole if len(whole) > 1 or here.tag != "EC" else _statement(analysed[first:place])
    word = _WORD.match(text, start)
    return word[0] if word else ""


def _statement(stem: Sequence[Morpheme]) -> str:
    """Return the verb *stem*, with its tenses, as a statement: 올리 and 었 are "올렸다"."""
    kept = [m for m in stem if m.tag != "EP" or m.form in _TENSES]
    plain = kept[-1].tag.startswith(("EP", "VA", "XSA")) or kept[-1].form in AUXILIARIES
    return conjugate(kept, "다" if plain else "는다", "EF")


def _is_left_open(ending: Morpheme, after: Morpheme | None) -> bool:
    """Return whether a statement's ending must replace *ending*, because it reports or asks, or modifies nothing."""
    if ending.tag == "ETM":
        return after is not None and after.tag == "NNB" and after.form in ("수", "줄")
    if ending.tag == "EP":
        return ending.form == "더"
    return ending.tag == "EC" and (after is None or after.tag in _ENDS or _SPOKEN.search(ending.form) is not None)


def content_terms(text: str) -> tuple[QuestionTerm, ...]:
    """Return the content words of *text* in order, with duplicates.

    Noun morphemes written together stay one term ("대역폭", "HBM4"); plural and honorific suffixes, question words, pronouns and
    the formulas of asking are left out, and so is what the text excludes ("3분기 말고"). Verbs and adjectives that carry meaning
    come in dictionary form; numbers with what they count and superlatives are one term each ("석 달", "가장 큰").
    """
    left_out = exclusions(text)
    if not has_hangul(text):
        terms = list(_latin_terms(text))
    else:
        analysed = _with_known_words(text, with_whole_names(text, morphemes(text)))
        terms = []
        index = 0
        while index < len(analysed):
            index = _read_term(text, analysed, index, terms)
        terms = _with_uncovered(text, analysed, terms)
    kept = (term for term in terms if not any(gone.start <= term.start < gone.end for gone in left_out))
    return tuple(
        term._replace(
            written=verb_as_written(text, term.start) if term.predicate else term.text,
            describes=term.predicate or (term.attribute and not is_attribute(term.text)),
        )
        for term in kept
    )


def is_attribute(word: str) -> bool:
    """Return whether *word* names a property without its owner."""
    folded = word.casefold()
    return folded in ATTRIBUTE_NOUNS or folded in ENGLISH_ATTRIBUTE_WORDS


def _with_known_words(text: str, analysed: Sequence[Morpheme]) -> Sequence[Morpheme]:
    """Return *analysed* with misread words joined into one noun.

    These are known properties ("주가", not "주" with a particle), "우리나라", nouns of degree ("크기"), and words read as a noun
    with a verb stuck to it, where Korean would have a particle or a space ("소버린", not "소" thrown away).
    """
    spans = {m.start(): m.end() for m in _SPACED.finditer(text) if m.group() in ATTRIBUTE_NOUNS}
    spans |= {m.start(): m.end() for m in (*_MISREAD.finditer(text), *_WHOLE.finditer(text))}
    for before, here in pairwise(analysed):
        if before.tag == "VA" and here.tag == "ETN" and here.form == "기":
            spans[before.start] = here.end  # "크기", "밝기"
        glued = here.start == before.end and before.tag in _GLUED and here.tag.startswith(("VV", "VA"))
        if glued and (here.form not in LIGHT_PREDICATES or _describes(analysed, here)):
            start = text.rfind(" ", 0, here.start) + 1
            end = here.start + len(re.split(r"[\s?.!,]", text[here.start :], maxsplit=1)[0])
            spans[start] = max(here.end, _without_particles(analysed, end))
    if not spans:
        return analysed
    remaining = [m for m in analysed if not any(start <= m.start < end for start, end in spans.items())]
    whole = [Morpheme(text[start:end], "NNG", start, end) for start, end in spans.items()]
    return sorted([*remaining, *whole], key=lambda m: m.start)


def _describes(analysed: Sequence[Morpheme], verb: Morpheme) -> bool:
    """Return whether a light *verb* after a noun forms one modifier with it ("불난 차")."""
    after = analysed[analysed.index(verb) + 1 :][:1]
    return verb.form not in AUXILIARIES and [m.tag for m in after] == ["ETM"]


def _without_particles(analysed: Sequence[Morpheme], end: int) -> int:
    """Return where the word that ends at *end* ends without its particles."""
    for m in reversed([m for m in analysed if m.end <= end]):
        if not m.tag.startswith("J"):
            return m.end
    return end


def _latin_terms(text: str) -> tuple[QuestionTerm, ...]:
    terms = []
    for match in _LATIN_TERM.finditer(text):
        word = re.sub(r"['’]s?$", "", match["word"])
        bare = re.split(r"['’]", word)[0]
        short_form = len(bare) > 1 and bare.isupper() and not text.isupper()  # "US" is not "us"
        if word and (short_form or bare.casefold() not in ENGLISH_FUNCTION_WORDS):
            end = match.start("word") + len(word)
            terms.append(QuestionTerm(text[match.start() : end], match.start(), end, False, is_attribute(word)))
    return tuple(terms)


def _read_term(text: str, analysed: Sequence[Morpheme], index: int, terms: list[QuestionTerm]) -> int:
    """Add the term at *index*, if any, and return where to continue."""
    first = analysed[index]
    degree = degree_phrase(text, analysed, index)
    quantity = quantity_end(analysed, index)
    if degree is not None or quantity > index:
        phrase, end = degree or (text[first.start : analysed[quantity - 1].end], quantity)
        terms.append(QuestionTerm(phrase, first.start, analysed[end - 1].end, False, True))
        return end
    if _starts_noun(analysed, index):
        end = _run_end(text, analysed, index)
        term = _noun_term(text, analysed, index, end)
        if term:
            terms.append(term)
        return end
    if first.tag == "MM" and first.form in KEPT_DETERMINERS:
        terms.append(QuestionTerm(first.form, first.start, first.end, False, True))
    elif measure := _measure(analysed, index):
        terms.append(QuestionTerm(measure, first.start, first.end, False, True))
    elif _is_predicate(analysed, index) and (first.form not in LIGHT_PREDICATES or _compares(analysed, index)):
        terms.append(QuestionTerm(first.form + "다", first.start, first.end, True, False))
    return index + 1


def _is_predicate(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a verb or adjective is at *index*; an auxiliary that follows no ending is one ("HBM 만드는 곳")."""
    auxiliary = analysed[index].tag == "VX" and index > 0 and not analysed[index - 1].tag.startswith(("E", "VC"))
    return auxiliary or analysed[index].tag.startswith(("VV", "VA"))


def _measure(analysed: Sequence[Morpheme], index: int) -> str:
    """Return the property that "얼마나" with the word at *index* asks for: "얼마나 빨라" asks for 속도."""
    before = analysed[index - 1].form if index else ""
    return MEASURES.get(analysed[index].form, "") if before in ("얼마나", "얼마") else ""


def _compares(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether the word at *index* is an adjective of comparison ("삼성전자보다 큰")."""
    if analysed[index].form == "없":  # "카페인 없는 커피" is another coffee
        before = analysed[index - 1].tag if index else ""
        return before != "NNB" and [m.tag for m in analysed[index + 1 : index + 2]] == ["ETM"]
    return analysed[index].tag.startswith("VA") and any(m.form == "보다" and m.tag == "JKB" for m in analysed[:index])


def _starts_noun(analysed: Sequence[Morpheme], index: int) -> bool:
    first = analysed[index]
    if first.tag == "NNB":  # a unit that is part of a longer word: "킬로와트시당"
        after = analysed[index + 1] if index + 1 < len(analysed) else None
        if after is None or after.start > first.end:
            return False
        return after.form == "당" or (len(first.form) > 1 and first.form not in FILLER_NOUNS and after.tag in _NOUN_INSIDE)
    if first.tag == "MM":
        touching = index + 1 < len(analysed) and analysed[index + 1].start == first.end
        return first.form in _ATTACHED and touching and analysed[index + 1].tag in ("NNG", "NNP")
    return first.tag.startswith("W_") or (first.tag in _NOUN_START and _WORDLIKE.search(first.form) is not None)


def _run_end(text: str, analysed: Sequence[Morpheme], index: int) -> int:
    end = index + 1
    while end < len(analysed):
        here, before = analysed[end], analysed[end - 1]
        if here.start != before.end:
            break
        if (
            (here.tag in _NOUN_INSIDE and here.tag not in _SIGNS)
            or (
                here.tag == "NNB"
                and (
                    before.tag in ("SN", "NR", "NNB")
                    or before.form in _POWERS
                    or here.form not in FILLER_NOUNS | _TRAILING_SUFFIXES  # "누리호", "메가와트급"
                    or _inside_name(analysed, end)
                )
            )
            or (here.tag in _SIGNS and set(here.form) <= _JOINERS and _joins(text, analysed, end))
        ):
            end += 1
        else:
            break
    return end


def _inside_name(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a bound noun is between a Latin letter and a noun, without spaces: "n번방"."""
    before, here, after = analysed[index - 1], analysed[index], analysed[index + 1 : index + 2]
    return before.tag == "SL" and any(noun.tag in _NOUN_INSIDE and noun.start == here.end for noun in after)


def _joins(text: str, analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a sign is part of a word: inside ("GPT-4o") or at its end ("C++", "5%")."""
    sign = analysed[index]
    if sign.form[-1] in "+#%":
        return True
    return sign.end < len(text) and _WORDLIKE.match(text[sign.end]) is not None


def _noun_term(text: str, analysed: Sequence[Morpheme], start: int, end: int) -> QuestionTerm | None:
    last = end
    counted = analysed[start].tag == "SN"  # "7번째", "3년째"
    while last > start + 1 and analysed[last - 1].tag == "XSN" and analysed[last - 1].form in _TRAILING_SUFFIXES and not counted:
        last -= 1
    word = text[analysed[start].start : analysed[last - 1].end]
    if word in FILLER_NOUNS or (word in ASKING_NOUNS and _asks(analysed, end)):
        return None
    per_unit = last > start + 1 and analysed[last - 1].form == "당"  # "킬로와트시당": of what, it does not say
    return QuestionTerm(word, analysed[start].start, analysed[last - 1].end, False, per_unit or is_attribute(word))


def _asks(analysed: Sequence[Morpheme], end: int) -> bool:
    """Return whether the noun before *end* only asks ("설명해 줘"): a light verb follows, or nothing but particles."""
    if end < len(analysed) and analysed[end].tag in ("XSV", "XSA", "VX"):
        return True
    rest = [m for m in analysed[end:] if m.tag not in _ENDS]
    return not rest or (rest[0].tag.startswith("J") and (len(rest) == 1 or rest[1].tag in ("VV", "XSV", "VA")))


def _with_uncovered(text: str, analysed: Sequence[Morpheme], terms: Sequence[QuestionTerm]) -> list[QuestionTerm]:
    """Return *terms* with words in other scripts that the analyser skipped."""
    covered = {position for m in analysed for position in range(m.start, m.end)}
    missing = [
        QuestionTerm(match.group(), match.start(), match.end(), False, False)
        for match in _WORD.finditer(text)
        if match.start() not in covered and not has_hangul(match.group())
    ]
    return sorted([*terms, *missing], key=lambda term: term.start)
