"""Failures of language models with Korean sentences, and the reading of refusals; works without the client library.

Servers' own messages are left out of every text, for some repeat the key, some the question: only kinds, numbers of tokens and
the name of a parameter are taken from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind

_KOREAN = {
    Kind.UNREACHABLE: "언어 모델에 연결할 수 없어요.",
    Kind.REFUSED_KEY: "언어 모델의 키가 맞지 않아요.",
    Kind.NO_MODEL: "언어 모델 서버에 그런 모델이 없어요.",
    Kind.QUOTA: "언어 모델에서 쓸 수 있는 양을 다 썼어요.",
    Kind.RATE_LIMITED: "언어 모델의 요청 한도를 넘었어요. 잠시 뒤에 다시 시도해 주세요.",
    Kind.REJECTED: "언어 모델이 이 요청을 받아들이지 않았어요.",
    Kind.TOO_LONG: "요청이 이 언어 모델의 문맥보다 길어요. 문맥이 더 긴 모델을 쓰거나 서버의 문맥 크기를 늘려 주세요.",
    Kind.TIMEOUT: "언어 모델이 시간 안에 답하지 않았어요.",
    Kind.CUT: "언어 모델의 답이 중간에 끊겼어요.",
    Kind.UNREADABLE: "언어 모델의 답을 읽을 수 없어요.",
    Kind.UNAVAILABLE: "언어 모델에 문제가 생겼어요.",
}
_FORBIDDEN = "언어 모델이 이 키로는 쓸 수 없다고 해요."
_LOADING = "언어 모델을 아직 불러오고 있어요. 잠시 뒤에 다시 시도해 주세요."
_BUSY = "언어 모델이 다른 요청에 답하고 있어요. 잠시 뒤에 다시 시도해 주세요."
_NO_SUCH_PATH = "언어 모델 서버에 그런 주소가 없어요. OPENAI_BASE_URL이 /v1로 끝나는지 확인해 주세요."
_SIZE = "이 모델의 문맥은 {:,}토큰인데 {}이 필요해요. 문맥이 더 긴 모델을 쓰거나 서버의 문맥 크기를 늘려 주세요."
_BY_STATUS = {
    400: Kind.REJECTED,
    401: Kind.REFUSED_KEY,
    402: Kind.QUOTA,
    403: Kind.REFUSED_KEY,
    404: Kind.NO_MODEL,
    405: Kind.NO_MODEL,
    408: Kind.TIMEOUT,
    413: Kind.REJECTED,
    422: Kind.REJECTED,
    429: Kind.RATE_LIMITED,
}
_SIGNS = tuple(
    (re.compile(sign, re.IGNORECASE), kind)
    for sign, kind in (
        (r"=insufficient_quota|insufficient.(?:balance|credit|funds)|quotaId=\S*PerDay|^code=402$", Kind.QUOTA),
        (r"quotaId=\S*Per(?:Minute|Second)|=rate_limit|^code=429$", Kind.RATE_LIMITED),
        (
            r"context[_ ](?:length|size|window)|\bn_ctx\b|prompt is too long|tokens allowed|tokens \+ `?max_new_tokens",
            Kind.TOO_LONG,
        ),
        (r"=invalid_api_key|=api_key_invalid|api key (?:is )?(?:not valid|invalid)|invalid api key", Kind.REFUSED_KEY),
        (r"=model_not_found|=deploymentnotfound|unexpected endpoint", Kind.NO_MODEL),
    )
)
"""Patterns in a refusal that reveal its kind, the surest first, because services differ in status and code."""
_LIMIT = re.compile(r"(?:context[ _](?:length|size|window)|max|must be)\D{0,50}?(\d{3,8})|> (\d{3,8}) max", re.IGNORECASE)
_SLOT = re.compile(r"n_ctx\W{1,4}(\d{3,8})")
_TOKENS = re.compile(r"(?<![\d.])\d{3,8}(?![\d.])")
_PARAMETERS = ("max_completion_tokens", "max_tokens", "response_format", "temperature")
_MODEL = re.compile(r"model|deployment", re.IGNORECASE)
ALL = "all"
"""Value of ``LanguageModelError.refuses``: so little of the request would be left that it is not sent."""
THOUGHTS = "thoughts"
"""Value of ``refuses``: the limit of the answer was used up by thoughts."""
_DEEPEST = 8


def model_error(kind: Kind, what: str, *, korean: str = "") -> LanguageModelError:
    """Return the error of *kind* with the English text *what*; *korean* replaces its usual sentence."""
    return LanguageModelError(what, korean=korean or _KOREAN[kind], kind=kind)


def unreadable_answer(what: str) -> LanguageModelError:
    """Return the error of an answer in an unexpected format."""
    return model_error(Kind.UNREADABLE, f"The language model's answer cannot be read: {what}.")


def too_long(fits: int | None, needs: int | None) -> LanguageModelError:
    """Return the error of a request of *needs* tokens to a model that takes *fits*, if known."""
    korean = _SIZE.format(fits, f"{needs:,}토큰" if needs and needs > fits else "더 많은 양") if fits else ""
    error = model_error(Kind.TOO_LONG, "The request is longer than the language model's context.", korean=korean)
    error.fits, error.needs = fits, needs
    return error


def read_refusal(status: int | None, body: object, retry_after_s: float | None = None) -> LanguageModelError:
    """Return the error in a refusal's JSON or text; *status* is None inside an answer that had begun."""
    lines = list(_lines(body))
    text = "\n".join(lines)
    kind = next((kind for sign, kind in _SIGNS if any(map(sign.search, lines))), None)
    kind = kind or (Kind.UNAVAILABLE if status is None else _BY_STATUS.get(status, Kind.UNAVAILABLE))
    if kind is Kind.TOO_LONG:
        error = too_long(*_sizes(text))
    else:
        korean, refuses = "", ""
        if kind is Kind.NO_MODEL and not _MODEL.search(text):
            korean = _NO_SUCH_PATH
        elif kind is Kind.REJECTED:
            refuses = next((name for name in _PARAMETERS if re.search(rf"\b{name}\b", text)), "")
            refuses = next((name for name in _PARAMETERS if f"param={name}" in lines), refuses)
        elif kind is Kind.REFUSED_KEY and status == 403:
            korean = _FORBIDDEN
        elif kind is Kind.UNAVAILABLE and re.search(r"\bloading\b", text, re.IGNORECASE):
            korean = _LOADING
        elif kind is Kind.UNAVAILABLE and re.search(r"\b(?:busy|overloaded|pending requests|slots?)\b", text, re.IGNORECASE):
            korean = _BUSY
        error = model_error(kind, f"The language model endpoint refused (HTTP {status or 'stream'}).", korean=korean)
        error.refuses = refuses
    error.status, error.retry_after_s = status, retry_after_s
    return error


def _lines(body: object, name: str = "message", depth: int = 0) -> Iterator[str]:
    """Yield all values in *body* as ``name=value``."""
    if isinstance(body, dict | list) and depth < _DEEPEST:
        for key, value in body.items() if isinstance(body, dict) else ((name, item) for item in body):
            yield from _lines(value, str(key), depth + 1)
    elif isinstance(body, str | int) and not isinstance(body, bool):
        yield f"{name}={body}"


def _sizes(text: str) -> tuple[int | None, int | None]:
    """Return how many tokens the model takes and how many were requested, as a refusal states them."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    limit = _SLOT.search(plain) or _LIMIT.search(plain)
    fits = int(next(filter(None, limit.groups()))) if limit else None
    more = [int(number) for number in _TOKENS.findall(plain) if fits and int(number) > fits]
    return fits, max(more, default=None)
