"""Whether a sentence is about what a statement names, and what it lacks to agree with the statement in full."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from functools import lru_cache

from search_core.checking.verdicts.values import measure_of
from search_core.language import korean, word_set
from search_core.language.entities import EntityKind, find_entities
from search_core.language.entities.gazetteer import fold_name
from search_core.language.equivalents import is_translated
from search_core.language.statements.alignment import (
    REGIONS,
    SAYS_NOTHING,
    held_names,
    held_parts,
    same_name,
    shared_words,
)
from search_core.language.statements.concepts import PLANNED, PUT_OFF, event_of
from search_core.language.statements.containment import denies_word, names_of
from search_core.language.statements.figures import Figure
from search_core.language.statements.proposition import Phrases, Proposition, read_proposition
from search_core.language.statements.units import unit_sizes
from search_core.language.words import stem

REPORTS = word_set(
    """
    밝히 전하 알리 나타나 돌파 넘 넘어서 달하 이르 거두 올리 내 보이 세우 차지하 확인 조사
    추산 파악 관련 가운데 중 지난 한편 또한 대부분
    입 해당 연 정하 정해지 마치 들 맺 갖 가지 이루 겪
    peopl person unit reach stand stood total accord show shown see saw record report confirm estim plan schedul
    """
)
"""Words that introduce or report a value; two sentences that agree may use different ones."""

_PUBLISHED = re.compile(r"^[가-힣A-Za-z0-9·\s]{2,20}?(?:이|가)\s(?:새로\s)?(?:발표|공개|공시|집계|조사|규정)한\s")
_KOREAN_REPORT = re.compile(
    r"^[가-힣A-Za-z0-9·\s]{2,24}?(?:은|는|이|가|에 따르면|에 의하면),?\s(?=.*[라다](?:고|며)\s(?:밝|말|전|발표|설명|공시|보도))"
    r"|(?<=[라다])고\s[가-힣A-Za-z0-9·\s]{2,24}?(?:은|는|이|가)\s(?:밝|말|전|발표|설명|공시|보도)[가-힣]*[.]?$"
)
"""The source of a report with its verb ("한국은행은 …라고 밝혔다"), before or after what is reported."""
_CITED = re.compile(r"^[^.,]{2,40}?에 (?:따르|의하)면,?\s|^according to [^,]{2,60},\s", re.IGNORECASE)
_SMALL = 12
_NOUNS = ("person", "item", "place")
_COUNTED = re.compile(r"[A-Za-z]{4}$")
"""An English noun after a number: "30,000 users" are not "30,000 patients"."""


def equal_pairs(statement: Proposition, web: Proposition) -> list[tuple[Figure, Figure]]:
    """Return the pairs of numbers in both sentences that can be equal."""
    return [
        (mine, theirs)
        for mine in statement.figures
        for theirs in web.figures
        if mine.dimension == theirs.dimension and mine.equals(theirs)
    ]


def count_told(statement: Proposition, web: Proposition) -> int:
    """Return how many numbers, times and products of *statement* are also in *web*; 0 if a number is missing.

    Small bare numbers ("둘") are not counted, as they often agree by chance. Returns 0 if the two differ in region or part.
    """
    if statement.scopes ^ web.scopes - {"world"} or not all(_is_told(figure, statement, web) for figure in statement.figures):
        return 0
    telling = [figure for figure in statement.figures if figure.dimension != "plain" or figure.low > _SMALL]
    times = sum(any(mine.same_as(theirs) for theirs in web.periods) for mine in statement.periods)
    return len(telling) + times + bool(telling and statement.codes & web.codes)


def _is_told(figure: Figure, statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* has the number *figure* for the same measure: "매출 3조 원" does not have "영업이익 3조 원"."""
    mine = measure_of(statement, figure)
    equal = (theirs for theirs in web.figures if theirs.dimension == figure.dimension and theirs.equals(figure))
    return any(not mine or not theirs or mine & theirs for theirs in (measure_of(web, one) for one in equal))


