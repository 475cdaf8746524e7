"""Numbers in sentences, made comparable: size, measure, precision, and whether they are a rise or a fall."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from search_core.language.statements.units import (
    BIG,
    COUNTS,
    CURRENCY_SIGNS,
    ENGLISH_BIG,
    ENGLISH_NUMBERS,
    ENGLISH_PARTS,
    MULTIPLIED,
    NATIVE,
    NATIVE_ALONE,
    SMALL,
    SPELT,
    counted_pattern,
    english,
    sino_korean,
    unit_pattern,
    unit_sizes,
)

MAX_FIGURES = 12
"""Numbers compared of one sentence; a sentence with more is a table."""
ABOUT = 0.07
"""Two values may differ by this share if one is called approximate ("약 300")."""
BOUND_REACH = 1.5
"""A value up to this many times a "more than" bound still fits the bound, and likewise below "less than"."""
ROUNDED = 0.03
"""A rounded value may differ from the exact one by this share."""

_DIGITS = r"\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,15})?|\d{1,20}(?:\.\d{1,15})?"
_BIG = r"(?:[만억조]|경(?=\s?(?:원|달러|\d)))"
_KOREAN_PART = rf"(?:{_DIGITS})\s?(?:[십백천]\s?{_BIG}?|{_BIG})"
_COUNTED = "(?:원|명|대|개|달러|유로|곳|건|표|톤|가구|권|주)"
_NUMBER = re.compile(
    rf"(?P<sign>[$€£¥₩])?\s?(?:(?P<korean>(?:(?<![가-힣\d])[만천백]\s?(?=\d))?(?:{_KOREAN_PART}\s?)+(?:(?:(?<=[만천])|(?<=[만천]\s))(?:{_DIGITS})(?=\s?{_COUNTED}))?)"
    rf"|(?P<digits>{_DIGITS})(?:\s?(?P<big>thousand|million|billion|trillion|bn|mn|tn|k|(?-i:(?<=\d)[MBT]))\b)?)",
    re.IGNORECASE,
)
_PART = re.compile(rf"({_DIGITS})\s?([십백천])?\s?([만억조경])?")
_RANGE = re.compile(
    rf"(?P<low>{_DIGITS})\s?(?:%|퍼센트)?\s?(?:~|–|-|에서(?!\s?[\d.,]+\s?[^\s\d]{{0,6}}(?:으로|로)(?![가-힣]))|내지|to|and)\s?(?=\d)",
    re.IGNORECASE,
)
_NATIVE = re.compile(
    rf"(?<![가-힣])({'|'.join(NATIVE)})(?:\s?(?=배|명|시간|번째)|\s)"
    r"((?:배|명|개|곳|번째|번|대|시간|달|가지|차례|마리)(?=[가-힣\s.,]|$)|[기장쌍척편건해](?=(?:[이가을를은는의에로도만씩쯤]|으로|이나|정도)?(?![가-힣])))"
)
_COUNTED_NATIVE = re.compile(rf"(?<![가-힣])({'|'.join(word for word, value in NATIVE.items() if value > 10)})(?=\s[가-힣])")
_ALONE = re.compile(r"(?:[이가을를은는의에로도만씩쯤간]|으로|이나|까지|정도)?(?![가-힣])|입니|이[다고며었에]|예요|였|짜리")
"""What may follow the unit of a one-letter number, which also begins other words ("구 회장", "오 대표")."""
_ROUND = frozenset("십백천만")
"""Numbers of one letter that also stand right before what they count ("만원")."""
_NATIVE_ALONE = re.compile(rf"(?<![가-힣])({'|'.join(NATIVE_ALONE)})(?=(?:이나|뿐|만|[이은을과도로])?(?![가-힣]))")
_FRACTION = re.compile(
    r"(?P<below>[1-9]\d{0,2})\s?분의\s?(?P<above>\d{1,3})"
    rf"|\b(?P<many>a|{'|'.join(ENGLISH_NUMBERS)})[ -](?P<part>{'|'.join(ENGLISH_PARTS)})s?"
    r"(?=\s(?:of(?! \d)|in|from|to|by|as|more|less|higher|lower)\b|[^\w\s-]|$)",
    re.IGNORECASE,
)
_SPELT = re.compile(rf"\b(?:{'|'.join(SPELT)})\b", re.IGNORECASE)
_MULTIPLIED = re.compile(rf"\b({'|'.join(MULTIPLIED)})\b", re.IGNORECASE)
_ROUGH_BEFORE = re.compile(r"(?:약|대략|about|around|roughly|approximately|nearly|almost|some|거의|~)\s?[$€£¥₩]?$", re.IGNORECASE)
_ROUGH_AFTER = re.compile(r"^\s?(?:에 가[까깝]|에 육박|가까이|가량|정도|안팎|쯤|수준|남짓|내외|or so)")
_OVER, _UNDER = 1, -1
_BOUNDS = tuple(
    (side, strict, re.compile(rf"(?:{ahead})\s?[$€£¥₩]?$", re.IGNORECASE), re.compile(rf"^\s?(?:{behind})"))
    for side, strict, ahead, behind in (
        (_UNDER, True, r"no more than|not more than", r"[을를이가은는도]?\s?넘지\s?(?:않|못)"),
        (
            _OVER,
            True,
            r"more than|over|above|exceed(?:s|ed|ing)?",
            r"보다\s?(?:더\s)?(?:크|큰|많|높|길|긴)|[을를이가은는도]?\s?(?:훌쩍\s|크게\s)?(?:넘|웃돌|웃도|초과)",
        ),
        (_OVER, False, r"at least|최소", r"이상|여\s|[을를] 돌파|\+"),
        (
            _UNDER,
            True,
            r"less than|fewer than|under|below",
            r"보다\s?(?:더\s)?(?:작|적|낮|짧)|에?\s?(?:못\s?미[치친쳤]|미[치친쳤]지\s?못|미달)|[을를이가은는]?\s?밑|미만|아래",
        ),
        (_UNDER, False, r"up to|at most", r"이하"),
    )
)
"""Bounds: side (1 for "more than"), whether the number itself is excluded, and patterns of the words before and after it."""
_RISE_AFTER = re.compile(
    r"^\s?(?:나|이나|p|포인트)?\s?(?:증가|상승|늘|올랐|오른|성장|급증|개선|인상|높아|확대|increase|growth|rise|more)",
    re.IGNORECASE,
)
_FALL_AFTER = re.compile(
    r"^\s?(?:나|이나|p|포인트)?\s?(?:감소|하락|줄|떨어졌|떨어진|내렸|급감|인하|낮아|축소|decrease|decline|drop|fall|less)",
    re.IGNORECASE,
)
_RISE_BEFORE = re.compile(r"(?:rose|grew|increased|climbed|jumped|up|gained)(?: by)?(?: about| nearly)?\s$", re.IGNORECASE)
_FALL_BEFORE = re.compile(r"(?:fell|dropped|declined|decreased|down|shrank|lost)(?: by)?(?: about| nearly)?\s$", re.IGNORECASE)
_FORMER_AFTER = re.compile(r"^에서\s[,.조억만천백\s]*+\d[\d,.조억만천백\s]*+\S{0,6}?(?:으로|로|까지)(?![가-힣])")
_FORMER_BEFORE = re.compile(r"(?:\bfrom|\bpreviously|기존|종전|당초)\s[$€£¥₩]?$", re.IGNORECASE)
_CLOCK = re.compile(r"(?<!\d)(?P<hour>2[0-4]|1?\d)시(?!간|[가-힣]{2})(?:\s?(?P<minute>[1-5]?\d)분)?")
"""A time of day ("1시 13분"), which is a moment and not minutes."""
_SCORE = re.compile(r"\s?대\s?\d")
_SCORED = re.compile(r"\d\s?대\s?\Z")
"""Behind and before the numbers of a score or a ratio ("8 대 6"), which count no things."""
_PER_SECOND = re.compile(r"초당\s?$")
_AN_HOUR = re.compile(r"시속\s?$")
_A_SECOND = re.compile(r"\s(?:per|a) second", re.IGNORECASE)
_BEFORE_CHARS = 16
_TWELVE = 12
"""Numbers in words up to this often count nothing ("one of the two")."""
_SHARES = frozenset({"percent", "percent_change", "percent_point"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a sentence: ``source[start:end]`` with its unit."""

    low: float
    high: float
    dimension: str
    """What is measured ("won", "mass"); ``plain`` for a bare number; a changed share has its own, ``percent_change``."""
    start: int
    end: int
    text: str
    unit_step: float = 0.0
    """Half the unit of the last written digit: how far rounding may have moved the value."""
    rough: bool = False
    former: bool = False
    """True for the value before a change ("12곳에서 17곳으로", "from 12 to 17")."""
    bound: int = 0
    """1 for "more than" the value or "at least" it, -1 for "less than" it or "up to" it."""
    strict: bool = False
    """True if the bound excludes the value itself, as "more than" does and "at least" does not."""
    sign: int = 0
    """1 for a rise by the value, -1 for a fall, 0 for a level."""
    unit_size: float = 1.0
    """Factor of the unit by which the written number was multiplied (1000 for km)."""

    def equals(self, other: Figure) -> bool:
        """Return whether both can be the same value, considering rounding, bounds and words like "약"."""
        if self.low <= other.high and other.low <= self.high:
            return True
        gap = max(self.low - other.high, other.low - self.high)
        size = max(abs(self.low), abs(other.low))
        if self.rough or other.rough:
            return gap <= ABOUT * size
        return gap <= max(self.unit_step, other.unit_step) and gap <= ROUNDED * size

    def is_among(self, others: Iterable[Figure]) -> bool:
        """Return whether one of *others* has the same measure and can be the same value."""
        return any(other.dimension == self.dimension and other.equals(self) for other in others)

    def means(self, other: Figure) -> bool:
        """Return whether both can be one amount, even if only one has a unit or their counting words differ ("3명", "3개")."""
        if self.dimension == other.dimension or {self.dimension, other.dimension} <= _SHARES:
            return self.equals(other)
        counted = {self.dimension, other.dimension} <= COUNTS or "plain" in (self.dimension, other.dimension)
        return counted and self.bare().equals(other.bare())

    def bare(self) -> Figure:
        """Return the number as written, without its unit."""
        size = self.unit_size
        return replace(
            self, low=self.low / size, high=self.high / size, unit_step=self.unit_step / size, unit_size=1.0, dimension="plain"
        )

    @property
    def edge(self) -> int:
        """Return 1 if the amount meant lies above the value, -1 if below, 0 if it may be the value itself."""
        return self.bound if self.strict else 0

    def allows(self, other: Figure) -> bool:
        """Return whether *other* clearly lies within this value's bound: 7 for "more than 5"."""
        return (self.bound > 0 and other.low > self.high) or (self.bound < 0 and other.high < self.low)


