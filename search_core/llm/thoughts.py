"""Leaves out what reasoning models of some local servers think aloud before they answer: ``<think>…</think>``."""

from __future__ import annotations

_OPENS, _CLOSES = "<think>", "</think>"


class Thoughts:
    """Takes the pieces of one streamed answer and gives back what belongs to the answer itself."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._thought = False
        self._passed = False

    def feed(self, piece: str) -> str:
        """Return what of the answer so far can be shown now; a beginning that may be a thought is held back."""
        if self._passed:
            return piece
        self._held += piece
        while True:  # a piece may hold any number of thoughts
            if not self._inside:
                begun = self._held.lstrip()
                if begun.startswith(_OPENS):
                    self._inside, self._held = True, begun.removeprefix(_OPENS)
                elif _OPENS.startswith(begun):
                    return ""
                else:
                    return self.rest()
            _, closed, after = self._held.partition(_CLOSES)
            if not closed:
                self._held = self._held[1 - len(_CLOSES) :]
                return ""
            self._inside, self._thought, self._held = False, True, after

    def rest(self) -> str:
        """Return what was held back and is no thought; call it when the answer has ended."""
        held, self._held = self._held, ""
        self._passed = True
        if self._inside:
            return ""
        return held.lstrip() if self._thought else held
