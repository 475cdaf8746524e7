"""Similarity of Korean and Latin names by sound, and finding names by sound in one pass."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, product

from rapidfuzz import fuzz

from search_core.text.entities.cues import TAIL_SET
from search_core.text.korean.romanize import consonants, hangul_sound, latin_sounds, romanize

LATIN_WORD = re.compile(r"[A-Za-z]+")
_SAME_LETTERS = 78.0
"""Of two Latin spellings of one Korean person's name ("jeongeun", "jongun")."""
_LEAST_ALIKE = {2: 90.0, 3: 80.0, 4: 76.0, 5: 70.0, 6: 62.0}
"""By the number of consonants, from six on the same."""
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
SURNAME_OF_SPELLING = {
    spelling.lower(): tuple(name for name, spellings in KOREAN_SURNAME_SPELLINGS.items() if spelling in spellings)
    for spellings in KOREAN_SURNAME_SPELLINGS.values()
    for spelling in spellings
}
_HANGUL_WORD = re.compile(r"[가-힣]+")
_MAX_WORDS = 4
_FEWEST_SYLLABLES = 2
_REMEMBERED_WORDS = 20_000
"""Words remembered as the beginning of no name; texts about one subject repeat their words."""
_GAP = re.compile(r"[ \-'’.·]{0,2}")


def latin_readings(name: str) -> tuple[str, ...]:
    """Return the possible coarse sounds of a Latin name, its words joined."""
    words = LATIN_WORD.findall(name)
    return tuple(dict.fromkeys("".join(reading) for reading in islice(product(*map(latin_sounds, words)), _READINGS)))


def sounds_in_latin(korean: str) -> tuple[tuple[str, str], ...]:
    """Return the Latin sounds of a *korean* name: as transcribed, and as a Korean person's in both orders.

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
    """Return the possible Hangul sounds of a *latin* name: as read, and surname first as for a Korean person.

    A Korean person's comes with the letters of the given name, a foreign one with none.
    """
    sounds = [(reading, "") for reading in latin_readings(latin)]
    words = LATIN_WORD.findall(latin)
    if len(words) in (2, 3):
        for index, family in ((0, words[0]), (-1, words[-1])):
            given = words[1:] if index == 0 else words[:-1]
            for surname in SURNAME_OF_SPELLING.get(family.lower(), ()):
                letters = "".join(given).lower()
                if "-" in latin:
                    sounds = [pair for pair in sounds if pair[1]]
                sounds += [(hangul_sound(surname) + reading, letters) for reading in latin_readings(" ".join(given))]
    return tuple(dict.fromkeys(pair for pair in sounds if pair[0]))


def alike(one: str, other: str, skeleton: str) -> bool:
    """Return whether two sounds with the consonants *skeleton* also agree in vowels; few consonants prove little."""
    return len(skeleton) > 1 and fuzz.ratio(one, other) >= _LEAST_ALIKE.get(len(skeleton), _LEAST_ALIKE[6])


@lru_cache(maxsize=4096)
def likeness_of_sound(korean: str, latin: str) -> float:
    """Return the similarity of the two names' sounds in [0, 1]; consonants count twice."""
    best = 0.0
    for ours, _ in sounds_in_latin(korean):
        for theirs in latin_readings(latin):
            vowels = fuzz.ratio(ours, theirs)
            skeletons = fuzz.ratio(consonants(ours), consonants(theirs))
            best = max(best, (vowels + 2 * skeletons) / 300)
    return best


class _Sounds:
    """Holds sounds by their consonants, with all prefixes, so that a search through a text can stop early."""

    def __init__(self) -> None:
        self._by_skeleton: dict[str, list[tuple[int, str, str]]] = {}
        self._beginnings: set[str] = {""}
        self._leading_nowhere: set[str] = set()

    def _index_sound(self, index: int, sound: str, letters: str) -> None:
        skeleton = consonants(sound)
        if len(skeleton) < 2:
            return
        self._by_skeleton.setdefault(skeleton, []).append((index, sound, letters))
        self._beginnings.update(skeleton[:end] for end in range(1, len(skeleton) + 1))

    def _remember_nowhere(self, word: str) -> None:
        if len(self._leading_nowhere) >= _REMEMBERED_WORDS:
            self._leading_nowhere.clear()
        self._leading_nowhere.add(word)

    def _agreeing(self, skeleton: str, sound: str, letters: str) -> set[int]:
        return {
            index
            for index, ours, spelt in self._by_skeleton[skeleton]
            if (fuzz.ratio(spelt, letters) >= _SAME_LETTERS if spelt else alike(ours, sound, skeleton))
        }


