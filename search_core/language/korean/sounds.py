"""Syllables of Hangul, and coarse sounds for comparing words and names of both scripts."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, product

from rapidfuzz import fuzz

ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
CODAS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_FIRST, _LAST = 0xAC00, 0xD7A3

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
_SURNAMES = """
김=Kim,Gim 이=Lee,Yi,Rhee,Li 박=Park,Pak,Bak 최=Choi,Choe,Chey 정=Jung,Jeong,Chung 강=Kang,Gang 조=Cho,Jo 윤=Yoon,Yun
장=Jang,Chang 임=Lim,Im 한=Han 오=Oh 서=Seo,Suh 신=Shin,Sin 권=Kwon 황=Hwang 안=Ahn,An 송=Song 류=Ryu,Yoo 유=Yoo,Yu,You,Ryu
전=Jeon,Chun,Jun 홍=Hong 고=Ko,Koh,Go 문=Moon,Mun 양=Yang 손=Son,Sohn 배=Bae 백=Baek,Paik 허=Heo,Hur,Huh 남=Nam 심=Shim,Sim
노=Noh,Roh,No 하=Ha 곽=Kwak 성=Sung,Seong 차=Cha 주=Joo,Ju 우=Woo 구=Koo,Ku 민=Min 나=Na 진=Jin 지=Ji 엄=Um,Eom 채=Chae
원=Won 방=Bang 공=Gong,Kong 현=Hyun 봉=Bong 염=Yeom 여=Yeo 추=Choo 반=Ban 선우=Sunwoo 남궁=Namgung,Namkoong
"""
_SURNAME_SPELLINGS = {
    surname: tuple(spellings.split(",")) for surname, spellings in (entry.split("=") for entry in _SURNAMES.split())
}
"""How Koreans spell their surnames in Latin letters, the usual spellings."""
SURNAMES_IN_LATIN = frozenset(spelling.lower() for spellings in _SURNAME_SPELLINGS.values() for spelling in spellings)


def _latin_sounds_of(name: str) -> tuple[str, ...]:
    """Return the possible coarse sounds of a Latin name, its words joined."""
    words = _LATIN_WORD.findall(name)
    return tuple(dict.fromkeys("".join(reading) for reading in islice(product(*map(latin_sounds, words)), _READINGS)))


def _korean_sounds_of(name: str) -> tuple[str, ...]:
    """Return the sounds of a Korean name: as transcribed, and as a Korean person's in both orders."""
    words = name.split()
    if len(words) > 1:
        return hangul_sound(name), hangul_sound("".join([*words[1:], words[0]]))
    surname = name[: len(name) - 2]
    spellings = _SURNAME_SPELLINGS.get(surname, ()) if len(name) in (3, 4) else ()
    given, families = hangul_sound(name[len(surname) :]), [sound for spelling in spellings for sound in latin_sounds(spelling)]
    return tuple(sound for family in families for sound in (family + given, given + family)) or (hangul_sound(name),)


@lru_cache(maxsize=4096)
def likeness_of_sound(korean: str, latin: str) -> float:
    """Return the similarity of the two names' sounds in [0, 1]; consonants count twice."""
    best = 0.0
    for ours, theirs in product(_korean_sounds_of(korean), _latin_sounds_of(latin)):
        skeletons = fuzz.ratio(consonants(ours), consonants(theirs))
        best = max(best, (fuzz.ratio(ours, theirs) + 2 * skeletons) / 300)
    return best