def other_subject(statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* is about something else: another subject or object, or other words than *statement*."""
    if korean.has_hangul(statement.text) != korean.has_hangul(web.text):
        return False
    mine, theirs = statement.arguments, web.arguments
    if _is_replaced(mine.subjects, theirs.subjects, statement, web) or _is_replaced(mine.objects, theirs.objects, statement, web):
        return True
    missing, added = words_missing(statement, web), words_missing(web, statement)
    if missing:
        return True
    if not statement.arguments.predicates:  # "점유율은 34퍼센트입니다": whatever the sentence ends on tells the same
        added -= set(web.arguments.predicates[-1:])
    if not mine.subjects:  # "지금까지 학교 57곳에 보냈습니다" leaves out who and what
        added -= {noun for phrase in theirs.subjects for noun in phrase}
    if not mine.objects:
        added -= {noun for phrase in theirs.objects for noun in phrase}
    return bool(added & _forms(web.text))


def _is_replaced(mine: Phrases, theirs: Phrases, statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* replaces the subject or object of *statement* by another one."""
    if not mine or not theirs or any(_is_held(_head(phrase), statement) and _head(phrase) not in REGIONS for phrase in theirs):
        return False
    if {noun for phrase in mine for noun in phrase} & {noun for phrase in theirs for noun in phrase}:
        return False  # "한국은행" and "한국은행 금융통화위원회"
    return not share_head(mine, (*web.arguments.subjects, *web.arguments.objects))


def words_missing(proposition: Proposition, other: Proposition) -> frozenset[str]:
    """Return the words of *proposition* that *other* lacks, except names, measures, counts and words of reporting."""
    metrics = {name for name, _, _ in other.metrics}
    spans = [(start, end) for name, start, end in proposition.metrics if name in metrics]
    figures = [figure for figure in proposition.figures if figure.dimension not in _NOUNS or not _COUNTED.search(figure.text)]
    spans += [(figure.start, figure.end) for figure in figures]
    spans += [(period.start, period.end) for period in proposition.periods]
    counted = " ".join((*(proposition.text[start:end] for start, end in spans), *proposition.names)).lower()
    stems = {stem(word) for word in counted.split()}
    passed = shared_words(proposition.words, other.words) | held_parts(proposition, other)
    passed |= SAYS_NOTHING | REPORTS | unit_sizes().keys() | stems
    held = other.text.casefold()
    happened = {(happening.axis, happening.side) for happening in other.happenings}
    return frozenset(
        word.form
        for word in proposition.words
        if word.form not in passed and word.form not in counted and word.form not in held and event_of(word.form) not in happened
    )


_TOLD_BY = ("NN", "NP", "NR", "VV", "VA", "MM", "MA", "XR", "XP", "SL", "SN")
"""First letters of the tags of all morphemes that carry meaning, including adverbs and numbers but no particles or endings."""


def is_same_sentence(statement: Proposition, web: Proposition) -> bool:
    """Return whether two Korean sentences are the same except for particles and endings."""
    mine, theirs = (
        {word.form for word in korean.morphemes(proposition.text) if word.tag.startswith(_TOLD_BY) or word.form in ("만", "밖에")}
        - held_parts(proposition, other)
        for proposition, other in ((statement, web), (web, statement))
    )
    return korean.has_hangul(statement.text) and mine == theirs


def lacks_translation(statement: Proposition, web: Proposition) -> bool:
    """Return whether either sentence has a word whose known translation is missing in the other.

    The entailment model alone is not enough: it finds "lasts ten hours" as similar to "takes ten hours to charge" as to its
    translation.
    """
    return any(
        is_translated(word) and word.form not in SAYS_NOTHING
        for proposition, other in ((statement, web), (web, statement))
        for missing in [words_missing(proposition, other)]
        for word in proposition.words
        if word.form in missing
    )


def _forms(part: str) -> frozenset[str]:
    """Return the content words of *part* without who says it ("한국은행에 따르면")."""
    text = _PUBLISHED.sub("", _KOREAN_REPORT.sub("", _CITED.sub("", part)))
    return frozenset(word.form for word in read_proposition(text, None).words)


def share_head(phrases: Phrases, others: Phrases) -> bool:
    """Return whether both lists of phrases share a head noun; a name may be written as one word or as several."""
    return any(
        "".join(mine).endswith(_head(theirs)) or "".join(theirs).endswith(_head(mine)) for mine in phrases for theirs in others
    )


def _head(phrase: tuple[str, ...]) -> str:
    return "".join(phrase[-2:]) if len(phrase[-1]) == 1 and len(phrase) > 1 else phrase[-1]


def _is_held(head: str, proposition: Proposition) -> bool:
    text = proposition.text.casefold()
    if head in text or any(same_name(head, name) for name in proposition.names):
        return True
    return any(word.form in head for word in proposition.words if len(word.form) > 1)


_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being)\s\w+(?:ed|en|wn|ht|ld|de|t)\b|\bby\b", re.IGNORECASE)
_CANDIDATE = "후보"
SEVERAL = 2
"""So many shared numbers and times are no coincidence in two sentences about the same subject."""
OTHER_SUBJECT = "다른 대상이나 항목을 말하고 있어요"


