"""The kind of answer that a question asks for, and the values of that kind in a text."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from search_core.language.entities.find import english_names
from search_core.language.entities.gazetteer import EntityKind
from search_core.language.korean import has_hangul, morphemes
from search_core.language.sentences import split_sentences
from search_core.language.statements.figures import Figure, blank_out, figures_in, spelt_out
from search_core.language.statements.periods import periods_in
from search_core.language.words import LATIN, words_of


class AskedKind(StrEnum):
    """Names what a question asks for."""

    NUMBER = "number"
    DATE = "date"
    PERSON = "person"
    PLACE = "place"
    NAME = "name"
    """The name of a company, a product, a work or another thing ("which company")."""
    REASON = "reason"
    TRUTH = "truth"
    """Yes or no."""
    OTHER = "other"


class Value(NamedTuple):
    """A value of the kind asked for in a text, at ``text[start:end]``."""

    key: str
    """Equal for two values that mean the same, as far as their spelling shows."""
    start: int
    end: int
    figure: Figure | None = None


_HEAD = r"(?:\w+ ){0,3}?"
_PERSONS = (
    "president|minister|actor|actress|singer|star|player|senator|artist|leader|politician|author|celebrity|musician|director"
    "|athlete|mp|billionaire|ceo|rapper|comedian|model|royal|official|justice|governor|mayor|coach"
)
_PLACES = "countr(?:y|ies)|states?|cit(?:y|ies)|place|nations?|town|island|continent|province"
_VERBS = r"is\b|are\b|was\b|were\b|did\b|does\b|do\b|has\b|have\b|had\b|will\b|would\b|happen"
_AMOUNTS = "비율|규모|인원|가격|금액|점유율|비중|매출|인구|높이|길이|면적|나이|[ 의]수|횟수|기간"
_CUES: tuple[tuple[AskedKind, str], ...] = (
    (AskedKind.DATE, r"언제|며칠|몇 ?(?:년(?=도|의|에(?! [걸쓰])|생|부터|까지|이야|인가)|월|일(?=에|\b)|시\b)"),
    (AskedKind.DATE, r"어느 (?:해|날)|무슨 요일|(?:연도|년도|날짜|생년월일|시기|시점|[ 는은한된던](?:해|날))[은는]\W*$"),
    (AskedKind.NUMBER, rf"얼마|몇|(?:{_AMOUNTS})(?:[은는]\W*$|[은는을를]? (?:알려|말해|가르쳐))"),
    (AskedKind.PERSON, r"누[구가군굴]|(?:어떤|어느) (?:사람|인물|배우|가수|선수|감독|작가|대통령|의원)"),
    (AskedKind.PERSON, r"(?:사람|인물|배우|가수|선수|감독|작가|대통령|의원|대표|장관|총리)[은는]\W*$"),
    (AskedKind.PERSON, r"(?:부인|아들|딸|아버지|어머니|제자|스승|자)[은는]\W*$"),
    (AskedKind.PLACE, r"어디|(?:어느|어떤|무슨) (?:나라|국가|도시|지역|주|곳|장소)"),
    (AskedKind.PLACE, r"(?:나라|국가|도시|지역|곳|장소|고향)[은는]\W*$"),
    (AskedKind.REASON, r"왜|이유|까닭|(?:뭐|무엇) 때문"),
    (AskedKind.OTHER, r"어떻게|어때"),
    (AskedKind.NAME, r"어느|어떤|무슨|이름|무엇|뭐|뭘|명칭|[은는]\W*$"),
    (AskedKind.DATE, r"^\W*(?:finally, )?when\b|\b(?:from|since|by|until) when\W*$"),
    (AskedKind.DATE, r"\b(?:what|which) (?:year|month|day|date|decade|century)\b"),
    (AskedKind.REASON, r"\bwhy\b|\bhow come\b"),
    (AskedKind.NUMBER, r"\bhow (?:many|much|old|long|far|tall|high|big|large|fast|often)\b|\bpercentage\b"),
    (AskedKind.NUMBER, r"\bwhat (?:percent\w*|share|number|amount|price|proportion)\b"),
    (AskedKind.NUMBER, r"\bwhat (?:is|was|were|are) the (?:\w+ ){0,3}?(?:price|cost|number|rate|score|mark)\b"),
    (AskedKind.PERSON, rf"^\W*who(?:se|m)?\b|[,;] (?:and |but )?who(?:se|m)?\b|\b(?:which|what) {_HEAD}(?:{_PERSONS})\b"),
    (AskedKind.PLACE, r"\bwhere\W*(?:$|is\b|was\b|did\b|does\b|are\b|were\b|will\b)"),
    (AskedKind.PLACE, rf"\b(?:which|what) {_HEAD}(?:{_PLACES})\b"),
    (AskedKind.NAME, r"\bwhich\b|\bwhat(?:['’]s| is| was| are) (?:it|the (?:name|title)|\w+ called)"),
    (AskedKind.NAME, rf"\bwhat(?=\s+(?!{_VERBS}))"),
    (AskedKind.PERSON, r"\bwho(?:se|m)?\b"),
)
"""Patterns for each kind; the first that matches the question's last sentence decides."""
_COMPILED = tuple((kind, re.compile(cue, re.IGNORECASE)) for kind, cue in _CUES)
_AUXILIARY = re.compile(
    r"^\W*(?:true or false|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may)\b", re.IGNORECASE
)
_ASKS_TO_TELL = re.compile(r"(?:알려|말해|가르쳐)\s?(?:줘|주|달라|봐)|궁금|\b(?:tell me|do you know)\b", re.IGNORECASE)
_BEGINS_TO_ASK = re.compile(r"^\W*(?:wh(?:o|at|en|ere|ich|y|ose|om)|how|in (?:what|which))\b", re.IGNORECASE)
_ASKING_WORD = re.compile(r"얼마|언제|어디|누구|뭐|몇|왜")
_OF_A_LIST = re.compile(r"\bwhich of (?:these|the following)\b|다음 중", re.IGNORECASE)
"""Asks for a choice from a list that the question does not give ("which of these")."""
_MEASURES = (
    ("percent percent_change percent_point fraction", r"퍼센트|%|비율|점유율|비중|\bpercent|\bproportion|\bshare of"),
    ("won dollar euro yen yuan pound", r"매출|가격|금액|원\b|원이|달러|비용|상금|연봉|영업이익"),
    ("won dollar euro yen yuan pound", r"\bhow much\b|\bprice|\bcost|\$|\bworth\b|\bpay\b"),
    ("duration plain", r"몇 ?(?:년|개월|달|주|일|시간|분)|얼마나 (?:오래|걸)|나이"),
    ("duration plain", r"\bhow (?:long|old)\b|\bhow many (?:years|months|weeks|days|hours)"),
    ("length area bytes", r"얼마나 (?:멀|떨어|높|깊|길|넓|[커큰크])|거리|지름|높이|길이"),
    ("length area bytes", r"\bhow (?:far|tall|high|wide|deep|big|large)\b"),
    ("speed bytes times", r"얼마나 빠|얼마나 빨|속도|\bhow fast\b"),
    ("temperature", r"몇 ?도(?!시)|온도"),
    ("mass", r"무게|얼마나 무거"),
    ("head plain", r"몇 ?마리"),
    ("won dollar euro yen yuan pound", r"값|얼마(?:에|씩)|얼마나 (?:해|들|받|벌)"),
    ("person plain", r"몇 ?명|인원|인구|\bhow many (?:people|workers|employees|students|troops|soldiers)"),
)
"""Dimensions of a requested number, by words of the question ("비율": a percentage); the first match decides."""
_COMPILED_MEASURES = tuple((frozenset(measured.split()), re.compile(cue, re.IGNORECASE)) for measured, cue in _MEASURES)
_QUOTED = re.compile(r"[“\"‘'「『《<]([^“”\"‘’'「」『』《》<>\n]{2,60})[”\"’'」』》>]")
_OLD_YEAR = re.compile(
    r"(?<![\d,.])(?:기원전 \d{1,4}|1[0-8]\d\d|[1-9]\d\d)\s?년(?=에|의|부터|까지|경|대[에의 ]|,|\s\d{1,2}월)"
    r"|(?:(?<=\b(?:in|by) )|(?<=\bsince )|(?<=\byear ))1[0-8]\d\d\b",
    re.IGNORECASE,
)
"""Years as texts of today write them out, which are no amounts: "1447년에", "in 1800"."""
_REASON = re.compile(
    r"때문|덕분|덕에|위해|위한|이유|까닭|탓|원인|므로|니까|려고|라서|[아어]서(?= )|거든"
    r"|\b(?:because|since|due to|so that|reason|in order to)\b",
    re.IGNORECASE,
)
"""Words that introduce a reason or an aim ("때문", "because")."""
_PIECE = re.compile(r"\S+")
_OF_KEYWORDS = ("NN", "NP", "MM", "SL", "SH", "SN", "SW", "SP", "SY", "SO", "SS", "XPN", "XR", "XSN", "W_")
_MOST_KEYWORDS = 5
_NOUNS = frozenset({"NNP", "NNG", "SL", "SN", "XR", "SH"})


