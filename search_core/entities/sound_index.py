"""Names by sound, for finding them in words of the other script in one pass."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from search_core.entities.sound import alike, same_letters, sounds_in_korean, sounds_in_latin
from search_core.entities.tails import TAIL_SET
from search_core.korean.phonetics import consonants, hangul_sound, latin_sounds
from search_core.korean.romanize import romanize

_LATIN_WORD = re.compile(r"[A-Za-z]+")
_HANGUL_WORD = re.compile(r"[가-힣]+")
_MAX_WORDS = 4
_FEWEST_SYLLABLES = 2
_REMEMBERED_WORDS = 20_000
"""Words remembered as the beginning of no name; texts about one subject repeat their words."""
_GAP = re.compile(r"[ \-'’.·]{0,2}")


class _Sounds:
    """Holds sounds by their consonants, with all beginnings of them, so that a walk through a text stops early."""

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
            if (same_letters(spelt, letters) if spelt else alike(ours, sound, skeleton))
        }


class LatinSounds(_Sounds):
    """Finds names given in Hangul among the capitalised Latin words of a text."""

    def add(self, index: int, korean: str) -> None:
        """Look for *korean*, reporting *index*; a name with Latin letters or digits in it is left to its written forms."""
        if _HANGUL_WORD.sub("", korean).strip(" ·-"):
            return
        for sound, letters in sounds_in_latin(korean):
            self._index_sound(index, sound, letters)

    def find(self, text: str) -> set[int]:
        """Return the indices of the names *text* holds by sound."""
        found: set[int] = set()
        if not self._by_skeleton:
            return found
        words = list(_LATIN_WORD.finditer(text))
        for start, first in enumerate(words):
            word = first.group()
            if word[0].isupper() and word not in self._leading_nowhere:
                found |= self._from(text, words, start)
        return found

    def _from(self, text: str, words: list[re.Match[str]], start: int) -> set[int]:
        found: set[int] = set()
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
                    found |= self._agreeing(skeleton, sound, spelt)
        return found


class HangulSounds(_Sounds):
    """Finds names given in Latin letters among the Hangul words of a text."""

    def add(self, index: int, latin: str) -> None:
        """Look for *latin*, reporting *index*."""
        if len(_LATIN_WORD.findall(latin)) == 1 and latin.isupper() and len(latin) <= _MAX_WORDS:
            return  # initialisms are spelt out in Korean, not read
        for sound, letters in sounds_in_korean(latin):
            self._index_sound(index, sound, letters)

    def find(self, text: str) -> set[int]:
        """Return the indices of the names *text* holds by sound."""
        found: set[int] = set()
        if not self._by_skeleton:
            return found
        words = list(_HANGUL_WORD.finditer(text))
        for start in range(len(words)):
            if words[start].group() not in self._leading_nowhere:
                found |= self._from(text, words, start)
        return found

    def _from(self, text: str, words: list[re.Match[str]], start: int) -> set[int]:
        found: set[int] = set()
        sound_so_far = ""
        for position in range(start, min(start + _MAX_WORDS - 1, len(words))):
            word = words[position].group()
            if position > start and not _GAP.fullmatch(text, words[position - 1].end(), words[position].start()):
                break
            for length in range(1, len(word) + 1):
                so_far = sound_so_far + word[:length]
                skeleton = _first_consonants(so_far)
                if skeleton not in self._beginnings:
                    if position == start and not found:
                        self._remember_nowhere(word)
                    return found
                if len(so_far) >= _FEWEST_SYLLABLES and skeleton in self._by_skeleton and word[length:] in TAIL_SET:
                    found |= self._agreeing(skeleton, hangul_sound(so_far), romanize(so_far[1:]))
            sound_so_far += word
        return found


@lru_cache(maxsize=32768)
def _first_consonants(word: str) -> str:
    return consonants(hangul_sound(word))
