"""What a sentence lacks to say as much as a statement, though it speaks of the same thing and names the same values.

Agreement is the one verdict a reader rests on, so it is given only where nothing speaks against it: who and what, how many of
them, up to where, and whether it has happened at all.
"""

from __future__ import annotations

import re
from datetime import date

from search_core import korean
from search_core.stance.alignment import Alignment
from search_core.stance.claim import Claim
from search_core.stance.containment import denies_word
from search_core.stance.modality import DENIED, PLANNED, PUT_OFF
from search_core.stance.polarity import same_event
from search_core.stance.subject import clause, equal_pairs, other_subject, share_head

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
_THAN = re.compile(
    r"(?<![가-힣A-Za-z0-9])([가-힣A-Za-z0-9]+)보다"
    r"|(?<!more )(?<!less )(?<!fewer )\bthan (?:the |a |an )?([A-Za-z0-9]+)",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being)\s\w+(?:ed|en|wn|ht|ld|de|t)\b|\bby\b", re.IGNORECASE)
_WHOLE = re.compile(r"전체|총계|평균|\b(?:overall|in total|on average|average)\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"첫\s?(?:달|해|주|분기|날)|(?<![가-힣])처음|\bfirst (?:day|week|month|quarter|year|flight)\b", re.IGNORECASE
)

OTHER_SUBJECT = "다른 대상이나 항목을 말하고 있어요"


def missing_support(statement: Claim, web: Claim, aligned: Alignment, today: date | None) -> str:
    """Return why *web* does not say what *statement* says, as a Korean sentence without a full stop; empty if nothing lacks.

    *today* is the day of the video: what it says of later times is a plan by itself.
    """
    ahead = today is not None and any((day := period.last_day()) and day > today for period in statement.periods)
    lacks = {
        "계획이나 예상을 말할 뿐 이미 그렇게 되었다고 하지는 않아요": not ahead and _only_planned(statement, web),
        "한쪽은 그렇지 않다는 말을 전하고 있어요": _only_one(DENIED, statement, web) or _denies(statement, web),
        "미루거나 그만두었다고 해요": PUT_OFF.search(web.text) and not PUT_OFF.search(statement.text),
        "전체를 말하는지 일부를 말하는지가 달라요": _part_for_whole(statement, web, aligned),
        "다른 때를 말하고 있어요": _only_one(_ORDINAL, statement, web) or _other_time(statement, web, today),
        "같은 숫자지만 그보다 많거나 적다고 해요": _other_edge(statement, web),
        "영상에 함께 나온 다른 숫자와 맞지 않아요": _unmatched_figure(statement, web),
        "누가 누구에게 했는지가 서로 반대예요": _turned_round(statement, web),
        OTHER_SUBJECT: other_subject(statement, web, aligned),
    }
    return next((reason for reason, found in lacks.items() if found), "")


def _only_one(pattern: re.Pattern[str], statement: Claim, web: Claim) -> bool:
    return bool(pattern.search(statement.text)) != bool(pattern.search(web.text))


def _only_planned(statement: Claim, web: Claim) -> bool:
    """Return whether only the sentence speaks of a plan, in the clause with the statement's number where there is one."""
    if PLANNED.search(statement.text):
        return False
    met = [theirs for _, theirs in equal_pairs(statement, web)]
    return all(PLANNED.search(clause) for clause in [clause(web.text, figure) for figure in met] or [web.text])


def _denies(statement: Claim, web: Claim) -> bool:
    """Return whether one sentence alone has a "not", or denies what the other says; "거부했다" is "승인하지 않았다"."""
    return (statement.negated != web.negated or denies_word(statement, web)) and not same_event(statement, web)


def _part_for_whole(statement: Claim, web: Claim, aligned: Alignment) -> bool:
    left = aligned.said_left or aligned.web_left
    return _only_one(_SOME, statement, web) or bool(left and _only_one(_WHOLE, statement, web))


def _exchanges_names(statement: Claim, web: Claim) -> bool:
    """Return whether two active English sentences name the same two in another order."""
    shared = [name for name in {*statement.names, *web.names} if name in statement.text and name in web.text]
    if len(shared) < 2 or _PASSIVE.search(statement.text) or _PASSIVE.search(web.text):
        return False
    return sorted(shared, key=statement.text.find) != sorted(shared, key=web.text.find)


def _other_time(statement: Claim, web: Claim, today: date | None) -> bool:
    """Return whether *web* is of another time; a statement without a time is of *today*."""
    if not statement.periods:
        years = {period.year for period in web.periods if period.year}
        return today is not None and bool(years) and today.year not in years
    return names_other_times(statement, web)


def names_other_times(statement: Claim, web: Claim) -> bool:
    """Return whether a time of *statement* meets only other times of its length ("내년 11월 19일", "올해 11월 19일")."""
    for mine in statement.periods:
        others = [theirs for theirs in web.periods if theirs.length == mine.length]
        if others and not any(mine.same_as(theirs) for theirs in others):
            return True
    return False


def _other_edge(statement: Claim, web: Claim) -> bool:
    return any(other.edge not in (0, figure.edge) for figure, other in equal_pairs(statement, web))


def _turned_round(statement: Claim, web: Claim) -> bool:
    """Return whether who acts in one sentence is acted upon in the other, and the other way round."""
    if ("시키" in statement.text or "시켰" in statement.text) != ("시키" in web.text or "시켰" in web.text):
        return False  # "국회가 법을 통과시켰다" is "법이 국회를 통과했다"
    if not korean.has_hangul(statement.text + web.text) and _exchanges_names(statement, web):
        return True
    mine, theirs = statement.arguments, web.arguments
    exchanged = share_head(mine.subjects, theirs.objects) and share_head(mine.objects, theirs.subjects)
    return exchanged and not share_head(mine.subjects, theirs.subjects) and not share_head(mine.objects, theirs.objects)


def _unmatched_figure(statement: Claim, web: Claim) -> bool:
    """Return whether a number of the statement meets only other values of its kind."""
    for mine in statement.figures:
        others = [theirs for theirs in web.figures if theirs.dimension == mine.dimension]
        if others and not any(mine.equals(theirs) for theirs in others):
            return True
    return False