def blank_out(text: str, spans: Iterable[tuple[int, int]], letter: str = " ") -> str:
    """Return *text* with *spans* overwritten, so that they are not read as numbers."""
    for start, end in spans:
        text = text[:start] + letter * (end - start) + text[end:]
    return text


def figures_in(text: str) -> tuple[Figure, ...]:
    """Return the numbers in *text*, in order; dates and names must be blanked out before."""
    fractions = list(_fractions(text))
    text = blank_out(text, [(figure.start, figure.end) for figure in fractions])
    clocks = [_clock(match, text) for match in _CLOCK.finditer(text)]
    text = blank_out(text, [(figure.start, figure.end) for figure in clocks])
    multiples = (
        _figure(text, (MULTIPLIED[m[1].lower()],) * 2, "times", m.start(), m.end(), 0.0) for m in _MULTIPLIED.finditer(text)
    )
    in_words = (*_native_figures(text), *_sino_korean_figures(text), *_english_figures(text))
    figures = [*fractions, *clocks, *_digit_figures(text), *in_words, *multiples]
    return tuple(sorted(figures, key=lambda figure: figure.start))


def _clock(match: re.Match[str], text: str) -> Figure:
    minutes = 60.0 * (int(match["hour"]) % 12) + int(match["minute"] or 0)  # "오후 1시" is "13시"
    step = 0.0 if match["minute"] else 59.0
    return _figure(text, (minutes, minutes + step), "clock", match.start(), match.end(), 0.0)


