"""Words that say how real a thing is: in doubt, planned, put off or called off; one list for each, in both languages."""

from __future__ import annotations

import re

from search_core.text.korean.wordlist import words


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_WEIGHED = r"루머|\brumou?r(?:s|ed)?\b|\bconsider(?:s|ing)\b"
"""Words of what is weighed or rumoured: that is in doubt, and no more than a plan."""

DOUBTED = _pattern(
    _WEIGHED,
    r"[ㄹ을할될일]지(?:는|도|가|에)?\s|[는은인]지(?:는|도|를|가)?\s",
    r"여부|검토(?:하|한|되|중)|미정|확인되지\s?않|불확실|불투명|결정된 바|가능성",
    r"\b(?:whether|unclear|might|may|could|unconfirmed|undecided|reportedly)\b",
)
"""Words of questions, wishes and rumours, which assert nothing."""

PLANNED = _pattern(
    _WEIGHED,
    r"계획|예정|후보|추진|검토|논의|협의|신청|소문|관측|전망|예상|목표|준비하|준비\s?중|방안|기대하|희망|요청|요구|제안|발의|청원",
    r"상임위|예비|것으로 보인|것이라는|[ㄹ을할될] 것\s?(?:이|으로)",
    r"\b(?:plan(?:s|ned|ning)?|aims?|seeks?|propos(?:es|ed|al)|appl(?:y|ies|ied)|considered|hopes?|expect(?:s|ed)?"
    r"|intend(?:s|ed)?|meant to|supposed to|wants? to|negotiat\w+|in talks|prepar(?:es|ing)|forecast"
    r"|target(?:s|ed)?|nominat\w+|demands?|would|will)\b",
)
"""Words of what is meant, asked for or awaited and has not happened."""

_DROPPED = (
    r"취소|철회|무산|중단|백지화|폐기|포기|결렬|\b(?:cancel(?:l?ed|s)?|withdr(?:ew|awn?|aws)|scrap(?:s|ped)|abandon(?:s|ed)"
    r"|halt(?:s|ed)|called off|terminated|drop(?:s|ped) (?:the|its) plan)\b"
)
_POSTPONED = r"미루|미뤘|미뤄|연기[하했됐]|보류|유예|실패|불발|\b(?:postpon\w+|delay(?:s|ed)|fail(?:s|ed))\b"

CALLED_OFF_FORMS = words(
    "취소 철회 무산 중단 백지화 폐기 거부 반려 기각 포기 결렬 cancel revoke withdraw scrap abandon reject halt terminate"
)
"""Words of calling off, as content words have them."""
PUT_OFF = _pattern(_DROPPED, _POSTPONED)
"""Words of what has not come about, for now or for good; a refusal is an event of its own."""
