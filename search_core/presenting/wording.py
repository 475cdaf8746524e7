"""Korean particles and names of languages."""

from __future__ import annotations

import re

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
_CLOSED_LETTER = re.compile(r"[LMNR]$")
"""Capital letters read with a final consonant: 엘, 엠, 엔, 알."""
_CLOSED_WORD = re.compile(r"(?:[lmnbpkt]|ng|c|le)$")
_CLOSED_DIGITS = frozenset("013678")
"""영, 일, 삼, 육, 칠, 팔."""


def language_name(code: str) -> str:
    """Return the Korean name of a language given by its ISO 639-1 code."""
    return LANGUAGES.get(code, "외국어")


def with_topic(word: str) -> str:
    """Return *word* with the topic particle that fits its sound: "구글은", "위키백과는"."""
    return f"{word}{'은' if _ends_closed(word) else '는'}"


def _ends_closed(word: str) -> bool:
    last = word[-1:]
    if "가" <= last <= "힣":
        return (ord(last) - 0xAC00) % 28 != 0
    if last.isdigit():
        return last in _CLOSED_DIGITS
    return bool(_CLOSED_LETTER.search(word) if last.isupper() else _CLOSED_WORD.search(word))


def one_line(text: str) -> str:
    """Return *text* with line breaks made single spaces; everything else stays as it is."""
    lines = text.splitlines()
    return text if len(lines) < 2 and text == "".join(lines) else " ".join(line.strip() for line in lines if line.strip())
