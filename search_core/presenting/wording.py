"""Words put into texts: names of languages, names in the place of pointing words, marks of what sources do not bear out."""

from __future__ import annotations

from collections.abc import Iterable

from search_core.domain import Referent
from search_core.korean.particles import join_particle

LANGUAGES = {
    "en": "영문",
    "ja": "일본어",
    "zh": "중국어",
    "ru": "러시아어",
    "ar": "아랍어",
    "fr": "프랑스어",
    "de": "독일어",
    "es": "스페인어",
    "pt": "포르투갈어",
    "it": "이탈리아어",
    "vi": "베트남어",
}
UNSUPPORTED = " (출처에서 확인하지 못한 문장)"


def language_name(code: str) -> str:
    """Return the Korean name of a language given by its ISO 639-1 code."""
    return LANGUAGES.get(code, "외국어")


def mark_unsupported(text: str, unsupported: Iterable[tuple[int, int]]) -> str:
    """Return *text* with a word behind each sentence that its sources do not bear out, given by where it begins and ends."""
    for _, end in sorted(unsupported, reverse=True):
        text = f"{text[:end]}{UNSUPPORTED}{text[end:]}"
    return text


def unsupported_lines(text: str, unsupported: Iterable[tuple[int, int]]) -> str:
    """Return a line for each sentence of *text* that its sources do not bear out, for a text that is written already."""
    return "".join(f"· 출처에서 확인하지 못한 문장: {text[start:end].strip()}\n" for start, end in unsupported)


def name_referent(question: str, referent: Referent, name: str) -> str:
    """Return *question* with *name* where its pointing word stands, the particle behind it as the name asks for."""
    return question[: referent.start] + "".join(join_particle(name, question[referent.end :]))


def one_line(text: str) -> str:
    """Return *text* with line breaks made single spaces; everything else stays as it is."""
    lines = text.splitlines()
    return text if len(lines) < 2 and text == "".join(lines) else " ".join(line.strip() for line in lines if line.strip())
