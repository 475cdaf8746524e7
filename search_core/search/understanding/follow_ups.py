"""Whether a question hangs on the earlier turns of a conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_core.domain.query import ConversationMemory, QuestionTerm
from search_core.text.korean import Morpheme, has_hangul
from search_core.text.korean.exclusions import exclusions

_KOREAN_CONTINUERS = frozenset(
    {"그럼", "그러면", "그렇다면", "그런데", "근데", "그래서", "그리고", "이제", "그렇지만", "그래도", "반면"}
)
_KOREAN_OPENING = re.compile(
    r"(?:첫|두|세|네|마지막) ?(?:번째|째|가지) |(?:다른|나머지|마지막|또 다른) |이제 |다시 |.{0,12}(?:첫 번째|"
    r"두 번째|세 번째|마지막) (?:예|질문|답|문장|문제|단계|항목|부분)"
)
"""Openings that count or vary what an earlier turn gave."""
_KOREAN_CONTRAST = re.compile(r"\S+(?: \S+)?[은는](?:요)?\?$")
"""A name and nothing about it: "구글은?"."""
_ENGLISH_OPENERS = (
    r"^(?:(?:ok|okay|so|and|but|then|well|also|interesting|really|cool|hmm+|no|yes|wow|oh|great|awesome|thanks|sure|right)"
    r"\b[,.!?]* +)"
)
_ENGLISH_REACTION = re.compile(
    r"^(?:interesting|really|cool|hmm+|wow|oh|great|awesome|nice|thanks|sure|right|ok(?:ay)?|no|yes)\b[,.!?]", re.IGNORECASE
)
"""An answer to what was just said."""
_ENGLISH_CONTINUER = re.compile(
    _ENGLISH_OPENERS + r"*(?:what about|how about|and|but|then|why not|why so|what else|who else|where else|how come|which ones?|"
    r"any (?:other|more)|are there (?:any )?(?:other|more)|more (?:details?|info)|go on|continue|elaborate)\b",
    re.IGNORECASE,
)
_ENGLISH_NEW_SUBJECT = re.compile(
    r"^(?:(?:so|ok|okay|and|now)[, ]+)?(?:what(?:['’]s| is| are| was| were)(?! the\b)|who(?:['’]s| is| are| was| were)|"
    r"tell me (?:more )?about|describe|define|explain|give me (?:an overview|information)(?: of| on| about)|"
    r"(?:can you )?(?:talk|tell me) about|i(?:['’]m| am) interested in|compare)\b",
    re.IGNORECASE,
)
"""Openings that bring up something new; "what is the …" rather speaks of what is known already."""
_TIME_OR_RANK = re.compile(r"\d+(?:분기|월|위|등)")
"""A part of some year, or a place in some order: of what, the question does not say."""
_MIN_SPECIFIC = 3


def goes_on(text: str, analysed: Sequence[Morpheme], terms: Sequence[QuestionTerm], memory: ConversationMemory) -> bool:
    """Return whether the question *text*, which points at nothing, goes on with the earlier turns."""
    specific = specific_terms(terms)
    if not terms or (not specific and _continues(text, analysed)):
        return True
    if has_hangul(text):
        return _is_korean_follow_up(_without_exclusions(text), specific)
    return _is_english_follow_up(text, specific, memory)


def specific_terms(terms: Sequence[QuestionTerm]) -> list[QuestionTerm]:
    """Return those of *terms* that name more than a property, a part of some year or a place in some order."""
    return [term for term in terms if not (term.attribute or _TIME_OR_RANK.fullmatch(term.text))]


def _continues(text: str, analysed: Sequence[Morpheme]) -> bool:
    return bool(_ENGLISH_CONTINUER.match(text) or (analysed and analysed[0].form in _KOREAN_CONTINUERS))


def _is_korean_follow_up(text: str, specific: Sequence[QuestionTerm]) -> bool:
    """Return whether *text* goes on with the earlier turns: it opens so, asks for more of the same, or names nothing."""
    nouns = [term for term in specific if not term.predicate]
    if not nouns or _KOREAN_OPENING.match(text) or _KOREAN_CONTRAST.match(text):
        return True
    return text.split(" ", 1)[0].rstrip(",") in _KOREAN_CONTINUERS and len(nouns) < _MIN_SPECIFIC


def _without_exclusions(text: str) -> str:
    for gone in reversed(exclusions(text)):
        text = text[: gone.start] + text[gone.end :].lstrip()
    return text


def _is_english_follow_up(text: str, specific: Sequence[QuestionTerm], memory: ConversationMemory) -> bool:
    """Return whether *text* goes on with the earlier turns: it leaves something out, or opens no subject."""
    if _ENGLISH_CONTINUER.match(text) or _ENGLISH_REACTION.match(text):
        return True
    if any(term.start > 0 and term.text[0].isupper() for term in specific):
        return False
    if specific and _ENGLISH_NEW_SUBJECT.match(text):
        return False
    if has_hangul(memory.turns[-1].question):  # whoever changes the language and names a thing has changed the subject
        return not specific
    return len(specific) < _MIN_SPECIFIC
