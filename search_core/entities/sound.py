"""Whether a Korean and a Latin name sound alike."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, product

from rapidfuzz import fuzz

from search_core.korean.phonetics import consonants, hangul_sound, latin_sounds
from search_core.korean.romanize import romanize

LATIN_WORD = re.compile(r"[A-Za-z]+")
_SAME_LETTERS = 78.0
_READINGS = 8
"""Most readings of one name; more arise only from long titles."""
_SURNAMES = """
김=Kim,Gim 이=Lee,Yi,Rhee,Li 박=Park,Pak,Bak 최=Choi,Choe,Chey 정=Jung,Jeong,Chung 강=Kang,Gang 조=Cho,Jo 윤=Yoon,Yun
장=Jang,Chang 임=Lim,Im 한=Han 오=Oh 서=Seo,Suh 신=Shin,Sin 권=Kwon 황=Hwang 안=Ahn,An 송=Song 류=Ryu,Yoo 유=Yoo,Yu,You,Ryu
전=Jeon,Chun,Jun 홍=Hong 고=Ko,Koh,Go 문=Moon,Mun 양=Yang 손=Son,Sohn 배=Bae 백=Baek,Paik 허=Heo,Hur,Huh 남=Nam 심=Shim,Sim
노=Noh,Roh,No 하=Ha 곽=Kwak 성=Sung,Seong 차=Cha 주=Joo,Ju 우=Woo 구=Koo,Ku 민=Min 나=Na 진=Jin 지=Ji 엄=Um,Eom 채=Chae
원=Won 방=Bang 공=Gong,Kong 현=Hyun 봉=Bong 염=Yeom 여=Yeo 추=Choo 반=Ban 선우=Sunwoo 남궁=Namgung,Namkoong
"""
KOREAN_SURNAME_SPELLINGS = {
    surname: tuple(spellings.split(",")) for surname, spellings in (entry.split("=") for entry in _SURNAMES.split())
}
"""How Koreans spell their surnames in Latin letters, the usual spellings."""
_SURNAME_OF_SPELLING = {
    spelling.lower(): tuple(name for name, spellings in KOREAN_SURNAME_SPELLINGS.items() if spelling in spellings)
    for spellings in KOREAN_SURNAME_SPELLINGS.values()
    for spelling in spellings
}


def latin_readings(name: str) -> tuple[str, ...]:
    """Return the coarse sounds a name in Latin letters may have, its words run together."""
    words = LATIN_WORD.findall(name)
    return tuple(dict.fromkeys("".join(reading) for reading in islice(product(*map(latin_sounds, words)), _READINGS)))


def sounds_in_latin(korean: str) -> tuple[tuple[str, str], ...]:
    """Return the sounds a *korean* name has in Latin letters: as rendered, and as a Korean person's, in both orders.

    A Korean person's comes with its letters, for many Korean names share one coarse sound; a rendering comes with none.
    """
    sounds = [(hangul_sound(korean), "")]
    words = korean.split()
    if len(words) > 1:
        sounds.append((hangul_sound("".join([*words[1:], words[0]])), ""))
    elif len(korean) in (3, 4):
        surname = korean[:2] if len(korean) == 4 else korean[0]
        given, letters = hangul_sound(korean[len(surname) :]), romanize(korean[len(surname) :])
        spellings = KOREAN_SURNAME_SPELLINGS.get(surname, ())
        if spellings:
            sounds.clear()
        for spelling in spellings:
            for family in latin_sounds(spelling):
                sounds += [(family + given, spelling.lower() + letters), (given + family, letters + spelling.lower())]
    return tuple(dict.fromkeys(pair for pair in sounds if pair[0]))


def sounds_in_korean(latin: str) -> tuple[tuple[str, str], ...]:
    """Return the sounds under which a *latin* name appears in Hangul: as read, and as a Korean person's, surname first.

    A Korean person's comes with the letters of the given name, a foreign one with none.
    """
    sounds = [(reading, "") for reading in latin_readings(latin)]
    words = LATIN_WORD.findall(latin)
    if len(words) in (2, 3):
        for index, family in ((0, words[0]), (-1, words[-1])):
            given = words[1:] if index == 0 else words[:-1]
            for surname in _SURNAME_OF_SPELLING.get(family.lower(), ()):
                letters = "".join(given).lower()
                if "-" in latin:
                    sounds = [pair for pair in sounds if pair[1]]
                sounds += [(hangul_sound(surname) + reading, letters) for reading in latin_readings(" ".join(given))]
    return tuple(dict.fromkeys(pair for pair in sounds if pair[0]))


def alike(one: str, other: str, skeleton: str) -> bool:
    """Return whether two sounds with the same consonants, *skeleton*, also agree in their vowels; few consonants prove little."""
    least = (
        62.0
        if len(skeleton) >= 6
        else 70.0
        if len(skeleton) == 5
        else 76.0
        if len(skeleton) == 4
        else 80.0
        if len(skeleton) == 3
        else 90.0
    )
    return len(skeleton) > 1 and fuzz.ratio(one, other) >= least


def same_letters(one: str, other: str) -> bool:
    """Return whether two Latin spellings of a Korean person's name are variants of each other ("jeongeun", "jongun")."""
    return fuzz.ratio(one, other) >= _SAME_LETTERS


@lru_cache(maxsize=4096)
def likeness_of_sound(korean: str, latin: str) -> float:
    """Return in [0, 1] how much the two names sound alike, consonants counting twice."""
    best = 0.0
    for ours, _ in sounds_in_latin(korean):
        for theirs in latin_readings(latin):
            vowels = fuzz.ratio(ours, theirs)
            skeletons = fuzz.ratio(consonants(ours), consonants(theirs))
            best = max(best, (vowels + 2 * skeletons) / 300)
    return best
