"""Finds given names in texts, across scripts.

Each name is looked for as written (any spacing and case, with particles after it), under its known names in the other
script, and by sound. Looking costs one substring test a form; the exact pattern is tried only where that succeeds, and sounds
only in words of the other script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from search_core.entities.aliases import aliases_in
from search_core.entities.forms import Form, fold_text, forms_of
from search_core.entities.sound_index import HangulSounds, LatinSounds

_HANGUL = re.compile(r"[가-힣]")


class EntityMatcher:
    """Finds which of a video's names a text holds: as written, as a Korean reading, or in the other script."""

    def __init__(self, names: Iterable[str], *, aliases: Iterable[tuple[str, str]] = ()) -> None:
        """Take the *names* to look for, and pairs known to be one (``("엔비디아", "NVIDIA")``).

        Names of one character ("김" of "김 회장") are left out, for they match anything.
        """
        self._names = tuple(dict.fromkeys(name for name in names if len(name.strip()) > 1))
        pairs = [*aliases, *(pair for name in self._names for pair in aliases_in(name))]
        self._forms: list[tuple[int, Form]] = []
        self._in_latin = LatinSounds()
        self._in_hangul = HangulSounds()
        for index, name in enumerate(self._names):
            for form in forms_of(name, pairs):
                self._forms.append((index, form))
                if form.is_hangul:
                    self._in_latin.add(index, form.text)
                else:
                    self._in_hangul.add(index, form.text)

    def find_in(self, text: str) -> tuple[str, ...]:
        """Return the names that *text* holds, each as given, in the order given."""
        if not self._names or not text:
            return ()
        text = unicodedata.normalize("NFC", text)
        folded = fold_text(text)
        found = {index for index, form in self._forms if form.needle in folded and form.is_in(text)}
        if len(found) < len(self._names):
            found |= self._in_latin.find(text)
            if _HANGUL.search(text):
                found |= self._in_hangul.find(text)
        return tuple(self._names[index] for index in sorted(found))
