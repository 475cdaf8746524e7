"""What a sentence lacks to say as much as a statement, though it speaks of the same thing and names the same values.

Agreement is the one verdict a reader rests on, so it is given only where nothing speaks against it: who and what, how many of
them, up to where, and whether it has happened at all.
"""

from __future__ import annotations

import re
from datetime import date

from search_core import korean
from search_core.answering.comparison.alignment import REGIONS, SAYS_NOTHING, Alignment, same_name, shared_words
from search_core.answering.comparison.arguments import Phrases
from search_core.answering.comparison.claim import Claim
from search_core.answering.comparison.concepts import event_forms
from search_core.answering.comparison.figures import Figure
from search_core.answering.comparison.modality import DENIED, PLANNED, PUT_OFF
from search_core.korean.wordlist import words
from search_core.relevance.words import stem

_CLAUSE_ENDS = re.compile(r"(?:이?고|으?며|지만|는데|면서)\s(?!있)|,\s|\b(?:and|but|while)\s")
_SOME = re.compile(
    r"[가-힣]에(?:서)?만(?![가-힣])|일부|몇몇|(?<![가-힣])한 (?!번|달|해|주|시간|묶음)[가-힣]+[이가은는]|하위|상위|우선|먼저|시범"
    r"|\b(?:some|most|only|certain|several|partly|one of|a few|selected|part of)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"전체|총계|평균|\b(?:overall|in total|on average|average)\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"첫\s?(?:달|해|주|분기|날)|(?<![가-힣])처음|\bfirst (?:day|week|month|quarter|year|flight)\b", re.IGNORECASE
)
_OWNED = re.compile(r"['’]s\s((?:[a-z-]+\s){1,2})")
REPORTS = words(
    """
    밝히 전하 알리 나타나 돌파 넘 넘어서 달하 이르 거두 올리 내 보이 세우 차지하 확인 조사
    추산 파악 관련 가운데 중 지난 한편 또한 대부분
    reach stand stood total accord show shown see saw record report confirm estim
    """
)
"""Words with which a value is told; two sentences may use different ones."""


def shortfall(said: Claim, web: Claim, aligned: Alignment, today: date | None) -> str:
    """Return why *web* does not say what *said* says, as a Korean sentence without its full stop; empty when nothing is lacking.

    *today* is the day of the video: what it says of later times is a plan by itself.
    """
    ahead = today is not None and any((day := period.last_day()) and day > today for period in said.periods)
    lacks = {
        "계획이나 예상을 말할 뿐 이미 그렇게 되었다고 하지는 않아요": not ahead and _only_planned(said, web),
        "한쪽은 그렇지 않다는 말을 전하고 있어요": _only_one(DENIED, said, web) or _denies(said, web),
        "미루거나 그만두었다고 해요": PUT_OFF.search(web.text) and not PUT_OFF.search(said.text),
        "전체를 말하는지 일부를 말하는지가 달라요": _part_for_whole(said, web, aligned),
        "한 지역의 일만 말하고 있어요": _narrower_region(said, web),
        "다른 때를 말하고 있어요": _only_one(_ORDINAL, said, web) or _vaguer(said, web),
        "같은 숫자지만 그보다 많거나 적다고 해요": _other_edge(said, web),
        "영상에 함께 나온 다른 숫자와 맞지 않아요": _unmatched_figure(said, web),
        "누가 누구에게 했는지가 서로 반대예요": _turned_round(said, web),
        "영상이 말한 일이 일어났다고 하지는 않아요": _other_predicate(said, web),
        "다른 대상이나 항목을 말하고 있어요": _other_subject(said, web, aligned),
    }
    return next((reason for reason, found in lacks.items() if found), "")


def _only_one(pattern: re.Pattern[str], said: Claim, web: Claim) -> bool:
    return bool(pattern.search(said.text)) != bool(pattern.search(web.text))


def _only_planned(said: Claim, web: Claim) -> bool:
    """Tell whether only the sentence speaks of a plan, in the clause with the statement's number where there is one."""
    if PLANNED.search(said.text):
        return False
    met = [theirs for _, theirs in _equal_pairs(said, web)]
    return all(PLANNED.search(clause) for clause in [_clause(web.text, figure) for figure in met] or [web.text])


def _clause(text: str, figure: Figure) -> str:
    start = max((found.end() for found in _CLAUSE_ENDS.finditer(text, 0, figure.start)), default=0)
    behind = _CLAUSE_ENDS.search(text, figure.end)
    return text[start : behind.start() + 1 if behind else len(text)]


def _denies(said: Claim, web: Claim) -> bool:
    """Tell whether one sentence alone has a "not"; "거부했다" is another word for "승인하지 않았다"."""
    return said.negated != web.negated and not _same_events(said, web)


def _same_events(said: Claim, web: Claim) -> bool:
    return bool({(h.axis, h.side) for h in said.happenings} & {(h.axis, h.side) for h in web.happenings})


def _part_for_whole(said: Claim, web: Claim, aligned: Alignment) -> bool:
    left = aligned.said_left or aligned.web_left
    return _only_one(_SOME, said, web) or bool(left and _only_one(_WHOLE, said, web))


def _narrower_region(said: Claim, web: Claim) -> bool:
    return bool({name for group, name in web.scopes - said.scopes if group == "region"} - {"world", "korea"})