def missing_support(statement: Proposition, web: Proposition, today: date | None, *, read: bool = False) -> str:
    """Return why *web* does not say the same as *statement*, as a Korean sentence without a full stop, or nothing.

    *today* is the day of the video; statements about later times are plans. *read* says that a model has read both and so
    knows whether a negation or a plan in *web* concerns the statement.
    """
    ahead = today is not None and any((day := period.last_day()) and day > today for period in statement.periods)
    unread = not read or (statement.negated and not web.negated)
    lacks = {
        "계획이나 예상을 말할 뿐 이미 그렇게 되었다고 하지는 않아요": not ahead and _only_planned(statement, web, read=read),
        "한쪽은 그렇지 않다는 말을 전하고 있어요": unread and _denies(statement, web),
        "미루거나 그만두었다고 해요": PUT_OFF.search(web.text) and not PUT_OFF.search(statement.text),
        "다른 때를 말하고 있어요": _other_time(statement, web, today),
        "같은 숫자지만 그보다 많거나 적다고 해요": any(
            other.edge not in (0, own.edge) for own, other in equal_pairs(statement, web)
        ),
        "영상에 함께 나온 다른 숫자와 맞지 않아요": _unmatched_figure(statement, web),
        "누가 누구에게 했는지가 서로 반대예요": _turned_round(statement, web),
        OTHER_SUBJECT: other_subject(statement, web),
    }
    return next((reason for reason, lacking in lacks.items() if lacking), "")


def _only_planned(statement: Proposition, web: Proposition, *, read: bool) -> bool:
    """Return whether only *web* speaks of a plan; if a model has *read* Korean text, only "후보" counts as a plan."""
    if PLANNED.search(statement.text):
        return False
    if not (read and korean.has_hangul(web.text)):
        return PLANNED.search(web.text) is not None
    places = [web.text.rfind(word.form) for word in statement.words if len(word.form) > 1]
    return web.text.rfind(_CANDIDATE) > max(places, default=-1)


def _denies(statement: Proposition, web: Proposition) -> bool:
    """Return whether one sentence negates the other; "거부했다" and "승인하지 않았다" report one event and do not."""
    mine, theirs = ({(happening.axis, happening.side) for happening in sentence.happenings} for sentence in (statement, web))
    return (statement.negated != web.negated or denies_word(statement, web)) and not mine & theirs


def _exchanges_names(statement: Proposition, web: Proposition) -> bool:
    """Return whether two active English sentences have the same two names in reverse order."""
    shared = [name for name in {*statement.names, *web.names} if name in statement.text and name in web.text]
    if len(shared) < 2 or _PASSIVE.search(statement.text) or _PASSIVE.search(web.text):
        return False
    return sorted(shared, key=statement.text.find) != sorted(shared, key=web.text.find)