def _fractions(text: str) -> Iterator[Figure]:
    """Yield the fractions of *text*, "3분의 1" or "a third"."""
    for match in _FRACTION.finditer(text):
        above = float(match["above"] or ENGLISH_NUMBERS.get(match["many"].lower(), 1))
        value = above / float(match["below"] or ENGLISH_PARTS[match["part"].lower()])
        yield _figure(text, (value, value), "fraction", match.start(), match.end(), 0.0)


def _digit_figures(text: str) -> list[Figure]:
    ranges = {match.end(): match for match in _RANGE.finditer(text) if _is_range(text, match)}
    low_parts = {match.start("low") for match in ranges.values()}
    figures = []
    for match in _NUMBER.finditer(text):
        start = match.start("korean") if match["korean"] else match.start("digits")
        if start in low_parts or (start and (text[start - 1].isalpha() and text[start - 1].isascii())):
            continue
        value, step = _korean_value(match["korean"]) if match["korean"] else _plain_value(match["digits"], match["big"])
        end = match.start() + len(match.group().rstrip())
        more = text.startswith("여", end)  # "90여 명"
        dimension, size, end = _unit(text, end + more, match["sign"])
        if dimension == "plain" and _SCORED.search(text, max(0, start - _BEFORE_CHARS), start):
            dimension = "score"
        if dimension == "bytes" and (_PER_SECOND.search(text[:start]) or _A_SECOND.match(text[end:])):
            dimension = "byte_rate"
        if dimension == "length" and _AN_HOUR.search(text[:start]):
            dimension, size = "speed", size / unit_sizes()["km"][1]
        before = ranges.get(start)
        low = float(before["low"].replace(",", "")) if before else value
        begin = before.start() if before else match.start("sign") if match["sign"] else start
        figure = _figure(text, (low * size, value * size), dimension, begin, end, step * size, over=more)
        figures.append(replace(figure, unit_size=size))
    return figures


