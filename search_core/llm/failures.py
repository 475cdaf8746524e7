"""Failures of language models, each with its sentence in Korean; nothing here needs the client."""

from __future__ import annotations

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind

_KOREAN = {
    Kind.UNREACHABLE: "언어 모델에 연결할 수 없어요.",
    Kind.REFUSED_KEY: "언어 모델의 키가 맞지 않아요.",
    Kind.NO_MODEL: "언어 모델 서버에 그런 모델이 없어요.",
    Kind.QUOTA: "언어 모델에서 쓸 수 있는 양을 다 썼어요.",
    Kind.RATE_LIMITED: "언어 모델의 요청 한도를 넘었어요. 잠시 뒤에 다시 시도해 주세요.",
    Kind.REJECTED: "언어 모델이 이 요청을 받아들이지 않았어요.",
    Kind.TIMEOUT: "언어 모델이 시간 안에 답하지 않았어요.",
    Kind.CUT: "언어 모델의 답이 중간에 끊겼어요.",
    Kind.UNREADABLE: "언어 모델의 답을 읽을 수 없어요.",
    Kind.UNAVAILABLE: "언어 모델에 문제가 생겼어요.",
}


def model_error(
    kind: Kind, what: str, *, korean: str = "", status: int | None = None, retry_after_s: float | None = None
) -> LanguageModelError:
    """Return the error of *kind*, *what* in English; *korean* replaces the sentence of the kind."""
    return LanguageModelError(what, korean=korean or _KOREAN[kind], kind=kind, status=status, retry_after_s=retry_after_s)


def unreadable_answer(what: str) -> LanguageModelError:
    """Return the error of an answer that came and is not what was asked for."""
    return model_error(Kind.UNREADABLE, f"The language model's answer cannot be read: {what}.")
