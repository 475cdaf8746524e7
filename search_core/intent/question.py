"""The question as typed, checked and tidied."""

from __future__ import annotations

import re

from search_core.domain import MAX_QUESTION_CHARS
from search_core.errors import QuestionError
from search_core.korean import normalize

_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_WORDLIKE = re.compile(r"[^\W_]")


def validate_question(text: str) -> str:
    """Return *text* in Unicode NFC, without control and direction signs, white space made single.

    Raises QuestionError when no letter or digit is left or the question is longer than ``MAX_QUESTION_CHARS``.
    """
    tidy = _SPACES.sub(" ", _INVISIBLE.sub(" ", normalize(text))).strip()
    if not _WORDLIKE.search(tidy):
        raise QuestionError("The question is empty.", korean="질문이 비어 있어요. 알고 싶은 것을 적어 주세요.")
    if len(tidy) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The question has {len(tidy)} characters; at most {MAX_QUESTION_CHARS} can be searched for.",
            korean=f"질문이 너무 길어요. {MAX_QUESTION_CHARS}자 안으로 줄여 주세요.",
        )
    return tidy
