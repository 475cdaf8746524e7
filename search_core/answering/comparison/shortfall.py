"""What a sentence lacks to say as much as a statement, though it speaks of the same thing and names the same values.

Agreement is the one verdict a reader rests on, so it is given only where nothing speaks against it: who and what, how many of
them, up to where, and whether it has happened at all.
"""

from __future__ import annotations

import re
from datetime import date

from search_core import korean
from search_core.answering.comparison.alignment import Alignment
from search_core.answering.comparison.claim import Claim
from search_core.answering.comparison.containment import denies_word
from search_core.answering.comparison.modality import DENIED, PLANNED, PUT_OFF
from search_core.answering.comparison.polarity import are_opposite, is_conditional, same_event
from search_core.answering.comparison.subject import clause, equal_pairs, other_subject, share_head

_SOME = re.compile(
    r"[가-힣]에(?:서)?만(?![가-힣])|일부|몇몇|(?<![가-힣])한 (?!번|달|해|주|시간|묶음)[가-힣]+[이가은는]|하위|상위|우선|먼저|시범"
    r"|\b(?:some|most|only|certain|several|partly|one of|a few|few|little|selected|part of)\b",
    re.IGNORECASE,
)
_DEGREE = re.compile(
    r"가장|유일|오직|즉시|항상|언제나|절대|결코|전혀|아무(?:도|것)|거의|매우|훨씬|(?<![가-힣])[더덜] |똑같"
    r"|\b(?:the only|always|never|immediately|hardly|much|far|best|worst|most|least|every time|exactly)\b",
    re.IGNORECASE,
)
"""Words that say how much, how often or how soon: a statement that has one says more than a sentence without it."""
_THAN = re.compile(r"([가-힣A-Za-z0-9]+)보다|(?<!more )(?<!less )(?<!fewer )\bthan (?:the |a |an )?([A-Za-z0-9]+)", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being)\s\w+(?:ed|en|wn|ht|ld|de|t)\b|\bby\b", re.IGNORECASE)
_WHOLE = re.compile(r"전체|총계|평균|\b(?:overall|in total|on average|average)\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"첫\s?(?:달|해|주|분기|날)|(?<![가-힣])처음|\bfirst (?:day|week|month|quarter|year|flight)\b", re.IGNORECASE
)


def shortfall(said: Claim, web: Claim, aligned: Alignment, today: date | None) -> str:
    """Return why *web* does not say what *said* says, as a Korean sentence without its full stop; empty when nothing is lacking.

    *today* is the day of the video: what it says of later times is a plan by itself.
    """
    ahead = today is not None and any((day := period.last_day()) and day > today for period in said.periods)
    lacks = {
        "계획이나 예상을 말할 뿐 이미 그렇게 되었다고 하지는 않아요": not ahead and _only_planned(said, web),
        "한쪽은 그렇지 않다는 말을 전하고 있어요": _only_one(DENIED, said, web) or _denies(said, web) or are_opposite(said, web),
        "미루거나 그만두었다고 해요": PUT_OFF.search(web.text) and not PUT_OFF.search(said.text),
        "전체를 말하는지 일부를 말하는지가 달라요": _part_for_whole(said, web, aligned),
        "영상이 말한 만큼 강하게 말하지는 않아요": _weaker(said, web),
        "견주는 대상이 달라요": _other_comparison(said, web),
        "어떤 조건에서만 그렇다고 해요": not is_conditional(said.text) and is_conditional(web.text),
        "한 지역의 일만 말하고 있어요": _narrower_region(said, web),
        "다른 때를 말하고 있어요": _only_one(_ORDINAL, said, web) or _vaguer(said, web) or _other_time(said, web, today),
        "같은 숫자지만 그보다 많거나 적다고 해요": _other_edge(said, web),
        "한쪽은 값을, 다른 쪽은 늘거나 줄어든 만큼을 말해요": _change_for_level(said, web),
        "영상에 함께 나온 다른 숫자와 맞지 않아요": _unmatched_figure(said, web),
        "누가 누구에게 했는지가 서로 반대예요": _turned_round(said, web),
        "영상이 말한 일이 일어났다고 하지는 않아요": _other_predicate(said, web),
        "다른 대상이나 항목을 말하고 있어요": other_subject(said, web, aligned),
    }
    return next((reason for reason, found in lacks.items() if found), "")


def _only_one(pattern: re.Pattern[str], said: Claim, web: Claim) -> bool:
    return bool(pattern.search(said.text)) != bool(pattern.search(web.text))


