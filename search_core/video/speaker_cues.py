"""Who speaks, as titles, descriptions and the words themselves say it: ``출연: …``, ``Interview with …``, ``저는 …입니다``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from search_core.korean import has_hangul
from search_core.korean.morphemes import kiwi
from search_core.video.key_terms import ENGLISH_COMMON

_KOREAN_LABELS = (
    r"출연(?:자|진)?|진행(?:자)?|강연(?:자)?|강사|연사|발표(?:자)?|패널|게스트|대담(?:자)?|사회(?:자)?|앵커|기자|해설|"
    r"인터뷰(?:이|어)?|취재|내레이션|낭독|교수|MC"
)
_ENGLISH_LABELS = (
    r"speakers?|hosts?|hosted by|co-hosts?|guests?|presenters?|presented by|moderators?|moderated by|panel(?:ists?)?|lecturers?|"
    r"instructors?|interviewees?|interviewers?|narrators?|narrated by|featuring|starring|cast"
)
_LABELLED = re.compile(
    rf"^\W{{0,4}}(?:{_KOREAN_LABELS}|{_ENGLISH_LABELS})\s*(?:[:：|│ㅣ]|[-–—]\s)\s*(\S.{{0,160}})$", re.IGNORECASE | re.MULTILINE
)
_BETWEEN = re.compile(r"[,、·/&;+|]|\band\b|(?<=[가-힣])[와과](?=\s)|(?<=\s)(?:그리고|및)(?=\s)")
_BRACKETS = re.compile(r"[(\[（【<][^)\]）】>]*[)\]）】>]?")
_ROLE = (
    r"교수님?|명예교수|박사님?|대표이사|대표님?|부대표|기자|앵커|아나운서|변호사|의원|장관|위원장?|연구원|연구위원|소장|센터장|팀장|"
    r"작가|감독|선생님?|회장|부회장|사장|부사장|전무|상무|이사|본부장|실장|원장|총장|부장|차장|과장|평론가|애널리스트|이코노미스트|"
    r"특파원|해설위원|캐스터|의사|CEO|CTO|씨|님"
)
_BEFORE_ROLE = re.compile(rf"([가-힣]{{2,4}})\s*(?:{_ROLE})(?=(?:[이가은는의을를와과도]|께서|에게)?(?![가-힣]))")
_LATIN_NAME = r"[A-Z][\w'’-]+(?:\s(?:[A-Z]\.|[A-Z][\w'’-]+|van|von|de|da|der|bin|al)){0,3}"
_LATIN_FULL_NAME = r"[A-Z][\w'’-]+(?:\s(?:[A-Z]\.|[A-Z][\w'’-]+|van|von|de|da|der|bin|al)){1,3}"
_TITLED_WITH = re.compile(
    rf"(?:interview|conversation|talk|chat|q&a|podcast|discussion|lecture|keynote|session)s?\s+(?:with|by)\s+(?-i:({_LATIN_FULL_NAME}))|"
    rf"(?:feat\.?|ft\.?|featuring|starring)\s+(?-i:({_LATIN_FULL_NAME}))",
    re.IGNORECASE,
)
_KOREAN_SELF = re.compile(
    r"(?:저는|제\s?이름은|저의\s?이름은|진행(?:을|에)?\s?맡은|여러분의)\s(?:[가-힣A-Za-z0-9·]+\s){0,4}?"
    r"([가-힣]{2,4}?)(?:이라고\s|라고\s|입니다|이에요|예요|이고요)"
)
_KOREAN_REPORT = re.compile(
    r"([가-힣]{2,4})\s(?:기자|앵커|특파원|캐스터|아나운서)(?:입니다|의\s보도|가\s(?:보도|취재|전해)|,|\.)"
)
_ENGLISH_SELF = re.compile(
    rf"(?:[Mm]y name is|[Mm]y name's)\s({_LATIN_NAME})|"
    rf"(?:\bI'm|\bI am|[Hh]ere's your host,?|[Tt]hank you,)\s({_LATIN_FULL_NAME})|"
    rf"\b(?:hand|turn|pass)\s\w+\s(?:over|off|back)\sto\s(?:[a-z]+,?\s){{0,3}}?({_LATIN_FULL_NAME})|"
    rf"(?:\binvite|\b[Ww]elcome|[Jj]oined by)\s(?:[a-z]+,?\s){{0,5}}?"
    rf"(?<!\bto\s)(?<!\bin\s)(?<!\bthe\s)(?<!\ba\s)(?<!\bnew\s)({_LATIN_FULL_NAME})"
)
_POSITION = re.compile(r"\b(?:Vice|President|Senior|Director|Chief|Officer|Manager|Doctor|Professor|Everyone|Everybody)\b")
_SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마"
    "길연위표명기반왕금옥육인맹제모탁국어은편용예경봉사부가복태목형피두감음빈동온"
)


def stated_speakers(title: str, description: str) -> tuple[str, ...]:
    """Return the speakers that title and description name by a cue, in order, no doubles."""
    names = [name for line in _LABELLED.findall(description) for name in _names_in(line)]
    names += [name for pair in _TITLED_WITH.findall(f"{title}\n{description}") for name in pair if name]
    names += [name for name in _BEFORE_ROLE.findall(title) if is_korean_name(name, expected=True)]
    return tuple(dict.fromkeys(names))


def introduced_speakers(words: str) -> tuple[str, ...]:
    """Return the people who introduce themselves, or are introduced, in what is said."""
    names = [match[1] for match in _KOREAN_SELF.finditer(words) if is_korean_name(match[1], expected="이름" in match[0])]
    names += [match[1] for match in _KOREAN_REPORT.finditer(words) if is_korean_name(match[1], expected=True)]
    named = (name for pair in _ENGLISH_SELF.findall(words) for name in pair if " " in name)
    names += [name for name in named if _may_be_latin_name(name)]
    return tuple(dict.fromkeys(names))


def is_korean_name(text: str, *, expected: bool = False) -> bool:
    """Return whether *text* looks like the name of a Korean person.

    It opens with a surname and is to Kiwi one proper noun or one unknown word. Where a name is *expected*, three syllables that
    Kiwi takes apart at the surname or after a proper noun are one too, as long as no affix is among them.
    """
    if not 2 <= len(text) <= 4 or text[0] not in _SURNAMES:
        return False
    tokens = kiwi().tokenize(text)
    if len(tokens) == 1:
        return bool(tokens[0].tag == "NNP" or tokens[0].id == _unknown_noun())
    opening = len(tokens[0].form) == 1 or tokens[0].tag == "NNP"
    return expected and len(text) == 3 and opening and all(token.tag not in ("XSN", "XPN") for token in tokens)


def _may_be_latin_name(name: str) -> bool:
    words = (word.casefold() for word in name.split())
    return not _POSITION.search(name) and not any(word in ENGLISH_COMMON for word in words)


def may_be_person(name: str) -> bool:
    """Return whether a name only found in speech can be a person's: no office, and one Korean word only if Kiwi knows it."""
    if _POSITION.search(name):
        return False
    if " " in name or not has_hangul(name):
        return True
    tokens = kiwi().tokenize(name)
    return len(tokens) == 1 and bool(tokens[0].tag == "NNP")


@lru_cache(maxsize=1)
def _unknown_noun() -> int:
    """Return the number Kiwi gives to nouns that are not in its dictionary, learnt from a word nobody has."""
    return int(kiwi().tokenize("뷁쀍뛟")[0].id)


def _names_in(line: str) -> Iterator[str]:
    """Yield the names in a list such as ``홍길동 교수(한국대), Jane Doe``."""
    for piece in _BETWEEN.split(_BRACKETS.sub(" ", line)):
        piece = piece.strip().strip(" .-–—")
        if found := _BEFORE_ROLE.search(piece):
            yield found[1]
        elif is_korean_name(piece, expected=True):
            yield piece
        elif found := re.match(rf"(?:(?:Dr|Prof|Mr|Ms|Mrs)\.?\s+)?({_LATIN_FULL_NAME})(?=$|\s)", piece):
            yield found[1]
        else:
            yield from (word for word in piece.split() if len(word) >= 3 and is_korean_name(word))
