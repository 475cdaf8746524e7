"""Finds given names in texts, as written and under their known or stated names in the other script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from search_core.language import word_set
from search_core.language.entities.cues import AFTER_NAME, AFTER_PERSON_OR_ORGANISATION
from search_core.language.entities.gazetteer import fold_name, known_by_name
from search_core.language.korean.morphemes import has_hangul
from search_core.language.korean.sounds import likeness_of_sound

_KOREAN = r"[가-힣][가-힣A-Za-z0-9·]{0,40}+(?: [가-힣A-Za-z0-9·]{1,40}+){0,3}+"
_LATIN = r"[A-Za-z][A-Za-z0-9&.'’+-]{0,40}+(?: [A-Za-z0-9&.'’+-]{1,40}+){0,5}+"
_KOREAN_FIRST = re.compile(rf"(?P<korean>{_KOREAN})\s?[(（\[](?P<latin>{_LATIN})(?:[,;:/][^()（）]*)?[)）\]]")
_LATIN_FIRST = re.compile(rf"(?P<latin>{_LATIN})\s?[(（\[](?P<korean>{_KOREAN})(?:[,;:/][^()（）]*)?[)）\]]")
_INITIALISM = re.compile(r"[A-Z][A-Z0-9&.-]{1,7}")
_MAX_NAME_CHARS = 60
_MAX_READ_CHARS = 6_000
"""Characters in which name pairs are looked for: a video's description has 5000 at most, and the patterns are slow."""
_LONG_WORD = 4  # syllables; shorter words before an initialism are mostly units and common nouns ("가격(USD)")
_ALIKE = 0.6


def translate_name(name: str) -> str | None:
    """Return the usual form of *name* in the other script, or None."""
    stripped = name.strip()
    for korean, latin in aliases_in(stripped):
        if stripped.startswith(korean):
            return latin
        if stripped.startswith(latin):
            return korean
    entry = known_by_name().get(fold_name(stripped))
    if entry is None:
        return None
    others = entry.english if has_hangul(stripped) else entry.korean
    return next((other for other in others if fold_name(other) != fold_name(stripped)), None)


def aliases_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the (Korean, Latin) name pairs that *text* states ("엔비디아(NVIDIA)"), in order, each once.

    The words before the bracket count if they sound like its content or are a widely known pair with it; an initialism also
    counts after one long word ("세계보건기구(WHO)").
    """
    text = text[:_MAX_READ_CHARS]
    pairs: dict[tuple[str, str], None] = {}
    for match in _KOREAN_FIRST.finditer(text):
        pair = _pair(match["korean"].split(" "), match["latin"].strip(), korean_first=True)
        if pair is not None:
            pairs[pair] = None
    for match in _LATIN_FIRST.finditer(text):
        pair = _pair(match["latin"].split(" "), match["korean"].strip(), korean_first=False)
        if pair is not None:
            pairs[pair] = None
    return tuple(pairs)


def _pair(words: list[str], inside: str, *, korean_first: bool) -> tuple[str, str] | None:
    """Return (Korean, Latin) if one or more of the last *words* are the name *inside* the brackets in the other script."""
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
    entry = known_by_name().get(fold_name(korean))
    return entry is not None and entry is known_by_name().get(fold_name(latin))


_SIGNS = "-‐‑–_.·・'’&,"
_PIECES = re.compile(r"[가-힣]+|[^\W_가-힣]+")
_SHORT_LATIN = 4
"""Single words up to this many letters are often everyday words in lower case ("arm", "meta")."""
_EVERYDAY = word_set(
    """
    apple oracle meta amazon alphabet target shell gap square block stripe visa uber intel micron discord slack zoom
    notion cursor
    """
)
_BREAKABLE = 4
"""Korean names of this many syllables may be broken by a space anywhere ("삼성 전자")."""

_AFTER_HANGUL = re.compile(AFTER_PERSON_OR_ORGANISATION, re.IGNORECASE)
_AFTER_MIXED = re.compile(rf"(?![A-Za-z0-9]){AFTER_PERSON_OR_ORGANISATION}", re.IGNORECASE)
_AFTER_LATIN = re.compile(rf"(?:['’]?s)?(?![A-Za-z0-9]){AFTER_NAME}", re.IGNORECASE)
_AFTER_SPELLING = re.compile(rf"(?:['’]s)?(?![A-Za-z0-9]){AFTER_NAME}")


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """One spelling of a name: *needle* is a quick test on folded text, ``is_in`` the exact one."""

    needle: str
    expression: str
    """Pattern of the name, compiled only when ``needle`` is first found: most of a video's hundreds of names never are."""
    flags: re.RegexFlag
    after: re.Pattern[str]
    """Pattern of what may follow the name; compiled once for all names, as that takes 10 ms."""

    def is_in(self, text: str) -> bool:
        """Return whether *text* contains the name as a word of its own."""
        start = 0
        name = _compile(self.expression, self.flags)
        while match := name.search(text, start):
            if self.after.match(text, match.end()):
                return True
            start = match.start() + 1
        return False


