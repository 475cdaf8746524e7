"""The amount that a question asks for, by its counter or measure, and whether a text holds one of that kind."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from search_core.answers.asked_values import blank_periods
from search_core.language.korean import has_hangul, morphemes
from search_core.language.statements.figures import figures_in
from search_core.language.statements.units import BIG, COUNTS, ENGLISH_BIG, NATIVE, NATIVE_ALONE, SMALL, english, unit_sizes

_MONEY = frozenset({"won", "dollar", "euro", "yen", "yuan", "pound"})
_GROUPS = ("명 인 사람 분", "곳 군데 개소 개국 나라 국가", "가구 세대 집", "번 회 차례", "종 가지 종류", "살 세 년", "마리 두")
_ALIKE = tuple(tuple(group.split()) for group in _GROUPS)
"""Groups of interchangeable counters: an answer may say 사람 where the question says 명."""
_ANY = "개"
"""The general counter, which any noun can take."""
_LENIENT = frozenset({"percent", "percent_point", "times", "temperature", "rank", "floor", "generation", "score", "fraction"})
"""Measures that an answer may state without the unit: "half of it" (percent), "second to none" (rank)."""
_PRICE = re.compile(
    r"(?:주가|값|가격|요금|비용|돈|입장료|월급|연봉|예산|매출)\S{0,2}\s?얼마(?!나)|얼마(?:에|씩|\s?(?:하|해|했)[는나니다냐여요죠지]?)"
    r"|얼마(?:를|씩)?\s?(?:내|냈|낸|받|벌|줘|준|줬|물어|물었)|(?:한 \S{1,2}|하나|하루)에 (?:총 )?얼마(?!나)"
    r"|\bhow much (?:is|are|was|were|do|does|did) .*\b(?:costs?|pay|paid|worth)\b|\bwhat (?:is|was) the (?:price|cost)\b",
    re.IGNORECASE,
)
_ENERGY = re.compile(r"(?:전기|전력|에너지)\S{0,2}\s(?:\S+\s)?얼마나 (?:많이 )?(?:먹|쓰|써|쓴|들|소비|필요)")
_HOW_MANY = re.compile(r"\bhow many ([a-z]+)", re.IGNORECASE)
_RANKS = re.compile(r"\S{0,3}?(?:째|이하|이상|미만)")
_MANNER = re.compile(r"어떻게|왜")
_TOLD_AS_MONEY = re.compile(r"무료|공짜|\b(?:free|bucks?|quid|cents?|pence)\b", re.IGNORECASE)
_SPANS = re.compile(r"하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|보름|나절|하룻밤|밤새|주일|반년|평생|내내|밤낮")
_DURATIONS = ("초", "분", "시간", "일", "주", "개월", "달", "년", "해")
_ENDS = (
    r"(?:(?:이나|이고|[은는이가을를도에만뿐쯤로]|으로|까지|정도|밖에)(?![가-힣])"
    r"|(?!\s?[가-힣\d.,])|이[다고며었에]|입니|예요|였|쯤|정도)"
)
"""What may follow a number without a counter: a particle ("열을"), a copula ("열이다"), or no further word."""
_LARGE = "".join((*SMALL, *BIG))
_TENS = [word for word, value in NATIVE.items() if value % 10 == 0 and word != "스무"] + ["스물", ""]
_ALONE = {ten + one for ten in _TENS for one in NATIVE_ALONE}
_NATIVE = "|".join(sorted({*NATIVE, *_ALONE, "석", "넉"}, key=len, reverse=True))
_COUNT = rf"(?:[\d{_LARGE}]|(?<![가-힣])(?:{_NATIVE}|[일이삼사오육칠팔구{_LARGE}]+))"
_BARE = re.compile(rf"(?:(?<![\w.-])\d[\d,.]*[{_LARGE}]?|(?<=[\d일이삼사오육칠팔구{_LARGE}])[{_LARGE}]){_ENDS}")
_BARE_COUNT = re.compile(rf"{_BARE.pattern}|(?<![가-힣])(?:{_NATIVE}){_ENDS}")
_ROUND = {"zero": 0.0, "hundred": 100.0, **{word: size for word, size in ENGLISH_BIG.items() if len(word) > 2}}
_HUNDREDS = re.compile(r"(?<=\d) hundred\b", re.IGNORECASE)
_ROUND_ALONE = re.compile(rf"(?<!\d )\b(?:{'|'.join(_ROUND)})\b", re.IGNORECASE)
_NAMED = re.compile(r"(?<=\b[A-Z])[\w'-]*[ -]\d{1,2}\b(?!\s?%)")
"""A number that belongs to a name ("Atlas 3")."""
_ALSO = {"age": ("duration",), "occasion": ("times",)}


class AskedAmount(NamedTuple):
    """What is counted or measured: its dimensions, and the Korean counters for it."""

    dimensions: frozenset[str]
    counters: tuple[str, ...] = ()

    def is_in(self, text: str) -> bool:
        """Return whether *text* contains such an amount; text without Hangul may count anything: its nouns are not compared."""
        if self.dimensions == _MONEY and _TOLD_AS_MONEY.search(text):
            return True
        if has_hangul(text):
            return self._is_in_korean(text)
        figures = figures_in(blank_periods(in_digits(_NAMED.sub("", text))))
        return any(figure.dimension in self.dimensions or (self.counts and figure.dimension in COUNTS) for figure in figures)

    @property
    def counts(self) -> bool:
        """Return whether something is counted, not measured."""
        return not self.dimensions or not self.dimensions.isdisjoint(COUNTS | {"age"})

    def _is_in_korean(self, text: str) -> bool:
        if "duration" in self.dimensions and _SPANS.search(text):
            return True
        undated = blank_periods(text)
        return bool(
            (self.counters and _counted(self.counters).search(undated))
            or any(figure.dimension in self.dimensions for figure in figures_in(undated))
            or (_BARE_COUNT if self.counts else _BARE).search(undated)
        )


def asked_amount(question: str) -> AskedAmount | None:
    """Return the amount that *question* asks for; None if it asks for none, or for one in ``_LENIENT``."""
    if _PRICE.search(question):
        return AskedAmount(_MONEY)
    if _ENERGY.search(question):
        return AskedAmount(frozenset({"energy", "power"}))
    counter = _counter(question)
    dimension = unit_sizes().get(counter, ("", 0.0))[0]
    if not counter or dimension in _LENIENT:
        return None
    if dimension in _MONEY:
        return AskedAmount(_MONEY)
    if dimension == "duration" or counter == "년":
        return AskedAmount(frozenset({"duration"}), _DURATIONS)
    alike = next((group for group in _ALIKE if counter in group), (counter, *([] if dimension else [_ANY])))
    return AskedAmount(frozenset({dimension, *_ALSO.get(dimension, ())} - {""}), ("[가-힣]",) if counter == _ANY else alike)


def _counter(question: str) -> str:
    """Return the noun or counter after "how many" or 몇, in lower case; empty for how, why, ranks and bounds ("몇 번째")."""
    if _MANNER.search(question):
        return ""
    if many := _HOW_MANY.search(question):
        return many[1].lower()
    words = morphemes(question)
    after = next((word for many, word in pairwise(words) if many.form == "몇"), None)
    if after is None or not after.tag.startswith(("NN", "SL")) or _RANKS.match(question, after.start):
        return ""
    longer = next((form for group in _ALIKE for form in group if len(form) > 1 and question.startswith(form, after.start)), "")
    return longer or after.form.lower()


@cache
def _counted(counters: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{_COUNT}\s?(?:여|개)?\s?(?:{'|'.join(counters)})")


def in_digits(text: str) -> str:
    """Return English *text* with its spelt numbers as digits ("two hundred and sixty people": "260 people")."""
    pieces, done = list[str](), 0
    for number in english(text):
        if text[number.start : number.end].lower() != "one":
            pieces += (text[done : number.start], f"{number.value:.15g}")
            done = number.end
    hundreds = _HUNDREDS.sub("00", "".join((*pieces, text[done:])))
    return _ROUND_ALONE.sub(lambda match: f"{_ROUND[match.group().lower()]:.15g}", hundreds)