def asks_for_answer(text: str) -> bool:
    """Return whether *text* asks something, unlike a list of keywords or a heading."""
    if _OF_A_LIST.search(text):
        return False
    if "?" in text or "？" in text or _ASKS_TO_TELL.search(text):
        return True
    if not has_hangul(text):
        return _BEGINS_TO_ASK.match(text) is not None or _AUXILIARY.match(text) is not None
    if not any(cue.search(text) for _, cue in _COMPILED):
        return False
    return _ASKING_WORD.search(text) is not None or any(morpheme.tag == "EF" for morpheme in morphemes(text)[-3:])


def is_keywords(text: str) -> bool:
    """Return whether *text* is a list of keywords: only nouns in Korean, a few words elsewhere, no question or sentence."""
    if asks_for_answer(text) or text.rstrip().endswith((".", "!", "?", "？", "。")):
        return False
    if not has_hangul(text):
        return len(text.split()) <= _MOST_KEYWORDS
    return all(morpheme.tag.startswith(_OF_KEYWORDS) for morpheme in morphemes(text))


def asked_kind(question: str) -> AskedKind:
    """Return the kind of answer that *question*, or its last sentence, asks for."""
    asking = _asking(question)
    if not has_hangul(question) and _AUXILIARY.match(asking):
        return AskedKind.TRUTH
    matches = next((kind for kind, cue in _COMPILED if cue.search(asking)), None)
    if matches is not None:
        return matches
    return AskedKind.TRUTH if has_hangul(question) else AskedKind.OTHER