def _vaguer(said: Claim, web: Claim) -> bool:
    """Tell whether the statement names a day or month and the sentence only the year."""
    exact = [period for period in said.periods if period.month and not period.reckoned]
    return bool(exact and web.periods) and all(period.month is None and period.quarter is None for period in web.periods)


def _other_edge(said: Claim, web: Claim) -> bool:
    return any(other.edge not in (0, figure.edge) for figure, other in _equal_pairs(said, web))


def _turned_round(said: Claim, web: Claim) -> bool:
    """Tell whether who acts in one sentence is acted upon in the other, and the other way round."""
    if ("시키" in said.text or "시켰" in said.text) != ("시키" in web.text or "시켰" in web.text):
        return False  # "국회가 법을 통과시켰다" is "법이 국회를 통과했다"
    mine, theirs = said.arguments, web.arguments
    exchanged = _share_head(mine.subjects, theirs.objects) and _share_head(mine.objects, theirs.subjects)
    return exchanged and not _share_head(mine.subjects, theirs.subjects) and not _share_head(mine.objects, theirs.objects)


def _share_head(phrases: Phrases, others: Phrases) -> bool:
    mine = {_head(phrase) for phrase in phrases}
    return bool(mine & {_head(phrase) for phrase in others})


def _equal_pairs(said: Claim, web: Claim) -> list[tuple[Figure, Figure]]:
    return [
        (mine, theirs)
        for mine in said.figures
        for theirs in web.figures
        if mine.dimension == theirs.dimension and mine.equals(theirs)
    ]


def _unmatched_figure(said: Claim, web: Claim) -> bool:
    """Tell whether a number of the statement meets only other values of its kind."""
    for mine in said.figures:
        others = [theirs for theirs in web.figures if theirs.dimension == mine.dimension]
        if others and not any(mine.equals(theirs) for theirs in others):
            return True
    return False


def _other_subject(said: Claim, web: Claim, aligned: Alignment) -> bool:
    """Tell whether each sentence is about something that the other does not hold."""
    if aligned.other_proper:
        return True
    if korean.has_hangul(said.text) != korean.has_hangul(web.text):
        return False
    if any(_part_of(match[1], said) for match in _OWNED.finditer(web.text)):
        return True
    foreign = [head for head in _heads(said, aligned) if not _is_held(head, web)]
    if foreign and any(not _is_held(head, said) for head in _heads(web, aligned)):
        return True
    mine, theirs = said.arguments, web.arguments
    if _is_replaced(mine.subjects, theirs.subjects, said, web) or _is_replaced(mine.objects, theirs.objects, said, web):
        return True
    shared, shared_web = shared_words(said.words, web.words), shared_words(web.words, said.words)
    return _tells_apart(said, shared, aligned) and _tells_apart(web, shared_web, aligned)


def _other_predicate(said: Claim, web: Claim) -> bool:
    """Tell whether what a statement without numbers says of its subject is missing; two words for one event are one."""
    wanted = said.arguments.predicates[-1:]
    if not wanted or not web.arguments.predicates or _equal_pairs(said, web) or said.roles:
        return False
    return not _same_events(said, web) and wanted[0] not in web.arguments.predicates and wanted[0] not in web.text


def _is_replaced(mine: Phrases, theirs: Phrases, said: Claim, web: Claim) -> bool:
    """Tell whether the subject (or object) of *said* gave way to one that it does not name, and is neither of them in *web*."""
    if not mine or not theirs or any(_is_held(_head(phrase), said) and _head(phrase) not in REGIONS for phrase in theirs):
        return False
    if {noun for phrase in mine for noun in phrase} & {noun for phrase in theirs for noun in phrase}:
        return False  # "한국은행" and "한국은행 금융통화위원회"
    return not _share_head(mine, (*web.arguments.subjects, *web.arguments.objects))


def _part_of(owned: str, said: Claim) -> bool:
    """Tell whether a part of something is spoken of ("the car's battery pack") that the statement does not name."""
    return not any(word in said.text.casefold() for word in owned.split())


def _tells_apart(claim: Claim, shared: frozenset[str], aligned: Alignment) -> bool:
    """Tell whether *claim* has a word of its own, beside names, what is counted or measured, and words of reporting."""
    spans = [(start, end) for name, start, end in claim.metrics if name in aligned.metrics]
    spans += [(figure.start, figure.end) for figure in claim.figures]
    spans += [(period.start, period.end) for period in claim.periods]
    counted = " ".join((*(claim.text[start:end] for start, end in spans), *claim.names)).lower()
    passed = shared | SAYS_NOTHING | REPORTS | event_forms() | {stem(word) for word in counted.split()}
    return any(word.form not in passed and word.form not in counted for word in claim.words)


def _heads(claim: Claim, aligned: Alignment) -> list[str]:
    measured = "".join(claim.text[start:end] for name, start, end in claim.metrics if name in aligned.metrics).lower()
    phrases = (*claim.arguments.subjects, *claim.arguments.objects)
    return [head for head in map(_head, phrases) if len(head) > 1 and head not in measured]


def _head(phrase: tuple[str, ...]) -> str:
    return "".join(phrase[-2:]) if len(phrase[-1]) == 1 and len(phrase) > 1 else phrase[-1]


def _is_held(head: str, claim: Claim) -> bool:
    text = claim.text.casefold()
    if head in text or any(same_name(head, name) for name in claim.names):
        return True
    return any(word.form in head for word in claim.words if len(word.form) > 1)
