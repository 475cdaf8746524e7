"""Korean particles in the form that fits the word before them (한글 맞춤법, 표준어 규정), digits as they are read aloud."""

from __future__ import annotations

import re
import unicodedata

from search_core.language.korean.sounds import split_syllable

_FORMS = {
    form: pair.split("/")
    for pair in ("은/는", "이/가", "을/를", "과/와", "으로/로", "아/야", "이나/나", "이라/라", "이란/란", "이랑/랑")
    for form in pair.split("/")
}
"""Both forms of each particle, by either of them: after a consonant, and after a vowel."""
_SIGNS = "?!.,…"
_GLUED = re.compile(r"\S+")
_FURTHER = ("은", "는", "도", "만")
"""Particles that may follow another particle ("이랑은", "로는")."""
_SOUNDING = re.compile(r"[^\W_]")
_TAIL_NOTE = re.compile(r"(?<!\s)\s*+[(\[（［][^()\[\]（）［］]*+[)\]）］]\s*+$")
_LATIN_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]++$")
_DIGIT_CODAS = {"0": "ㅇ", "1": "ㄹ", "2": "", "3": "ㅁ", "4": "", "5": "", "6": "ㄱ", "7": "ㄹ", "8": "ㄹ", "9": ""}
_ROUND_CODAS = ("ㅇ", "ㅂ", "ㄱ", "ㄴ", "ㄴ", "ㄴ", "ㄴ", "ㄴ", "ㄱ")
"""Last sounds of 영 십 백 천 만 십만 백만 천만 억, by the number of final zeros."""
_LETTER_CODAS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}
_SPELT_OUT = re.compile(r"[A-Z]{1,5}$|[^AEIOUYaeiouy]+$|.*[a-z][A-Z]{2,}$")
_WORD_CODAS = (
    (re.compile(r"ng$"), "ㅇ"),
    (re.compile(r"(?:[^aeiou]|[aeiou])les?$"), "ㄹ"),
    (re.compile(r"(?:[aeiou][iou]|[aeiouy])(?:n|ne|wn)$"), "ㄴ"),
    (re.compile(r"(?:m|me|mb)$"), "ㅁ"),
    (re.compile(r"n$"), "ㄴ"),
    (re.compile(r"l$"), "ㄹ"),
    (re.compile(r"(?:(?<![aeiou])[aeiou]|oo)(?:ck|c|k)$"), "ㄱ"),
    (re.compile(r"(?<![aeiou])[aeiou]p$|(?:web|lab)$"), "ㅂ"),
    (re.compile(r"(?<![aeiou])[aeiou]t$"), "ㅅ"),
)


def with_particle(word: str, written: str) -> str:
    """Return *word* followed by *written*, a particle in either form, in the form that fits the last sound of *word*.

    Digits and Latin letters count as read aloud ("3은", "AI는", "GPU가", "Google은"); a closing note in brackets is passed over,
    and a word without any sound takes the form after a vowel.
    """
    bare = written.rstrip(_SIGNS)
    ends = [len(bare), *([len(bare) - 1] if bare.endswith(_FURTHER) else [])]
    for end in ends:
        if forms := _FORMS.get(bare[:end]):
            coda = last_coda(word)
            closed = bool(coda) and not (coda == "ㄹ" and "로" in forms)
            return word + forms[0 if closed else 1] + written[end:]
    return word + written


def join_particle(word: str, rest: str) -> tuple[str, str]:
    """Return *word* with the particle at the start of *rest*, adapted by ``with_particle``, and the rest of *rest*."""
    glued = _GLUED.match(rest)
    return (with_particle(word, glued[0]), rest[glued.end() :]) if glued else (word, rest)


def last_coda(word: str) -> str:
    """Return the final consonant of *word* as read aloud; empty for a final vowel."""
    text = unicodedata.normalize("NFC", word).rstrip()
    without_note = _TAIL_NOTE.sub("", text)
    text = without_note if _SOUNDING.search(without_note) else text
    while text and not _SOUNDING.match(text[-1]):
        if text[-1] == "%":  # 퍼센트, 프로: both open
            return ""
        text = text[:-1]
    if not text:
        return ""
    last = text[-1]
    if "가" <= last <= "힣":
        return split_syllable(last)[2]
    if last in _DIGIT_CODAS:
        return _digit_coda(text)
    latin = _LATIN_WORD.search(text)
    return _latin_coda(latin.group()) if latin else ""


def _digit_coda(text: str) -> str:
    digits = re.search(r"(?<![\d,])(?:\d[\d,]*+\.)?[\d,]*+$", text)
    run = digits.group() if digits else text[-1]
    if "." in run:
        return _DIGIT_CODAS[run[-1]]
    run = run.replace(",", "")
    zeros = len(run) - len(run.rstrip("0"))
    if zeros == 0 or zeros == len(run):
        return _DIGIT_CODAS[run[-1]]
    return _ROUND_CODAS[min(zeros, len(_ROUND_CODAS) - 1)]


def _latin_coda(word: str) -> str:
    if _SPELT_OUT.fullmatch(word):
        return _LETTER_CODAS.get(word[-1].lower(), "")
    lower = word.lower()
    for pattern, coda in _WORD_CODAS:
        if pattern.search(lower):
            return coda
    return ""
