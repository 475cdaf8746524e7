"""Syllables of Hangul, and coarse sounds for comparing words and names of both scripts."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, product

from rapidfuzz import fuzz

ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CODAS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_FIRST = 0xAC00

_ONSET_SOUNDS = dict(zip("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", "kknttlmppss-sssktph", strict=True)) | {"ㅇ": ""}
_CODA_SOUNDS = {
    **dict.fromkeys(("", "ㅎ"), ""),
    **dict.fromkeys("ㄱㄲㅋㄳㄺ", "k"),
    **dict.fromkeys("ㄷㅅㅆㅈㅊㅌ", "t"),
    **dict.fromkeys("ㅂㅍㅄㄿ", "p"),
    **dict.fromkeys("ㄹㄼㄽㄾㅀ", "l"),
    **dict.fromkeys("ㄴㄵㄶㅇ", "n"),
    **dict.fromkeys("ㅁㄻ", "m"),
}
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
    """Return onset, vowel and coda of one Hangul *syllable*; the coda may be empty."""
    onset, rest = divmod(ord(syllable) - _FIRST, 588)
    vowel, coda = divmod(rest, 28)
    return ONSETS[onset], VOWELS[vowel], CODAS[coda]


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


_LATIN_WORD = re.compile(r"[A-Za-z]+")
_READINGS = 8
"""Most readings of one name; more arise only from long titles."""


@lru_cache(maxsize=4096)
def likeness_of_sound(korean: str, latin: str) -> float:
    """Return the similarity of the two names' sounds in [0, 1]; consonants count twice."""
    best, ours = 0.0, hangul_sound(korean)
    readings = product(*map(latin_sounds, _LATIN_WORD.findall(latin)))
    for theirs in map("".join, islice(readings, _READINGS)):
        skeletons = fuzz.ratio(consonants(ours), consonants(theirs))
        best = max(best, (fuzz.ratio(ours, theirs) + 2 * skeletons) / 300)
    return best