def _is_range(text: str, match: re.Match[str]) -> bool:
    """Return whether two numbers are a range, not a change ("from 5 to 3") or a list ("3 and 5")."""
    joint = match.group()[len(match["low"]) :].strip().lower()
    before = text[: match.start()].lower()
    return not before.endswith("from ") and (joint != "and" or before.endswith("between "))


def _figure(
    text: str, values: tuple[float, float], dimension: str, start: int, end: int, step: float, *, over: bool = False
) -> Figure:
    ahead, behind = text[max(0, start - _BEFORE_CHARS) : start], text[end : end + _BEFORE_CHARS]
    low, high = min(values), max(values)
    bound, strict = (_OVER, False) if over else _bound(ahead, behind)
    if bound == _OVER:
        high *= BOUND_REACH
    elif bound == _UNDER:
        low /= BOUND_REACH
    rise = _RISE_AFTER.match(behind) or _RISE_BEFORE.search(ahead)
    fall = _FALL_AFTER.match(behind) or _FALL_BEFORE.search(ahead)
    sign = 1 if rise else -1 if fall else 0
    if sign and dimension.startswith("percent"):
        dimension = "percent_change"
    rough = bool(_ROUGH_BEFORE.search(ahead) or _ROUGH_AFTER.match(behind))
    former = bool(_FORMER_AFTER.match(text[end : end + 2 * _BEFORE_CHARS]) or _FORMER_BEFORE.search(ahead))
    return Figure(low, high, dimension, start, end, text[start:end].strip(), step, rough, former, bound, strict, sign)


def _bound(ahead: str, behind: str) -> tuple[int, bool]:
    """Return the bound that the words around a number express (1, -1, 0 for none), and whether it is strict."""
    bounds = ((side, strict) for side, strict, before, after in _BOUNDS if before.search(ahead) or after.match(behind))
    return next(bounds, (0, False))


