"""Korean names in Latin letters, and coarse sounds for comparing words of both scripts.

Letters are those of the Revised Romanization (National Institute of Korean Language, 국어의 로마자 표기법, 2000). It writes the
syllables of a given name each by itself ("복남" → "boknam").
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CODAS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_FIRST, _LAST = 0xAC00, 0xD7A3

_ONSET_LETTERS = dict(
    zip(ONSETS, ["g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h"], strict=True)
)
_VOWEL_SPELLINGS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i"
_VOWEL_LETTERS = dict(zip(VOWELS, _VOWEL_SPELLINGS.split(), strict=True))
_CODA_LETTERS = {"": "", "ㄱ": "k", "ㄴ": "n", "ㄷ": "t", "ㄹ": "l", "ㅁ": "m", "ㅂ": "p", "ㅇ": "ng"}
_CLOSED = {
    **dict.fromkeys("ㄱㄲㅋㄳㄺ", "ㄱ"),
    **dict.fromkeys("ㄷㅅㅆㅈㅊㅌㅎ", "ㄷ"),
    **dict.fromkeys("ㅂㅍㅄㄿ", "ㅂ"),
    **dict.fromkeys("ㄹㄼㄽㄾㅀ", "ㄹ"),
    **dict.fromkeys("ㄴㄵㄶ", "ㄴ"),
    **dict.fromkeys("ㅁㄻ", "ㅁ"),
    "ㅇ": "ㅇ",
    "": "",
}
_ONSET_SOUNDS = dict(zip("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", "kknttlmppss-sssktph", strict=True)) | {"ㅇ": ""}
_CLOSED_SOUNDS = dict(zip("ㄱㄴㄷㄹㅁㅂㅇ", "kntlmpn", strict=True)) | {"": ""}
_CODA_SOUNDS = {coda: _CLOSED_SOUNDS[closed] for coda, closed in _CLOSED.items()} | {"ㅎ": ""}
_SPOKEN_VOWELS = "a e ya ye a e ya ye o wa we we yo u wa we wi yu i i"
_VOWEL_SOUNDS = {**dict(zip("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅢㅣ", _SPOKEN_VOWELS.split(), strict=True)), "ㅡ": ""}
_ENGLISH = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"^(?:kn|gn|pn)", "n"), (r"^wr", "l"), (r"^ps", "s"), (r"^x", "s"), (r"^wh", "w"),
        (r"tion|sion", "san"), (r"ch(?=[lrs]|ae)", "k"), (r"tch|sch|sh|ch|dg(?=e)", "s"),
        (r"ph", "p"), (r"gh(?=t|$)", ""), (r"gh", "k"),
        (r"ck|cc(?![eiy])|q(?:u)?", "k"), (r"sc(?=[eiy])|c(?=[eiy])", "s"), (r"c", "k"), (r"x", "ks"), (r"ts|tz|dz", "s"),
        (r"mb$", "m"), (r"r(?=[^aeiouy]|$)|re$", ""), (r"[bfv]", "p"), (r"d", "t"), (r"g", "k"), (r"[jz]", "s"), (r"r", "l"),
        (r"nk|ng(?=k)", "nk"), (r"nk(?=$)", "n"),
        (r"(?<=.)h", ""), (r"(?<=[a-z]{2})e(?=s?$)", ""), (r"ee|ea|ie", "i"), (r"oo|ou", "u"),
        (r"ai|ay|ei", "e"), (r"y(?![aeiou])", "i"),
    )
)  # fmt: skip
_SOFT_G = re.compile(r"g(?=[eiy])")
_TH = re.compile(r"th")
_DOUBLED = re.compile(r"(.)\1+")
_NG_END = re.compile(r"ng(?![aeiouykgr])")
_NOT_LETTERS = re.compile(r"[^a-z]+")
_VOWELS = re.compile(r"[aeiouwy]+")


def split_syllable(syllable: str) -> tuple[str, str, str]:
    """Return onset, vowel and coda of one Hangul *syllable*; the coda may be empty. Raises ValueError for anything else."""
    code = ord(syllable)
    if not _FIRST <= code <= _LAST:
        raise ValueError(f"not a Hangul syllable: {syllable!a}")
    onset, rest = divmod(code - _FIRST, 588)
    vowel, coda = divmod(rest, 28)
    return ONSETS[onset], VOWELS[vowel], CODAS[coda]


@lru_cache(maxsize=4096)
def romanize(name: str) -> str:
    """Return a Korean given *name* in lower-case Latin letters; other characters are dropped."""
    syllables = (split_syllable(char) for char in unicodedata.normalize("NFC", name) if "가" <= char <= "힣")
    return "".join(
        _ONSET_LETTERS[onset] + _VOWEL_LETTERS[vowel] + _CODA_LETTERS[_CLOSED[coda]] for onset, vowel, coda in syllables
    )


@lru_cache(maxsize=16384)
def hangul_sound(word: str) -> str:
    """Return the sound of *word*, so coarse that a Korean transcription equals its English spelling.

    Korean tells b from v, f from p, l from r and s from sh no more than these keys do; the filler vowel ㅡ of renderings ("애플",
    "마이크로소프트") is dropped, and so is the r that English only writes. Characters beyond Hangul count for nothing.
    """
    sounds: list[str] = []
    for character in word:
        if "가" <= character <= "힣":
            onset, vowel, coda = split_syllable(character)
            sounds += [_ONSET_SOUNDS[onset], _VOWEL_SOUNDS[vowel], _CODA_SOUNDS[coda]]
    return _DOUBLED.sub(r"\1", "".join(sounds))


@lru_cache(maxsize=16384)
def latin_sounds(word: str) -> tuple[str, ...]:
    """Return the possible coarse sounds of an English *word*: g and th have several."""
    lower = _NOT_LETTERS.sub("", word.lower())
    readings = [lower]
    if _SOFT_G.search(lower):
        readings.append(_SOFT_G.sub("j", lower))
    if _TH.search(lower):
        readings = [_TH.sub(sound, reading) for reading in readings for sound in ("t", "s")]
    return tuple(dict.fromkeys(_english(reading) for reading in readings))


def consonants(sound: str) -> str:
    """Return *sound* without its vowels."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", sound))


def _english(word: str) -> str:
    word = _NG_END.sub("n", word)
    for pattern, sound in _ENGLISH:
        word = pattern.sub(sound, word)
    return _DOUBLED.sub(r"\1", word)
