"""Who holds an office, who did what to whom, and where a thing is: the parts of a sentence that can be exchanged."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

_OFFICES = (
    ("head", r"최고경영자|대표이사|대표|사장|\bCEO\b|\bchief executive(?: officer)?\b"),
    ("chair", r"회장|의장|\bchair(?:man|woman|person)?\b"),
    ("president", r"대통령|\bpresident\b"),
    ("governor", r"총재|\bgovernor\b"),
    ("minister", r"장관|\bminister\b|\bsecretary of state\b"),
    ("coach", r"감독|\bhead coach\b|\bmanager\b"),
    ("founder", r"창업자|설립자|\bfounder\b"),
)
_DEEDS = (
    ("acquire", r"인수", r"acquired?|acquires|bought|buys?"),
    ("sue", r"고소|제소", r"sued|sues"),
    ("beat", r"꺾|이겼|제압", r"beat|beats|defeated|defeats"),
    ("invest", r"투자", r"invested in|invests in"),
)
_SEATS = (("seat", r"본사|본부|\bheadquarter(?:s|ed)?\b"), ("plant", r"공장|\bfactory\b|\bplant\b"))
_KOREAN_PLACE = re.compile(r"([가-힣]{2,6})(?:에|에서)\s?(?:있|위치|자리|짓|세우|들어서|열)")
_ENGLISH_PLACE = re.compile(r"\b(?:in|at)\s([A-Z][a-z]+(?:\s[A-Z][a-z]+)?)")
_PERSON = re.compile(r"^(?:[가-힣]{2,5}|[A-Z][\w.'-]+(?:\s[A-Z][\w.'-]+){1,2})$")
_FORMER = re.compile(r"(?<![가-힣])(?:전|전임)\s|\b(?:former|ex-|late)\b", re.IGNORECASE)
_NEAR_CHARS = 40
_OFFICE_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _OFFICES)
_SEAT_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _SEATS)
_DEED_PATTERNS = tuple(
    (name, re.compile(hangul), re.compile(rf"\b(was |were |been |is |be )?(?:{latin})\b( by\b)?", re.IGNORECASE))
    for name, hangul, latin in _DEEDS
)


class Role(NamedTuple):
    """One exchangeable part: what for (``office:head``), and who or where; for deeds, the doer and whom it is done to."""

    kind: str
    holder: str
    other: str = ""


def roles_in(text: str, names: Sequence[str], people: Container[str]) -> tuple[Role, ...]:
    """Return the offices, deeds and places of *text*; *names* are the names it holds, *people* those that can be persons."""
    places = [(text.find(name), name) for name in names]
    return (*_offices(text, [place for place in places if place[1] in people]), *_deeds(text, places), *_places(text))


def _offices(text: str, places: Sequence[tuple[int, str]]) -> list[Role]:
    found = []
    for kind, pattern in _OFFICE_PATTERNS:
        match = pattern.search(text)
        people = [(at, name) for at, name in places if _PERSON.match(name)]
        if not match or not people:
            continue
        joined = [(at, name) for at, name in people if _names_holder(text, match, at, name)]
        behind = [name for at, name in joined if at >= match.end()]
        holders = behind or [name for _, name in joined]
        if len(holders) == 1:
            found.append(Role(f"office:{kind}", holders[0]))
    return found


def _names_holder(text: str, office: re.Match[str], at: int, name: str) -> bool:
    """Return whether *name* is the one in office: after "대표는", "CEO is", or before a closing "대표가", "is the CEO"."""
    if _FORMER.search(text[max(0, min(at, office.start()) - 8) : max(at, office.end())]):
        return False
    if at >= office.end():
        return bool(re.match(r"\s?(?:은|는|에|인|로|[,:]|is\b|was\b|of [^,.]{2,30}? is\b)?\s?$", text[office.end() : at]))
    between = text[at + len(name) : office.start()]
    if re.match(r"^(?:은|는|이|가)?\s(?:[가-힣A-Za-z]{2,14}(?:의)?\s){0,1}(?:신임\s)?$", between):
        following = text[office.end() : office.end() + 3]
        return not re.match(r"^(?:은|는|에)\s", following) or re.match(r"^\s", between) is not None
    return bool(re.match(r"^(?:\s(?:is|was)|,)\s(?:the\s)?(?:new\s)?(?:\w+\s)?$", between))


def _deeds(text: str, places: Sequence[tuple[int, str]]) -> list[Role]:
    found = []
    for kind, hangul, latin in _DEED_PATTERNS:
        match = latin.search(text)
        if match:
            ahead = [name for at, name in places if at < match.start()]
            behind = [name for at, name in places if at >= match.end()]
            if ahead and behind:
                passive = bool(match[1] or match[2])
                doer, other = (behind[0], ahead[-1]) if passive else (ahead[-1], behind[0])
                found.append(Role(f"deed:{kind}", doer, other))
            continue
        match = hangul.search(text)
        if match:
            found += _korean_deed(text, places, match, kind)
    return found


def _korean_deed(text: str, places: Sequence[tuple[int, str]], deed: re.Match[str], kind: str) -> list[Role]:
    subject = target = agent = ""
    for at, name in places:
        particle = text[at + len(name) : at + len(name) + 2]
        if at >= deed.start():
            continue
        if particle[:1] in ("이", "가", "은", "는"):
            subject = name
        elif particle[:1] in ("을", "를") or particle[:1] == " ":
            target = name
        elif particle[:1] == "에":
            agent = name
    if re.match(r"됐|되|당", text[deed.end() : deed.end() + 2]) and agent and subject:
        return [Role(f"deed:{kind}", agent, subject)]
    return [Role(f"deed:{kind}", subject, target)] if subject and target else []


def _places(text: str) -> list[Role]:
    found = []
    for kind, pattern in _SEAT_PATTERNS:
        match = pattern.search(text)
        if not match:
            continue
        near = text[match.start() : match.end() + _NEAR_CHARS]
        place = _KOREAN_PLACE.search(near) or _ENGLISH_PLACE.search(near)
        if place:
            found.append(Role(f"place:{kind}", place[1]))
    return found
