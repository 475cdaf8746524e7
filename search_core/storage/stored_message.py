"""Messages and videos as rows of the database."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from search_core.domain import AnswerRecord, Message, MessageKind, MessageState, TranscriptSegment, VideoContext
from search_core.storage.json_codec import JsonCodec

if TYPE_CHECKING:
    from sqlalchemy import Row

logger = logging.getLogger(__name__)

RECORD = JsonCodec(AnswerRecord, TranscriptSegment=TranscriptSegment)
VIDEO = JsonCodec(VideoContext)
UNREADABLE = "저장된 답변의 일부를 읽지 못했어요. 같은 질문을 다시 해 주세요."
INTERRUPTED = "서버가 다시 시작되면서 답변이 끊겼어요. 같은 질문을 다시 해 주세요."
UNREADABLE_VIDEO = "저장된 영상 정보의 일부를 읽지 못했어요."


def values_of(message: Message) -> dict[str, Any]:
    """Return the columns of *message* that may change."""
    return {
        "kind": message.kind.value,
        "state": message.state.value,
        "text": message.text,
        "spoken": message.spoken,
        "about": message.about,
        "record": RECORD.write(message.record) if message.record is not None else None,
        "created_at": message.created_at,
    }


def message_of(row: Row[Any]) -> Message:
    """Return the message of a row; what cannot be read of it makes it one that failed, with a sentence that says so."""
    readable = True
    try:
        kind, state = MessageKind(row.kind), MessageState(row.state)
    except ValueError:
        kind, state, readable = (MessageKind.QUESTION if row.text else MessageKind.ANSWER), MessageState.FAILED, False
    record = None
    if row.record is not None:
        record, whole = RECORD.read(row.record)
        readable = readable and whole
    if not readable:
        logger.warning("A kept message could not be read in full")
        state = MessageState.FAILED
        if kind is not MessageKind.QUESTION:
            record = replace(record or AnswerRecord(), error=UNREADABLE)
    return Message(
        id=row.id,
        kind=kind,
        state=state,
        text=row.text,
        spoken=row.spoken,
        about=row.about,
        record=record,
        created_at=row.created_at,
    )


def end_message(message: Message) -> Message:
    """Return a running message whose process is gone as one that failed."""
    record = message.record
    if message.kind is not MessageKind.QUESTION:
        record = replace(record or AnswerRecord(), error=INTERRUPTED)
    return replace(message, state=MessageState.FAILED, record=record)


def video_of(body: Any) -> VideoContext:
    """Return the video of a kept body; what cannot be read of it is left out, and a warning says so."""
    video, whole = VIDEO.read(body)
    return video if whole else replace(video, warnings=(*video.warnings, UNREADABLE_VIDEO))
