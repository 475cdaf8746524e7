"""Names known to be one: pairs that a text gives itself ("엔비디아(NVIDIA)") and widely known ones."""

from __future__ import annotations

import re

from search_core.entities.gazetteer import fold_name, known_by_name
from search_core.entities.sound import likeness_of_sound

_KOREAN = r"[가-힣][가-힣A-Za-z0-9·]{0,40}+(?: [가-힣A-Za-z0-9·]{1,40}+){0,3}+"
_LATIN = r"[A-Za-z][A-Za-z0-9&.'’+-]{0,40}+(?: [A-Za-z0-9&.'’+-]{1,40}+){0,5}+"
_KOREAN_FIRST = re.compile(rf"(?P<korean>{_KOREAN})\s?[(（\[](?P<latin>{_LATIN})(?:[,;:/][^()（）]*)?[)）\]]")
_LATIN_FIRST = re.compile(rf"(?P<latin>{_LATIN})\s?[(（\[](?P<korean>{_KOREAN})(?:[,;:/][^()（）]*)?[)）\]]")
_HANGUL = re.compile(r"[가-힣]")
_INITIALISM = re.compile(r"[A-Z][A-Z0-9&.-]{1,7}")
_MAX_NAME_CHARS = 60
_MAX_READ_CHARS = 6_000
"""A video's description has 5000 at most; the patterns take a second on ten times as much without a space."""
_LONG_WORD = 4  # syllables; shorter words before an initialism are mostly units and common nouns ("가격(USD)")
_ALIKE = 0.6


def translate_name(name: str) -> str | None:
    """Return the usual form of *name* in the other script, or None when none is known."""
    stripped = name.strip()
    for korean, latin in aliases_in(stripped):
        if stripped.startswith(korean):
            return latin
        if stripped.startswith(latin):
            return korean
    known = known_by_name().get(fold_name(stripped))
    if known is None:
        return None
    others = known.english if _HANGUL.search(stripped) else known.korean
    return next((other for other in others if fold_name(other) != fold_name(stripped)), None)


def aliases_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the (Korean, Latin) pairs that *text* itself gives, as "엔비디아(NVIDIA)", in order and once each.

    Of the words before the bracket those are taken that sound like what stands in it, or that a widely known pair confirms; an
    initialism in brackets also names one long word before it ("세계보건기구(WHO)").
    """
    text = text[:_MAX_READ_CHARS]
    found: dict[tuple[str, str], None] = {}
    for match in _KOREAN_FIRST.finditer(text):
        pair = _pair(match["korean"].split(" "), match["latin"].strip(), korean_first=True)
        if pair is not None:
            found[pair] = None
    for match in _LATIN_FIRST.finditer(text):
        pair = _pair(match["latin"].split(" "), match["korean"].strip(), korean_first=False)
        if pair is not None:
            found[pair] = None
    return tuple(found)


def _pair(words: list[str], inside: str, *, korean_first: bool) -> tuple[str, str] | None:
    """Return which of the last *words* is one with *inside*, as (Korean, Latin)."""
    if len(inside) > _MAX_NAME_CHARS:
        return None
    best: tuple[float, tuple[str, str]] | None = None
    for count in range(1, len(words) + 1):
        outside = " ".join(words[-count:])
        pair = (outside, inside) if korean_first else (inside, outside)
        likeness = 1.5 if _known_pair(*pair) else likeness_of_sound(*pair)
        if likeness >= _ALIKE and (best is None or likeness > best[0]):
            best = (likeness, pair)
    if best is not None:
        return best[1]
    if korean_first and _INITIALISM.fullmatch(inside) and len(words[-1]) >= _LONG_WORD:
        return words[-1], inside
    return None


def _known_pair(korean: str, latin: str) -> bool:
    known = known_by_name().get(fold_name(korean))
    return known is not None and known is known_by_name().get(fold_name(latin))
