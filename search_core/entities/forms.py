"""The written forms of a name and the pattern that finds each in running text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from search_core.entities.gazetteer import fold_name, known_by_name
from search_core.entities.tails import AFTER_NAME, AFTER_PERSON_OR_ORGANISATION
from search_core.korean.wordlist import words

_HANGUL = re.compile(r"[가-힣]")
_SIGNS = re.compile(r"[\s\-‐‑–_.·・'’&,]+")
_PIECES = re.compile(r"[가-힣]+|[^\W_가-힣]+")
_SHORT_LATIN = 4
"""Single words up to this many letters are often everyday words in lower case ("arm", "meta")."""
_EVERYDAY = words(
    """
    apple oracle meta amazon alphabet target shell gap square block stripe visa uber intel micron discord slack zoom
    notion cursor
    """
)
_BREAKABLE = 4
"""Korean names of this many syllables may be broken by a space anywhere ("삼성 전자")."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a name: *needle* is a cheap test on folded text, *pattern* the exact one."""

    text: str
    needle: str
    pattern: re.Pattern[str]
    is_hangul: bool


def fold_text(text: str) -> str:
    """Return *text* in lower case without spaces, hyphens and the signs names are written with."""
    return _SIGNS.sub("", text.casefold())


def forms_of(name: str, pairs: Iterable[tuple[str, str]]) -> list[Form]:
    """Return the forms of *name*: itself, what *pairs* say is the same, and its widely known other names."""
    plain = _without_note(unicodedata.normalize("NFC", name).strip())
    written = [plain]
    for pair in pairs:
        if any(fold_name(side) == fold_name(plain) for side in pair):
            written += [unicodedata.normalize("NFC", side).strip() for side in pair]
    for text in tuple(written):
        known = known_by_name().get(fold_name(text))
        if known is not None:
            written += _other_names(text, (*known.korean, *known.english))
    forms = {text: _form(text) for text in dict.fromkeys(written)}
    return [form for form in forms.values() if form is not None]


def _other_names(text: str, names: Sequence[str]) -> list[str]:
    """Return the other *names* of a known thing; abbreviations of two letters stand for too much else."""
    return [name for name in names if name != text and (len(name) > 2 or _HANGUL.search(name))]


def _without_note(name: str) -> str:
    """Return *name* without a closing bracket: "엔비디아(NVIDIA)" is looked for as 엔비디아."""
    head = re.sub(r"\s*[(\[（][^()\[\]（）]*[)\]）]$", "", name)
    return head or name


def _form(text: str) -> Form | None:
    needle = fold_text(text)
    pieces = _PIECES.findall(text)
    if not needle or not pieces:
        return None
    is_hangul = _HANGUL.search(text) is not None
    pattern = _hangul_pattern(pieces) if is_hangul else _latin_pattern(text, pieces)
    return Form(text, needle, pattern, is_hangul)


def _hangul_pattern(pieces: Sequence[str]) -> re.Pattern[str]:
    syllables = sum(len(piece) for piece in pieces)
    gap = r"[\s·\-]?" if syllables >= _BREAKABLE else ""
    body = r"[\s\-·.,&_]{0,2}".join(
        gap.join(map(re.escape, piece)) if _HANGUL.search(piece) else re.escape(piece) for piece in pieces
    )
    after = AFTER_PERSON_OR_ORGANISATION if _HANGUL.search(pieces[-1]) else rf"(?![A-Za-z0-9]){AFTER_PERSON_OR_ORGANISATION}"
    return re.compile(rf"(?<![가-힣A-Za-z0-9]){body}{after}", re.IGNORECASE)


def _latin_pattern(text: str, pieces: Sequence[str]) -> re.Pattern[str]:
    body = r"[\s\-‐‑–_.·'’&,]{0,3}".join(map(re.escape, pieces))
    after = r"(?:['’]?s)?(?![A-Za-z0-9])" + AFTER_NAME
    if len(pieces) == 1 and (len(text) <= _SHORT_LATIN or text.casefold() in _EVERYDAY) and text != text.lower():
        spellings = "|".join(
            re.escape(form) for form in dict.fromkeys((text, text.upper(), text.capitalize() if not text.isupper() else text))
        )
        return re.compile(rf"(?<![A-Za-z0-9])(?:{spellings}){after.replace('?s)?', 's)?')}")
    return re.compile(rf"(?<![A-Za-z0-9]){body}{after}", re.IGNORECASE)
