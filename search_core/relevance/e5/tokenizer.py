"""Texts as numbers of pieces, as the model was trained to read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from search_core.relevance.e5.weights_file import Pieces

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SPACES = re.compile(" {2,}")


class PieceTokenizer:
    """Cuts texts into the pieces of XLM-RoBERTa: the likeliest cut wins (Unigram), a space becomes ``▁``."""

    def __init__(self, pieces: Pieces, longest: int) -> None:
        """Take the pieces, and how many numbers a text may become, marks included; the rest of it is left out."""
        self._first, self._last, self._replacements = pieces.first, pieces.last, pieces.replacements
        self._longest = longest
        self._tokenizer = _tokenizer(pieces)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return for each text its numbers, between the mark of a beginning and that of an end."""
        return [[self._first, *pieces[: self._longest - 2], self._last] for pieces in self._pieces(texts)]

    def encode_pairs(self, pairs: Sequence[tuple[str, str]], longest: int) -> list[list[int]]:
        """Return for each pair at most *longest* numbers: its two texts, two marks of an end between them.

        Of a longer pair, ends are left out; the statement keeps half of the room, and more where the window is shorter.
        """
        sides = zip(*(self._pieces(side) for side in zip(*pairs, strict=True)), strict=True) if pairs else ()
        coded = []
        for window, statement in sides:
            room = longest - 4
            kept = max(room - len(window), min(len(statement), room // 2))
            held = statement[:kept]
            coded.append([self._first, *window[: room - len(held)], self._last, self._last, *held, self._last])
        return coded

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch([self._normalize(text) for text in texts], add_special_tokens=False)
        return [coded.ids for coded in encodings]

    def _normalize(self, text: str) -> str:
        return _SPACES.sub(" ", text.translate(self._replacements))


def _tokenizer(pieces: Pieces) -> Tokenizer:
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.Unigram(pieces.scored, unk_id=pieces.unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return tokenizer
