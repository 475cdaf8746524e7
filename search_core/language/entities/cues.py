"""Words around and inside names that reveal their kind: titles, surnames, endings, particles, places."""

from __future__ import annotations

import re

from search_core.language import word_lists

_LISTS = word_lists("names.txt")


def _longest_first(title: str) -> tuple[str, ...]:
    """Return the words of the list called *title*, longest first, so that a pattern or loop takes the longest that fits."""
    return tuple(sorted(_LISTS[title], key=lambda word: (-len(word), word)))


SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민나진지엄채원천방공현함변염여추도소석선설마길연위표명기반"
    "라왕금옥육인맹제모탁국어은편용봉사부계피감옹경승두빈태복동형맹예가목음온"
)
"""One-syllable Korean surnames (Statistics Korea, census of 2015, the common ones)."""
COMMON_SURNAMES = frozenset("김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민나진지엄채원천방")
LONG_SURNAMES = ("남궁", "황보", "제갈", "사공", "선우", "독고", "서문")

TITLES = _longest_first("titles")
"""Titles that stand after a person's name."""

ORG_ENDINGS = _longest_first("org_endings")
"""Last words of organisations' names."""
WEAK_ORG_ENDINGS = _LISTS["weak_org_endings"]
"""Endings that are also common nouns, and so end an organisation's name only after another name."""
ORG_PARTS = _longest_first("org_parts")
"""Last words of the names of an organisation's parts, and of organisations named after a place."""
ORG_BEFORE = _LISTS["org_before"]
"""Nouns that stand before an organisation's name."""

EVENT_ENDINGS = _longest_first("event_endings")
"""Last words of events' names."""

EVENT_PATTERN = re.compile(
    r"(?:(?<![A-Za-z])(?:GTC|CES|MWC|WWDC|COMPUTEX|Computex|NeurIPS|ICML|ICLR|CVPR|ACL|EMNLP|SIGGRAPH|KubeCon|PyCon|SXSW|TED|RSAC|APEC|ASEM|G7|G20"
    r"|DEF CON|Black Hat|Google I/O|AWS re:Invent|re:Invent|Microsoft Build|Microsoft Ignite|Ignite|IFA|E3|COP)"
    r"(?:[ \t]?['’]?\d{2,4})(?!\d)(?: 키노트| keynote)?)"
    r"|(?<![A-Za-z])(?:GTC|CES|MWC|WWDC|NeurIPS|ICML|ICLR|CVPR|SIGGRAPH|APEC|G20"
    r"|Google I/O|Hot Chips|COMPUTEX|Computex|DEF CON)(?![A-Za-z0-9])"
    r"|제\s?\d{1,3}\s?회\s?(?:[가-힣A-Za-z·]{1,12}\s?){0,4}?(?:대회|총회|영화제|시상식|포럼|컨퍼런스|콘퍼런스|세미나|올림픽|축제|박람회|회의|어워즈|어워드|대상|전국체전|전국체육대회)"
    r"|(?<!\d)(?:19|20)\d{2}년? ?(?:[가-힣A-Z][가-힣A-Za-z]{0,9} ){0,2}(?:[가-힣A-Za-z]{0,8})"
    r"(?:올림픽|월드컵|아시안게임|엑스포|컨퍼런스|콘퍼런스|국정감사|서밋|총선|대선)"
    r"|(?<![A-Za-z])(?!The )(?:[A-Z][A-Za-z&.-]*\s){1,5}"
    r"(?:Summit|Conference|Forum|Olympics|Expo|Symposium|Festival|Awards|Hackathon|Championship|World Cup|Keynote)"
    r"(?:\s(?:19|20)\d{2})?(?![A-Za-z])"
    r"|(?<!\d)20\d{2} (?:[A-Z][A-Za-z&.-]*\s){0,4}"
    r"(?:Summit|Conference|Forum|Olympics|Expo|Symposium|Festival|Awards|World Cup)(?![A-Za-z])"
)

PLACE_ENDINGS = _longest_first("place_endings")

ENGLISH_ORG_WORDS = _LISTS["english_org_words"]
ENGLISH_TITLES = _LISTS["english_titles"]
ENGLISH_STOP = _LISTS["english_stop"]
ENGLISH_GIVEN = _LISTS["english_given"]
_PARTICLES = _longest_first("particles")
_ALTERNATIVES = "|".join(_PARTICLES)
AFTER_NAME = rf"(?=(?:{_ALTERNATIVES})?(?![가-힣]))"
"""Pattern to put behind a name: the word ends there, or only a particle or suffix follows."""
AFTER_PERSON_OR_ORGANISATION = rf"(?=(?:{'|'.join(_longest_first('joined_titles'))})?(?:{_ALTERNATIVES})?(?![가-힣]))"
"""Like ``AFTER_NAME``, but before the particle there may be a title or noun that is often written together with names."""


PLACES = _LISTS["places"]
_SHORT_ENDINGS = tuple(ending for ending in PLACE_ENDINGS if len(ending) == 1)
_LONG_ENDINGS = (*(ending for ending in PLACE_ENDINGS if len(ending) > 1), "나들목", "분기점", "해안", "함")


def is_place(name: str) -> bool:
    """Return whether *name* is a known country, city or region."""
    return name in PLACES


def looks_like_place(name: str) -> bool:
    """Return whether *name* is a known place or a known place followed by an ending such as 시, 도, 역."""
    if is_place(name) or (name.endswith(_LONG_ENDINGS) and len(name) > 3):
        return True
    return name.endswith(_SHORT_ENDINGS) and (
        name[:-1] in PLACES
        or (len(name) > 2 and name[-1] in "시군구읍면동역로")
        or (len(name) > 3 and name[-1] in "강섬항해행발")
    )
