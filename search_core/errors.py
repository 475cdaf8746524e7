"""Typed errors of the search core.

Every error says what happened in English (``str(error)``) and, for the page, in Korean (``error.korean``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sized
from enum import StrEnum

from search_core.domain.reply import SearchStatus
from search_core.domain.text_limits import TextLimit


class MaekrakError(Exception):
    """The root of all errors raised on purpose; ``korean`` tells users what happened and what to do."""

    def __init__(self, message: str, *, korean: str) -> None:
        super().__init__(message)
        self.korean = korean


class SettingsError(MaekrakError):
    """Names a setting with an unusable value, and the accepted form."""


class InputError(MaekrakError):
    """Names the invalid part of the user's input and what to change."""


class TooLongError(InputError):
    """Names the field that is too long, its length and the limit."""

    def __init__(self, limit: TextLimit, size: int) -> None:
        unit = "자" if limit.counts == "characters" else "개"
        super().__init__(
            f"{limit.field} has {size} {limit.counts}; at most {limit.most} are taken.",
            korean=f"너무 긴 값이 있어요: {limit.korean} {size:,}{unit}. {limit.most:,}{unit}까지로 줄여 주세요.",
        )
        self.limit, self.size = limit, size


def check_length(limit: TextLimit, value: Sized | None) -> None:
    """Raise TooLongError if *value*, a text or a list, is longer than its *limit*."""
    if value is not None and len(value) > limit.most:
        raise TooLongError(limit, len(value))


class UnknownServiceError(InputError):
    """Names a search service that is not set up, and those that are."""


class UnknownFormatError(InputError):
    """Names an unknown file format, and the known ones."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        formats = ", ".join(known)
        super().__init__(
            f"No {name} file is written. The formats are {formats}. For a PDF, print the html file from a browser.",
            korean=f"{name} 파일은 만들지 않아요. {formats} 가운데 골라 주세요. PDF는 html 파일을 인쇄해 만들어요.",
        )


class QuestionError(InputError):
    """Says why a question cannot be searched for."""


class SmallTalkError(QuestionError):
    """Replies to a greeting or thanks, which ask nothing."""


def check_moment(moment_s: float | None) -> None:
    """Raise QuestionError for an impossible moment: seconds must be finite and not negative."""
    if moment_s is not None and not (math.isfinite(moment_s) and moment_s >= 0):
        raise QuestionError(
            "The moment must be a number of seconds from the start of the video, 0 or more.",
            korean="영상의 장면은 처음부터 몇 초인지 0 이상의 수로 알려 주세요.",
        )


class VideoReadError(InputError):
    """Says why a video file or address cannot be read."""


class DocumentReadError(InputError):
    """Says why a document cannot be read into the library."""


class ProviderError(MaekrakError):
    """Says by its ``status`` why a search service gave no usable answer.

    ``retry_after_s`` is the pause the service asked for, in seconds, or None when it named none. ``advice`` is a Korean sentence
    for the ledger where the status alone would not say what to do. ``out_of_order`` means that the service was reached and says
    that it cannot answer now, so the user's connection is not the cause.
    """

    def __init__(
        self,
        status: SearchStatus,
        message: str,
        *,
        retry_after_s: float | None = None,
        advice: str = "",
        out_of_order: bool = False,
    ) -> None:
        super().__init__(message, korean=advice or message)
        self.status = status
        self.retry_after_s = retry_after_s
        self.advice = advice
        self.out_of_order = out_of_order


_UNTRUSTED = re.compile(r"certificate[ _]verify[ _]failed|invalid peer certificate", re.IGNORECASE)
"""Messages about untrusted certificates by OpenSSL and by Rust's rustls."""
UNTRUSTED = "서버의 인증서를 믿을 수 없어요. 회사 프록시나 직접 차린 서버라면 그 인증서 파일을 SSL_CERT_FILE에 적어 주세요."


def is_untrusted(error: BaseException) -> bool:
    """Return whether *error* was caused by a certificate without a known authority."""
    cause: BaseException | None = error
    while cause is not None:
        if _UNTRUSTED.search(str(cause)):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


class PageFailure(StrEnum):
    """Names why a web page gave no text."""

    REFUSED_ADDRESS = "refused_address"
    """The address leads, or was redirected, to a place pages are not read from."""
    NETWORK = "network"
    OUT_OF_ORDER = "out_of_order"
    """The site was reached and said itself that it cannot answer (HTTP 500 and above)."""
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    WRONG_TYPE = "wrong_type"
    BLOCKED = "blocked"
    """The site refuses automated readers or asks for proof of a human."""
    NOT_READ_HERE = "not_read_here"
    """The page was loaded, but this machine was too busy to read it."""
    UNREADABLE = "unreadable"
    """The site answered, but without article text, or with a note that there is no such page."""


