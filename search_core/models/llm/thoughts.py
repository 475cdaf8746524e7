"""Removes models' thoughts before an answer, and ends it at a chat template mark.

Reasoning models write ``<think>…</think>`` or, if the template opened the thought (Qwen3-Thinking, DeepSeek-R1, EXAONE), the
closing mark alone. Until that mark comes a stream cannot know that its text is a thought.
"""

from __future__ import annotations

import re

_NAMES = ("think", "thinking", "thought", "reasoning", "seed:think")
_OPENS = (*(f"<{name}>" for name in _NAMES), "[think]", "◁think▷", "<|channel|>analysis<|message|>")
_CLOSES = (*(f"</{name}>" for name in _NAMES), "[/think]", "◁/think▷", "<|channel|>final<|message|>")
_OPEN = re.compile("|".join(map(re.escape, _OPENS)), re.IGNORECASE)
_CLOSE = re.compile("|".join(map(re.escape, _CLOSES)), re.IGNORECASE)
_TEMPLATE = re.compile(
    r"<[|｜](?P<name>[^<>|｜]{1,40})[|｜]>|\[\|(?P<other>\w{1,40})\|\]|<(?P<turn>(?:start|end)_of_turn|/s)>|\[/?INST\]"
)
_END = re.compile(r"(?:im_|end)?_?end.*|e[ot][tms]_id|eo[st]|return|/s", re.IGNORECASE)
_BEGUN = re.compile(r"(?:<[|｜]|\[\|)[^<>\[\]|｜]{0,40}[|｜]?")
_OTHERS = ("<start_of_turn>", "<end_of_turn>", "</s>", "[/inst]", "[inst]")
_LONGEST = max(map(len, _OPENS + _CLOSES))


class Restart(str):
    """A piece that restarts the answer: all before it were thoughts."""

    __slots__ = ()


def append_piece(answer: str, piece: str) -> str:
    """Return the text *answer* so far with *piece* added."""
    return str(piece) if isinstance(piece, Restart) else answer + piece


class Thoughts:
    """Takes the pieces of one answer and returns those that belong to the answer itself."""

    def __init__(self, *, unopened: bool = False) -> None:
        """Hold the answer back until its thoughts end, if they begin *unopened*."""
        self.unopened = False
        """True once a closing mark has come without an opening one."""
        self.ended = False
        """True once a mark of a template has come: the answer is over."""
        self.broken = False
        """True if the template mark is not one that normally ends an answer."""
        self._held, self._shown = "", ""
        self._inside, self._opened, self._thought = unopened, False, False

    def feed(self, piece: str) -> str:
        """Return the text to show now; a ``Restart`` replaces all text before."""
        if self.ended:
            return ""
        self._held += piece
        restarts = self._skip_thoughts()
        if self._inside:
            return Restart("") if restarts else ""
        waits = self._waiting_from()
        mark = _TEMPLATE.search(self._held, 0, waits)
        if mark is not None:
            name = mark["name"] or mark["other"] or mark["turn"] or ""
            self.ended, self.broken = True, not _END.fullmatch(name)
            waits = mark.start()
        ready, self._held = self._held[:waits], self._held[waits:]
        return self._show(ready, restarts=restarts)

    def rest(self) -> str:
        """Return held-back text that is no thought, at the end of the answer."""
        rest, self._held = self._held, ""
        return "" if self._opened or self.ended else self._show(rest, restarts=False)

    def _skip_thoughts(self) -> bool:
        """Drop the thoughts in the held text; return whether text already shown turns out to be a thought."""
        restarts = False
        while True:
            begun = self._held.lstrip()
            opens = None if self._inside or self._shown.strip() else _OPEN.match(begun)
            if opens is not None:
                self._inside = self._opened = True
                self._held = begun[opens.end() :]
            closes = _CLOSE.search(self._held)
            if closes is None:
                if self._opened:
                    self._held = self._held[-_LONGEST:]
                return restarts
            if not self._inside and _OPEN.search(self._shown + self._held[: closes.start()]):
                return restarts  # the answer is about such marks
            self.unopened = self.unopened or not self._opened
            restarts = restarts or bool(self._shown)
            self._inside, self._opened, self._thought = False, False, True
            self._held, self._shown = self._held[closes.end() :], ""

    def _waiting_from(self) -> int:
        """Return the place in the held text from which it may be the beginning of a mark; without one, its length."""
        marks = (*_CLOSES, *_OTHERS, *(() if self._shown.strip() else _OPENS))
        for place in range(max(0, len(self._held) - _LONGEST), len(self._held)):
            begun = self._held[place:].lower()
            if begun[0] in "<[◁" and (_BEGUN.fullmatch(begun) or any(mark != begun and mark.startswith(begun) for mark in marks)):
                return place
        return len(self._held)

    def _show(self, ready: str, *, restarts: bool) -> str:
        if self._thought and not self._shown:
            ready = ready.lstrip()
        self._shown += ready
        return Restart(ready) if restarts else ready


def without_thoughts(text: str) -> str:
    """Return a whole answer without thoughts and without text after a template mark."""
    thoughts = Thoughts()
    answer = thoughts.feed(text)
    return append_piece(answer, thoughts.rest())
