"""Widely known names in a text, as whole words."""

from __future__ import annotations

import re
from functools import lru_cache

from search_core.entities.gazetteer import fold_name, known_by_name, known_names
from search_core.entities.kinds import Entity, EntityKind
from search_core.entities.tails import AFTER_NAME
from search_core.korean.wordlist import words

_HANGUL = re.compile(r"[가-힣]")
_SIGNS = re.compile(r"[ \-·]")
# Korean names that are also everyday words or parts of them; they need another cue.
_ALSO_WORDS = words(
    """
    암 메타 델 토스 기아 구찌 이대 나사 빅뱅 인도 파리 예수 부처 포드 한강 아베 소니 우버 호퍼 윈도 쿠다 대상 놀란 로슈
    다음
    """
)


def known_in(text: str) -> list[Entity]:
    """Return the known names in *text* as whole words, countries and places as other."""
    found = []
    pattern = _pattern()
    for match in pattern.finditer(text):
        name = match.group("korean") or match.group("english")
        known = known_by_name().get(fold_name(name))
        if known is None:
            continue
        found.append(Entity(name, known.kind, match.start(), match.start() + len(name)))
    return found


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    korean: set[str] = set()
    english: set[str] = set()
    for known in known_names():
        for name in (*known.korean, *known.english):
            if name not in _ALSO_WORDS:
                (korean if _HANGUL.search(name) else english).add(name)
    return re.compile(
        rf"(?<![가-힣A-Za-z0-9])(?P<korean>{_alternatives(korean)}){AFTER_NAME}"
        rf"|(?<![A-Za-z0-9])(?P<english>{_alternatives(english)})(?![A-Za-z0-9])"
    )


def _alternatives(names: set[str]) -> str:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(_SIGNS.sub(r"[ \\-·]?", re.escape(name).replace(r"\ ", " ").replace(r"\-", "-")) for name in longest_first)


def is_place(name: str) -> bool:
    """Return whether *name* is a known place or thing, that is neither person, organisation nor event."""
    known = known_by_name().get(fold_name(name))
    return known is not None and known.kind is EntityKind.OTHER