_PAGE_KOREAN = {
    PageFailure.REFUSED_ADDRESS: "공개된 웹 주소가 아니어서 읽지 않았어요.",
    PageFailure.NETWORK: "페이지에 연결하지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    PageFailure.OUT_OF_ORDER: "사이트에 문제가 생겨 페이지를 받지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    PageFailure.TIMEOUT: "페이지가 제때 답하지 않았어요. 잠시 뒤에 다시 시도해 주세요.",
    PageFailure.TOO_LARGE: "페이지가 너무 커서 읽지 않았어요. 원문을 직접 열어 주세요.",
    PageFailure.WRONG_TYPE: "글로 된 웹 페이지가 아니어서 읽지 못했어요. 원문을 직접 열어 주세요.",
    PageFailure.BLOCKED: "사이트가 자동 접근을 막아 읽지 못했어요. 원문을 직접 열어 주세요.",
    PageFailure.NOT_READ_HERE: "페이지는 받았지만 여기가 바빠서 읽지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    PageFailure.UNREADABLE: "페이지에서 본문을 찾지 못했어요. 원문을 직접 열어 주세요.",
}


class PageReadError(MaekrakError):
    """Says by its ``kind`` why a web page has no readable text; names the page's host, never its address."""

    def __init__(self, kind: PageFailure, message: str, *, korean: str = "") -> None:
        super().__init__(message, korean=korean or _PAGE_KOREAN[kind])
        self.kind = kind


class EmbeddingError(MaekrakError):
    """Says why texts could not be turned into vectors."""


class WeightsError(EmbeddingError):
    """Says why the shipped model's weights cannot be read: truncated, of another version, or missing."""

    def __init__(self, message: str) -> None:
        super().__init__(message, korean="의미 분석 모델의 파일을 읽지 못했어요. 내장 방식으로 채점해요.")


class LanguageModelFailure(StrEnum):
    """The way in which a language model failed."""

    UNREACHABLE = "unreachable"
    REFUSED_KEY = "refused_key"
    NO_MODEL = "no_model"
    QUOTA = "quota"
    """The quota is used up; asking again does not help."""
    RATE_LIMITED = "rate_limited"
    REJECTED = "rejected"
    """The endpoint refused the request itself, as malformed or not allowed."""
    TOO_LONG = "too_long"
    """The request is longer than the model's context, and could not be made small enough."""
    TIMEOUT = "timeout"
    CUT = "cut"
    """The answer broke off before the model had finished, perhaps before its first word."""
    UNREADABLE = "unreadable"
    UNUSABLE = "unusable"
    """The answer is complete but must not be shown, such as one in another language."""
    UNAVAILABLE = "unavailable"


class LanguageModelError(MaekrakError):
    """Says by its ``kind`` why the language model gave no usable answer.

    ``status`` is the HTTP status of the answer, None where there was none, ``retry_after_s`` the pause that the endpoint asked
    for, in seconds. ``refuses`` names the parameter that the endpoint does not take, ``fits`` and ``needs`` the tokens of its
    context and of the request, as far as it says so.
    """

    def __init__(
        self,
        message: str,
        *,
        korean: str,
        kind: LanguageModelFailure = LanguageModelFailure.UNAVAILABLE,
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, korean=korean)
        self.kind = kind
        self.status = status
        self.retry_after_s = retry_after_s
        self.refuses = ""
        self.fits: int | None = None
        self.needs: int | None = None


class TranscriptionFailure(StrEnum):
    """Names why a sound has no transcript."""

    NOT_SET = "not_set"
    """No speech recogniser is set up, or the one in the settings is not installed."""
    NOT_MEDIA = "not_media"
    """The file is no video and no recording, of a kind that is not read, or damaged."""
    NO_SOUND = "no_sound"
    """The video has no sound track."""
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    HOSTILE = "hostile"
    """The file asks for far more time, memory or tracks than any real one."""
    NO_ROOM = "no_room"
    """The data folder cannot be written, or its disk is full."""
    BUSY = "busy"
    """The queue of transcriptions is full."""
    UNANSWERED = "unanswered"
    """The recogniser gave no usable answer: not reached, refused, out of time or quota."""
    CANCELLED = "cancelled"


class TranscriptionError(MaekrakError):
    """Says by its ``kind`` why there is no transcript, without paths, addresses or keys."""

    def __init__(self, kind: TranscriptionFailure, message: str, *, korean: str) -> None:
        super().__init__(message, korean=korean)
        self.kind = kind


class NotFoundError(MaekrakError):
    """Says that the caller has nothing with that id, also if it is another owner's."""


class ConversationNotFoundError(NotFoundError):
    """Says that the caller has no such conversation, also if it is another owner's."""

    def __init__(self) -> None:
        super().__init__(
            "There is no such conversation.", korean="대화를 찾을 수 없어요. 지워졌거나 다른 사람의 대화일 수 있어요."
        )


class StorageError(MaekrakError):
    """Says why stored data could not be read or written."""