class LatinSounds(_Sounds):
    """Finds Hangul names among the capitalised Latin words of a text."""

    def add(self, index: int, korean: str) -> None:
        """Look for *korean* and report it as *index*; names with Latin letters or digits are found by spelling."""
        if _HANGUL_WORD.sub("", korean).strip(" ·-"):
            return
        for sound, letters in sounds_in_latin(korean):
            self._index_sound(index, sound, letters)

    def find(self, text: str) -> set[int]:
        """Return the indices of the names found in *text* by sound."""
        indices: set[int] = set()
        if not self._by_skeleton:
            return indices
        said = enumerate(LATIN_WORD.findall(text))
        starts = [place for place, word in said if word[0].isupper() and word not in self._leading_nowhere]
        words = list(LATIN_WORD.finditer(text)) if starts else []
        for start in starts:
            indices |= self._from(text, words, start)
        return indices

    def _from(self, text: str, words: list[re.Match[str]], start: int) -> set[int]:
        indices: set[int] = set()
        readings = [("", "")]
        for position in range(start, min(start + _MAX_WORDS, len(words))):
            word = words[position]
            if position > start and not _GAP.fullmatch(text, words[position - 1].end(), word.start()):
                break
            readings = [
                (skeleton, sound + piece)
                for (_, sound), piece in product(readings, latin_sounds(word.group()))
                if (skeleton := consonants(sound + piece)) in self._beginnings
            ]
            if not readings:
                if position == start:
                    self._remember_nowhere(word.group())
                break
            for skeleton, sound in readings:
                if skeleton in self._by_skeleton:
                    spelt = "".join(word.group() for word in words[start : position + 1]).lower()
                    indices |= self._agreeing(skeleton, sound, spelt)
        return indices


class HangulSounds(_Sounds):
    """Finds Latin names among the Hangul words of a text."""

    def add(self, index: int, latin: str) -> None:
        """Look for *latin* and report it as *index*."""
        if len(LATIN_WORD.findall(latin)) == 1 and latin.isupper() and len(latin) <= _MAX_WORDS:
            return  # initialisms are spelt out in Korean, not read
        for sound, letters in sounds_in_korean(latin):
            self._index_sound(index, sound, letters)

    def find(self, text: str) -> set[int]:
        """Return the indices of the names found in *text* by sound."""
        indices: set[int] = set()
        if not self._by_skeleton:
            return indices
        starts = [place for place, word in enumerate(_HANGUL_WORD.findall(text)) if word not in self._leading_nowhere]
        words = list(_HANGUL_WORD.finditer(text)) if starts else []
        for start in starts:
            indices |= self._from(text, words, start)
        return indices

    def _from(self, text: str, words: list[re.Match[str]], start: int) -> set[int]:
        indices: set[int] = set()
        sound_so_far = ""
        for position in range(start, min(start + _MAX_WORDS - 1, len(words))):
            word = words[position].group()
            if position > start and not _GAP.fullmatch(text, words[position - 1].end(), words[position].start()):
                break
            for length in range(1, len(word) + 1):
                so_far = sound_so_far + word[:length]
                skeleton = _first_consonants(so_far)
                if skeleton not in self._beginnings:
                    if position == start and not indices:
                        self._remember_nowhere(word)
                    return indices
                if len(so_far) >= _FEWEST_SYLLABLES and skeleton in self._by_skeleton and word[length:] in TAIL_SET:
                    indices |= self._agreeing(skeleton, hangul_sound(so_far), romanize(so_far[1:]))
            sound_so_far += word
        return indices


@lru_cache(maxsize=32768)
def _first_consonants(word: str) -> str:
    return consonants(hangul_sound(word))
