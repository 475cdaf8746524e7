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
        encodings = self._tokenizer.encode_batch([self._normalize(text) for text in texts], add_special_tokens=False)
        return [[self._first, *coded.ids[: self._longest - 2], self._last] for coded in encodings]

    def _normalize(self, text: str) -> str:
        return _SPACES.sub(" ", text.translate(self._replacements))


def _tokenizer(pieces: Pieces) -> Tokenizer:
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.Unigram(pieces.scored, unk_id=pieces.unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return tokenizer