def _korean_value(written: str) -> tuple[float, float]:
    """Return the value of "1조 2,000억" or "만 2천", and half the unit of its last digit."""
    total, current, scale = BIG.get(written[0], 0.0), SMALL.get(written[0], 0.0), 0.0
    last = ""
    for digits, small, big in _PART.findall(written):
        scale = SMALL.get(small, 1.0)
        current += float(digits.replace(",", "")) * scale
        last = digits
        if big:
            total, current, scale = total + current * BIG[big], 0.0, scale * BIG[big]
    return total + current, _half_step(last) * scale


def _plain_value(written: str, big: str | None) -> tuple[float, float]:
    scale = ENGLISH_BIG[big.lower()] if big else 1.0
    return float(written.replace(",", "")) * scale, _half_step(written) * scale


def _half_step(written: str) -> float:
    digits = written.replace(",", "")
    if "." in digits:
        return 0.5 * 10.0 ** -len(digits.split(".")[1])
    zeros = len(digits) - len(digits.rstrip("0"))
    return 0.5 * math.pow(10.0, zeros) if zeros < len(digits) and zeros > 1 else 0.5


def _unit(text: str, end: int, sign: str | None) -> tuple[str, float, int]:
    if sign:
        return CURRENCY_SIGNS[sign], 1.0, end
    match = unit_pattern().match(text, end) or counted_pattern().match(text, end)
    if match and _SCORE.match(text, match.start()):
        return "score", 1.0, end
    if not match:
        return "plain", 1.0, end
    dimension, size = unit_sizes()[
        (match["hangul"] or "" if "hangul" in match.re.groupindex else "").lower() or match["latin"].lower()
    ]
    return dimension, size, match.end()


def _native_figures(text: str) -> list[Figure]:
    figures = []
    for match in _NATIVE.finditer(text):
        if match[1] == "한" and (match[2] == "해" or text.startswith("도", match.end())):
            continue  # "한 번도", "한 명도": never, nobody
        unit = "년간" if match[2] == "해" else match[2]
        dimension, size = unit_sizes()[unit if unit in unit_sizes() else "번"]
        value = NATIVE[match[1]] * size
        figures.append(_figure(text, (value, value), dimension, match.start(), match.end(), 0.0))
    return figures


def _english_figures(text: str) -> Iterator[Figure]:
    """Yield the numbers of *text* in English words with a unit ("two million dollars"), and those above twelve."""
    for number in english(text):
        dimension, size, end = _unit(text, number.end, None)
        if dimension != "plain" or number.value > _TWELVE:
            value = number.value * size
            yield replace(_figure(text, (value, value), dimension, number.start, end, 0.0), unit_size=size)


def _sino_korean_figures(text: str) -> Iterator[Figure]:
    """Yield the numbers of *text* in Sino-Korean words with a unit ("삼백육십 킬로그램"); "이 분" and "구 회장" are none."""
    for number in sino_korean(text):
        unit = unit_pattern().match(text, number.end)
        if unit is None or not unit["hangul"] or text[: number.start].rstrip().endswith(("몇", "수")):
            continue
        written = text[number.start : number.end]
        close = unit.group() == unit["hangul"]
        if len(written) == 1 and (
            written in "일이영조"
            or not _ALONE.match(text, unit.end())
            or (close and not (written in _ROUND and unit["hangul"] in ("원", "명", "달러")))
        ):
            continue
        dimension, size = unit_sizes()[unit["hangul"].lower()]
        value = number.value * size
        step = _half_step(f"{number.value:.15g}") * size
        yield replace(_figure(text, (value, value), dimension, number.start, unit.end(), step), unit_size=size)


def spelt_out(text: str) -> tuple[Figure, ...]:
    """Return numbers written as words in *text* ("the third tier", "심장을 셋이나"), except Korean ones with a noun."""
    numbers = [(match, SPELT[match.group().lower()]) for match in _SPELT.finditer(text)]
    numbers += [(match, NATIVE_ALONE[match[1]]) for match in _NATIVE_ALONE.finditer(text)]
    numbers += [(match, NATIVE[match[1]]) for match in _COUNTED_NATIVE.finditer(text) if not _NATIVE.match(text, match.start())]
    return tuple(Figure(value, value, "plain", match.start(), match.end(), match.group()) for match, value in numbers if value)
