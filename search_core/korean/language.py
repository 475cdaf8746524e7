"""Which language a text is in, by its script."""

from __future__ import annotations

import re

_HANGUL = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")
_LATIN = re.compile(r"[A-Za-z]")
_SCRIPTS = (
    ("ko", _HANGUL),
    ("ja", re.compile(r"[ぁ-ゖァ-ヺ]")),
    ("zh", re.compile(r"[一-鿿]")),
    ("ru", re.compile(r"[А-яЁё]")),
    ("ar", re.compile(r"[؀-ۿ]")),
    ("en", _LATIN),
)
_KOREAN_SHARE = 0.1


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of *text* by script, or an empty string for a text without letters.

    Korean counts from a tenth of the letters, for Korean texts are full of Latin names and a syllable is worth several of
    those; kana makes a text Japanese even among Chinese characters; any other Latin text is called English.
    """
    if text.isascii():
        return "en" if _LATIN.search(text) else ""
    hangul = len(_HANGUL.findall(text))
    if hangul and hangul >= _KOREAN_SHARE * len(text):  # there cannot be more letters than characters
        return "ko"
    counts = {code: len(pattern.findall(text)) for code, pattern in _SCRIPTS}
    letters = sum(counts.values())
    if letters == 0:
        return ""
    if counts["ko"] >= _KOREAN_SHARE * letters:
        return "ko"
    if counts["ja"] and counts["ja"] + counts["zh"] > counts["en"]:
        return "ja"
    return max(counts, key=lambda code: counts[code])
