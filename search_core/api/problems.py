"""Errors of the API, in one format."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from starlette.responses import JSONResponse

from search_core.domain.plain_json import plain_json
from search_core.errors import ConversationNotFoundError, InputError, QuestionError, SettingsError, StorageError, TooLongError

logger = logging.getLogger(__name__)

NO_STORE = {"Cache-Control": "no-store"}
"""Answers are private to the caller; no proxy may cache them."""


class Json(JSONResponse):
    """Answers with the JSON of a record."""

    def __init__(self, content: object, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(plain_json(content), status_code, {**NO_STORE, **(headers or {})})


class ApiError(Exception):
    """A refused request with its reason, and all of its response."""

    def __init__(self, status: int, kind: str, message: str, korean: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.korean = korean
        self.headers = headers

    def response(self) -> Json:
        """Return the answer."""
        error = {"type": self.kind, "korean": self.korean, "message": str(self)}
        return Json({"error": error}, self.status, self.headers)


def unauthorized_error(realm: str, message: str, korean: str) -> ApiError:
    """Return the refusal of a caller without a valid token for *realm*."""
    return ApiError(401, "unauthorized", message, korean, headers={"WWW-Authenticate": f'Bearer realm="{realm}"'})


def problem_of(error: Exception) -> ApiError:
    """Return the refusal for *error*; details that the caller cannot act on are only logged."""
    match error:
        case ApiError():
            return error
        case ConversationNotFoundError():
            return ApiError(404, "unknown_session", str(error), error.korean)
        case TooLongError():
            return ApiError(400, "too_long", str(error), error.korean)
        case QuestionError():
            return ApiError(400, "bad_question", str(error), error.korean)
        case InputError():
            return ApiError(400, "bad_input", str(error), error.korean)
        case SettingsError():
            return ApiError(503, "settings", "A setting cannot be used; the log and the page say which.", _SETTINGS_KOREAN)
        case StorageError():
            logger.warning("The API could not use what is kept: %s", error)
            return ApiError(503, "storage", "What is kept cannot be used; the log says why.", _STORAGE_KOREAN)
        case _:
            logger.error("The API could not answer", exc_info=error)
            return internal_error()


def internal_error(status: int = 503) -> ApiError:
    """Return the refusal for an unexpected error; the log has the details."""
    return ApiError(status, "internal", "Something went wrong; the log says what.", "문제가 생겼어요. 로그를 확인해 주세요.")


_SETTINGS_KOREAN = "사용할 수 없는 설정이 있어요. 어떤 설정인지는 화면과 로그에 나와 있어요."
_STORAGE_KOREAN = "저장된 내용을 읽거나 쓸 수 없어요. 로그를 확인해 주세요."