def fold_text(text: str) -> str:
    """Return *text* in lower case without spaces, hyphens and other signs in names."""
    folded = "".join(text.casefold().split())
    for sign in _SIGNS:
        folded = folded.replace(sign, "")  # far quicker than an expression over a long text
    return folded


def forms_of(name: str, pairs: Iterable[tuple[str, str]]) -> list[SurfaceForm]:
    """Return the spellings of *name*: itself, its *pairs*, and its well-known other names."""
    whole = unicodedata.normalize("NFC", name).strip()
    plain = re.sub(r"(?<!\s)\s*+[(\[（][^()\[\]（）]*+[)\]）]$", "", whole) or whole  # 엔비디아(NVIDIA)
    written = [plain]
    for pair in pairs:
        if any(fold_name(side) == fold_name(plain) for side in pair):
            written += [unicodedata.normalize("NFC", side).strip() for side in pair]
    for text in tuple(written):
        entry = known_by_name().get(fold_name(text))
        if entry is not None:
            others = (name for name in (*entry.korean, *entry.english) if name != text)
            written += [name for name in others if len(name) > 2 or has_hangul(name)]  # "MS" means too much else
    forms = {text: _form(text) for text in dict.fromkeys(written)}
    return [form for form in forms.values() if form is not None]


def _form(text: str) -> SurfaceForm | None:
    needle = fold_text(text)
    pieces = _PIECES.findall(text)
    if not needle or not pieces:
        return None
    expression, flags, after = _hangul_patterns(pieces) if has_hangul(text) else _latin_patterns(text, pieces)
    return SurfaceForm(needle, expression, flags, after)


@lru_cache(maxsize=1_000)
def _compile(expression: str, flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(expression, flags)


def _hangul_patterns(pieces: Sequence[str]) -> tuple[str, re.RegexFlag, re.Pattern[str]]:
    syllables = sum(len(piece) for piece in pieces)
    gap = r"[\s·\-]?" if syllables >= _BREAKABLE else ""
    body = r"[\s\-·.,&_]{0,2}".join(
        gap.join(map(re.escape, piece)) if has_hangul(piece) else re.escape(piece) for piece in pieces
    )
    after = _AFTER_HANGUL if has_hangul(pieces[-1]) else _AFTER_MIXED
    return rf"(?<![가-힣A-Za-z0-9]){body}", re.IGNORECASE, after


def _latin_patterns(text: str, pieces: Sequence[str]) -> tuple[str, re.RegexFlag, re.Pattern[str]]:
    body = r"[\s\-‐‑–_.·'’&,]{0,3}".join(map(re.escape, pieces))
    if len(pieces) == 1 and (len(text) <= _SHORT_LATIN or text.casefold() in _EVERYDAY) and text != text.lower():
        spellings = "|".join(
            re.escape(form) for form in dict.fromkeys((text, text.upper(), text.capitalize() if not text.isupper() else text))
        )
        return rf"(?<![A-Za-z0-9])(?:{spellings})", re.NOFLAG, _AFTER_SPELLING
    return rf"(?<![A-Za-z0-9]){body}", re.IGNORECASE, _AFTER_LATIN


class EntityMatcher:
    """Finds a video's names in texts: as written, or in the other script."""

    def __init__(self, names: Iterable[str], *, aliases: Iterable[tuple[str, str]] = ()) -> None:
        """Take the *names* to look for, and pairs of equal names (``("엔비디아", "NVIDIA")``).

        Names of one character ("김" of "김 회장") are left out, because they match anything.
        """
        self._names = tuple(dict.fromkeys(name for name in names if len(name.strip()) > 1))
        pairs = [*aliases, *(pair for name in self._names for pair in aliases_in(name))]
        self._forms = [(index, form) for index, name in enumerate(self._names) for form in forms_of(name, pairs)]

    def find_in(self, text: str) -> tuple[str, ...]:
        """Return those of the known names that occur in *text*, spelt and ordered as they were handed in."""
        if not self._names or not text:
            return ()
        text = unicodedata.normalize("NFC", text)
        folded = fold_text(text)
        hits = {index for index, form in self._forms if form.needle in folded and form.is_in(text)}
        return tuple(self._names[index] for index in sorted(hits))
