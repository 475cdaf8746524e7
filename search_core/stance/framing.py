"""What frames claims and is none: announcements of what comes next, and words that say that something was said before."""

from __future__ import annotations

import re

_SHOWING = r"(?:보|다루|시작하|소개하|설명하|이야기하|얘기하|정리하|(?:말씀|설명|소개|소개해|설명해|알려|전해|보여) ?드리)"
_SHOWN = r"(?:볼|다룰|시작할|소개할|설명할|이야기할|얘기할|정리할|(?:말씀|설명|소개|소개해|설명해|알려|전해|보여) ?드릴)"
_KOREAN = re.compile(
    rf"(?:{_SHOWING}(?:겠습니다|겠어요|겠는데요|도록 ?(?:하겠습니다|할게요|하죠)|려고 ?(?:합니다|해요|하는데요)|고자 ?합니다)"
    rf"|{_SHOWN}(?:게요|까요|까 합니다|텐데요)|(?:보시죠|봅시다|보죠))[\s.!?…~]*$"
)
_ENGLISH = re.compile(
    r"^\W*(?:(?:hi|hello|welcome|so|now|okay|ok|and|well)\b\W*)*"
    r"(?:today|tonight|in (?:this|today['’]s) (?:video|episode|lecture|lesson|talk|session)"
    r"|(?:in|over) the next [\w ]{1,24}),?\s+"
    r"(?:let['’]?s\b|let us\b|(?:i|we)(?:['’](?:ll|d like to|m going to|re going to)"
    r"| (?:will|shall|want to|would like to|am going to|are going to|ask|look|talk|explore|discuss|learn|cover|see))\b)",
    re.IGNORECASE,
)
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


def is_announcement(sentence: str) -> bool:
    """Return whether *sentence* only announces what follows in the video, which cannot be looked up."""
    return (_KOREAN.search(sentence) or _ENGLISH.match(sentence)) is not None


def without_lead(sentence: str) -> str:
    """Return *sentence* without a beginning like "다시 말씀드리지만" or "As I said,"; what is left is what was said before."""
    rest = _LEAD.sub("", sentence, count=1)
    return f"{rest[:1].upper()}{rest[1:]}" if rest != sentence else sentence