def _only_planned(said: Claim, web: Claim) -> bool:
    """Tell whether only the sentence speaks of a plan, in the clause with the statement's number where there is one."""
    if PLANNED.search(said.text):
        return False
    met = [theirs for _, theirs in equal_pairs(said, web)]
    return all(PLANNED.search(clause) for clause in [clause(web.text, figure) for figure in met] or [web.text])


def _denies(said: Claim, web: Claim) -> bool:
    """Tell whether one sentence alone has a "not", or denies what the other says; "거부했다" is "승인하지 않았다"."""
    return (said.negated != web.negated or denies_word(said, web)) and not same_event(said, web)


def _part_for_whole(said: Claim, web: Claim, aligned: Alignment) -> bool:
    left = aligned.said_left or aligned.web_left
    return _only_one(_SOME, said, web) or bool(left and _only_one(_WHOLE, said, web))


def _narrower_region(said: Claim, web: Claim) -> bool:
    return bool({name for group, name in web.scopes - said.scopes if group == "region"} - {"world", "korea"})


def _vaguer(said: Claim, web: Claim) -> bool:
    """Tell whether the statement names a day or month and the sentence only the year."""
    exact = [period for period in said.periods if period.month and not period.reckoned]
    return bool(exact and web.periods) and all(period.month is None and period.quarter is None for period in web.periods)


def _exchanges_names(said: Claim, web: Claim) -> bool:
    """Tell whether two active English sentences name the same two in another order."""
    shared = [name for name in {*said.names, *web.names} if name in said.text and name in web.text]
    if len(shared) < 2 or _PASSIVE.search(said.text) or _PASSIVE.search(web.text):
        return False
    return sorted(shared, key=said.text.find) != sorted(shared, key=web.text.find)


def _other_time(said: Claim, web: Claim, today: date | None) -> bool:
    """Tell whether a time of the statement meets only other times of its length ("내년 11월 19일", "올해 11월 19일").

    A statement without a time is of *today*, so a sentence of another year alone speaks of another time.
    """
    if not said.periods:
        years = {period.year for period in web.periods if period.year}
        return today is not None and bool(years) and today.year not in years
    for mine in said.periods:
        others = [theirs for theirs in web.periods if theirs.length == mine.length]
        if others and not any(mine.same_as(theirs) for theirs in others):
            return True
    return False


def _weaker(said: Claim, web: Claim) -> bool:
    """Tell whether the statement has a word of degree that the sentence lacks."""
    held = web.text.casefold()
    return any(match[0].strip().casefold() not in held for match in _DEGREE.finditer(said.text))


def _other_comparison(said: Claim, web: Claim) -> bool:
    """Tell whether one sentence compares with something that the other does not compare with."""
    mine, theirs = ({(match[1] or match[2]).casefold() for match in _THAN.finditer(each.text)} for each in (said, web))
    return mine != theirs


def _change_for_level(said: Claim, web: Claim) -> bool:
    """Tell whether a value in one sentence is what something rose or fell by in the other."""
    met = equal_pairs(said, web)
    return bool(met) and all(bool(mine.sign) != bool(theirs.sign) for mine, theirs in met) and not same_event(said, web)


def _other_edge(said: Claim, web: Claim) -> bool:
    return any(other.edge not in (0, figure.edge) for figure, other in equal_pairs(said, web))


def _turned_round(said: Claim, web: Claim) -> bool:
    """Tell whether who acts in one sentence is acted upon in the other, and the other way round."""
    if ("시키" in said.text or "시켰" in said.text) != ("시키" in web.text or "시켰" in web.text):
        return False  # "국회가 법을 통과시켰다" is "법이 국회를 통과했다"
    if not korean.has_hangul(said.text + web.text) and _exchanges_names(said, web):
        return True
    mine, theirs = said.arguments, web.arguments
    exchanged = share_head(mine.subjects, theirs.objects) and share_head(mine.objects, theirs.subjects)
    return exchanged and not share_head(mine.subjects, theirs.subjects) and not share_head(mine.objects, theirs.objects)


def _unmatched_figure(said: Claim, web: Claim) -> bool:
    """Tell whether a number of the statement meets only other values of its kind."""
    for mine in said.figures:
        others = [theirs for theirs in web.figures if theirs.dimension == mine.dimension]
        if others and not any(mine.equals(theirs) for theirs in others):
            return True
    return False


def _other_predicate(said: Claim, web: Claim) -> bool:
    """Tell whether what a statement without numbers says of its subject is missing; two words for one event are one."""
    wanted = said.arguments.predicates[-1:]
    if not wanted or not web.arguments.predicates or equal_pairs(said, web) or said.roles:
        return False
    return not same_event(said, web) and wanted[0] not in web.arguments.predicates and wanted[0] not in web.text