def _other_time(statement: Proposition, web: Proposition, today: date | None) -> bool:
    """Return whether *web* is about another time; a statement with numbers but no time is about none after *today*."""
    if statement.periods:
        return names_other_times(statement, web)
    years = [period.year for period in web.periods if period.year]
    return bool(statement.figures and years) and today is not None and min(years) > today.year


def names_other_times(statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* has only other times of the same length ("올해 5월 1일") for one in *statement* ("내년 5월 1일")."""
    unnamed = [theirs for theirs in web.periods if not any(mine.same_as(theirs) for mine in statement.periods)]
    return any(
        any(theirs.length == mine.length for theirs in unnamed) and not any(mine.same_as(theirs) for theirs in web.periods)
        for mine in statement.periods
    )


def dates_another(statement: Proposition, web: Proposition) -> bool:
    """Return whether *statement* counts nothing but is dated (2010), and *web* has only other times ("2003년 1월 6일")."""
    dated = [period for period in statement.periods if period.year and (not period.reckoned or "월" in period.text)]
    counted = any(figure.dimension != "plain" for figure in statement.figures)
    return bool(dated and web.periods) and not counted and not any(a.may_be(b) for a in dated for b in web.periods)


def _turned_round(statement: Proposition, web: Proposition) -> bool:
    """Return whether subject and object of the two sentences are exchanged."""
    if ("시키" in statement.text or "시켰" in statement.text) != ("시키" in web.text or "시켰" in web.text):
        return False  # "국회가 법을 통과시켰다" is "법이 국회를 통과했다"
    if not korean.has_hangul(statement.text + web.text) and _exchanges_names(statement, web):
        return True
    mine, theirs = statement.arguments, web.arguments
    exchanged = share_head(mine.subjects, theirs.objects) and share_head(mine.objects, theirs.subjects)
    return exchanged and not share_head(mine.subjects, theirs.subjects) and not share_head(mine.objects, theirs.objects)


def _unmatched_figure(statement: Proposition, web: Proposition) -> bool:
    """Return whether *web* has only other values of the same kind ("5%") for a number of the statement ("7%")."""
    for mine in statement.figures:
        others = [theirs for theirs in web.figures if theirs.dimension == mine.dimension]
        if others and not any(mine.equals(theirs) for theirs in others):
            return True
    return False


_LEAST_CHARS = 3
_NOUN_TAGS = frozenset({"NNG", "NNP", "XR", "SL", "XSN", "XPN", "NR", "SN"})
_TOPICS = frozenset({"은", "는", "이", "가", "께서"})
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=4096)
def subject_names(proposition: Proposition) -> tuple[str, ...]:
    """Return the names and products in *proposition*, and compounds up to its topic that may be names ("해솔시청", "은봉호")."""
    spent = [part.text for values in (proposition.periods, proposition.figures) for part in values]
    spent += [proposition.text[start:end] for _, start, end in proposition.metrics]
    named = [name for name in names_of(proposition) if len(name) > 1 and not any(name in text for text in spent)]
    compounds = (compound for compound in _compounds(proposition) if not any(compound in name for name in (*named, *spent)))
    return tuple(dict.fromkeys((*named, *proposition.codes, *compounds)))


def _compounds(proposition: Proposition) -> Iterator[str]:
    """Yield the compounds up to the topic of *proposition*, except common words."""
    run: list[korean.Morpheme] = []
    for morpheme in korean.morphemes(proposition.text) if korean.has_hangul(proposition.text) else ():
        if morpheme.tag in _NOUN_TAGS and (not run or run[-1].end == morpheme.start):
            run.append(morpheme)
            continue
        start = proposition.text.rfind(" ", 0, run[0].start) + 1 if run else 0
        text = proposition.text[start : run[-1].end] if run else ""
        one = len(run) == 1 or (len(run) == 2 and run[1].tag == "XSN")  # "온난화"
        plain = one and start == run[0].start and run[0].tag != "NNP" and not run[0].unknown
        empty = plain or all(morpheme.form in SAYS_NOTHING for morpheme in run)
        if len(text) >= _LEAST_CHARS and not empty and not _DIGIT.search(text):
            yield text
        if morpheme.tag in ("JKS", "JX") and morpheme.form in _TOPICS:
            return
        run = [morpheme] if morpheme.tag in _NOUN_TAGS else []


_NUMBERED = re.compile(r"[A-Za-z]\d|\d[A-Za-z가-힣]$")
_BRAND = re.compile(r"(?<![가-힣])[가-힣]{2,6}(?<![은는이가을를의에도로와과한된던]) [A-Z]+-?\d+")
_TOPICAL = ("은", "는", "이", "가")


def named_topic(texts: Sequence[str], particles: Collection[str] = ("은", "는")) -> str:
    """Return the name, but of no person, that the last of *texts* with a topic or subject has before one of *particles*."""
    for text in reversed(texts):
        phrase: list[korean.Morpheme] = []
        for morpheme in korean.morphemes(text):
            if morpheme.tag in _NOUN_TAGS or morpheme.tag == "NNB":
                phrase.append(morpheme)
                continue
            if phrase and phrase[-1].end == morpheme.start and morpheme.form in _TOPICAL and morpheme.tag in ("JX", "JKS"):
                brands = (match.start() for match in _BRAND.finditer(text) if match.end() == phrase[-1].end)  # "하랑 E9"
                topic = text[next(brands, phrase[0].start) : phrase[-1].end]
                named = morpheme.form in particles and any(part.tag in ("NNP", "SL") or part.unknown for part in phrase)
                person = phrase[-1].tag in ("XSN", "NNB") or any(each.kind is EntityKind.PERSON for each in find_entities(topic))
                return topic if named and not person and not read_proposition(text, None).sources else ""
            phrase = []
    return ""


def speaks_of_same(
    statement: Proposition, web: Proposition, around: str, titled: tuple[str, ...] = (), video: str = ""
) -> bool | None:
    """Return whether *web* is about everything that *statement* names; None if that is unknown.

    A name may also be in *around* (the page's title, or its text before *web*) if *web* names nobody else. If *web* has two
    values of the statement, half of the statement's names are enough. If the statement names nothing, what *web*, or else the
    title of its page (*titled*), names must be said in the *video*, unless several values are the same; models ("S2") must be.
    """
    names = subject_names(statement)
    if not names:
        topic = named_topic([web.text], _TOPICAL)
        told = tuple(_BRAND.findall(web.text)) or ((topic,) if topic else titled)
        if video and any(_NUMBERED.search(name) and fold_name(name) not in video for name in (*titled, *subject_names(web))):
            return False
        if video and any(fold_name(name) in video for name in told or subject_names(web)):
            return True
        known = not video or not told or any(_holds(statement.text, name) for name in told)
        alike = sum(mine.low > 1 and mine.bound == theirs.bound for mine, theirs in equal_pairs(statement, web))
        return None if known or (alike + bool(statement.periods) >= SEVERAL and count_told(statement, web) >= SEVERAL) else False
    held = sum(_holds(around, name) for name in names)
    if held < len(names) and not (2 * held >= len(names) and len(equal_pairs(statement, web)) > 1):
        return False
    others = [name for name in subject_names(web) if name not in web.sources and not _holds(statement.text, name)]
    return not others or any(_holds(web.text, name) for name in names)


def _holds(text: str, name: str) -> bool:
    """Return whether *text* contains *name* in either script, or only its stem or its first words."""
    there, wanted_name = fold_name(text), fold_name(name)
    return (
        wanted_name in there or (len(wanted_name) > _LEAST_CHARS and wanted_name[:-1] in there) or bool(held_names((name,), text))
    )