def _asking(question: str) -> str:
    spoken = split_sentences(question)
    asking = [sentence for sentence in spoken if sentence.rstrip("\"”’'").endswith(("?", "？"))]
    return (asking or spoken or [question])[-1]


def asked_dimensions(question: str) -> frozenset[str]:
    """Return the dimensions that a requested number may have ("비율": percent); empty if the question does not say."""
    return next((measured for measured, cue in _COMPILED_MEASURES if cue.search(question)), frozenset())


def values_in(text: str, kind: AskedKind) -> list[Value]:
    """Return the values of *kind* in *text*, in order; for a kind without a pattern of its own, the names in *text*."""
    if kind is AskedKind.NUMBER:
        return _numbers(text)
    if kind is AskedKind.REASON:
        return [Value(match.group().casefold(), match.start(), match.end()) for match in _REASON.finditer(text)]
    if kind is AskedKind.DATE:
        old = [Value(match.group().casefold(), match.start(), match.end()) for match in _OLD_YEAR.finditer(text)]
        return [*old, *(Value(period.text.casefold().strip(), period.start, period.end) for period in periods_in(text, None))]
    return _korean_names(text) if has_hangul(text) else _english_names(text, kind)


def blank_periods(text: str) -> str:
    """Return *text* with spaces in place of its dates and times, whose numbers are no amounts."""
    return blank_out(text, [(period.start, period.end) for period in periods_in(text, None)])


def _numbers(text: str) -> list[Value]:
    blanked = blank_periods(text)
    figures = [*figures_in(blanked), *spelt_out(blanked)]
    return [Value(f"{figure.dimension} {figure.high:g}", figure.start, figure.end, figure) for figure in figures]


def _english_names(text: str, kind: AskedKind) -> list[Value]:
    names = [
        Value(name.text.casefold(), name.start, name.end)
        for name in english_names(text)
        if kind is not AskedKind.PERSON or name.kind is EntityKind.PERSON or " " in name.text
    ]
    if kind in (AskedKind.NAME, AskedKind.OTHER):
        names += [Value(match[1].casefold().strip(" ,."), match.start(), match.end()) for match in _QUOTED.finditer(text)]
    return names


def _korean_names(text: str) -> list[Value]:
    pieces = list(_PIECE.finditer(text))
    names = []
    for piece, words in zip(pieces, words_of(piece.group() for piece in pieces), strict=True):
        nouns = [word for word in words if word.tag in _NOUNS]
        if any(word.tag in ("NNP", LATIN) for word in nouns):
            names.append(Value("".join(word.form for word in nouns), piece.start(), piece.end()))
    return names
