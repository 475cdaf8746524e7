"""What went wrong with a call, as text that says what to change."""

from __future__ import annotations

import logging

from search_core.agents.calls import ServerEndsError, TooLateError, TooManyCallsError
from search_core.agents.replies import Reply, Status, note_of
from search_core.agents.videos import StillReadingError
from search_core.chat import TooManyAnswersError
from search_core.errors import InputError, MaekrakError, NotFoundError, SettingsError, StorageError, VideoReadError

logger = logging.getLogger(__name__)

STILL_READING = "The video is still being read. Call again with the same arguments in a few seconds."
_TOO_LATE = "The call took too long and was given up. Call again; what was prepared meanwhile is kept."
_BUSY = "The server works on as many calls as it can. Call again in a few seconds."
_ENDS = "The server stops. Call again in a moment; runs go on under their ids."
UNEXPECTED = Reply(
    status=Status.FAILED,
    note="Something unexpected went wrong; the log of the server says what. Calling again may help.",
    error=True,
)


def refusal_of(error: Exception) -> Reply:
    """Return the message an agent gets for an expected *error*; details that it cannot act on go to the log alone."""
    match error:
        case StillReadingError():
            return Reply(status=Status.RUNNING, note=STILL_READING)
        case VideoReadError():
            return _refusal(Status.COULD_NOT_READ, str(error), error.korean)
        case NotFoundError() | InputError():
            return _refusal(Status.BAD_INPUT, str(error), error.korean)
        case TooLateError():
            return _refusal(Status.FAILED, _TOO_LATE)
        case ServerEndsError():
            return _refusal(Status.FAILED, _ENDS)
        case TooManyCallsError() | TooManyAnswersError():
            return _refusal(Status.FAILED, _BUSY)
        case StorageError():
            logger.warning("A tool could not use what is kept: %s", error)
            return _refusal(Status.FAILED, "What is kept cannot be read or written; the log of the server says why.")
        case SettingsError():
            logger.error("%s", error)
            return _refusal(Status.FAILED, "A setting of the server cannot be used; its log says which.")
        case MaekrakError():
            logger.warning("A tool failed (%s): %s", type(error).__name__, error)
            return _refusal(Status.FAILED, str(error), error.korean)
        case _:
            raise error


def _refusal(status: Status, message: str, korean: str = "") -> Reply:
    return Reply(status=status, note=note_of(message, korean), error=True)
