"""Conversations with their videos and messages in the database; each belongs to its owner."""

from __future__ import annotations

import hashlib
import logging
import secrets
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, tuple_, update

from search_core.domain.conversation import (
    INTERRUPTED,
    AnswerRecord,
    Conversation,
    ConversationEntry,
    Message,
    MessageKind,
    MessageState,
    research_messages,
    title_of,
)
from search_core.domain.research import ResearchRequest
from search_core.domain.video import VideoContext, video_key
from search_core.errors import ConversationNotFoundError
from search_core.language.json_line import number_in
from search_core.runtime import Clock, Recent, utc_now
from search_core.storage.database import Database
from search_core.storage.json_codec import JsonCodec, json_text
from search_core.storage.tables import CONVERSATIONS, MESSAGES, VIDEOS

logger = logging.getLogger(__name__)

STALE_S = 20.0
"""Seconds after which a running message that was not stored again counts as abandoned; clocks of machines differ by less."""
_KEPT_VIDEOS = 8
RECORD = JsonCodec(AnswerRecord)
VIDEO = JsonCodec(VideoContext)
UNREADABLE = "저장된 답변의 일부를 읽지 못했어요. 같은 질문을 다시 해 주세요."
UNREADABLE_VIDEO = "저장된 영상 정보의 일부를 읽지 못했어요."
_ENTRY_FIELDS = tuple(field.name for field in fields(ConversationEntry))
_KEY = tuple_(MESSAGES.c.conversation, MESSAGES.c.id)


class ConversationStore:
    """Stores conversations; thread- and process-safe, with short transactions.

    Every method raises StorageError when the database cannot be used. Those that name a conversation raise
    ConversationNotFoundError when *owner* has none of this id.
    """

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now
        self._videos: Recent[str, VideoContext] = Recent(_KEPT_VIDEOS)
        """Videos by row id, a hash of their content: pages read a conversation at each redraw."""

    def create(self, owner: str, video: VideoContext | None = None, title: str = "") -> ConversationEntry:
        """Create a conversation about *video*, stored as it is now."""
        conversation_id = secrets.token_urlsafe(16)
        now = self._now()
        row = None if video is None else _video_row(owner, video)  # before the transaction: it may take long, and others wait
        with self._database.writing() as connection:
            if row is not None:
                _put_video(connection, row)
            connection.execute(
                insert(CONVERSATIONS).values(
                    id=conversation_id,
                    owner=owner,
                    title=title,
                    video=row and row["id"],
                    created_at=now,
                    updated_at=now,
                )
            )
            return _entry(_of_owner(connection, conversation_id, owner))

    def entries(self, owner: str, video_key: str | None = None) -> tuple[ConversationEntry, ...]:
        """Return *owner*'s conversations, last changed first, all or those about the video of *video_key*."""
        query = _entries().where(CONVERSATIONS.c.owner == owner)
        if video_key is not None:
            query = query.where(func.coalesce(VIDEOS.c.key, "") == video_key)
        order = (CONVERSATIONS.c.updated_at.desc(), CONVERSATIONS.c.created_at.desc(), CONVERSATIONS.c.id)
        with self._database.reading() as connection:
            return tuple(_entry(row) for row in connection.execute(query.order_by(*order)))

    def load(self, conversation_id: str, owner: str) -> Conversation:
        """Return a conversation with its video and messages.

        A message that cannot be read is returned as a failed one that says so.
        """
        with self._database.reading() as connection:
            row = _of_owner(connection, conversation_id, owner)
            video = self._video(connection, row.video) if row.video else None
            stored = connection.execute(
                select(MESSAGES).where(MESSAGES.c.conversation == conversation_id).order_by(MESSAGES.c.place)
            ).all()
        messages = tuple(_message_of(row) for row in stored)
        return Conversation(entry=_entry(row), video=video, messages=messages)

    def _video(self, connection: Connection, row_id: str) -> VideoContext | None:
        video = self._videos.get(row_id)
        if video is None and (row := connection.execute(select(VIDEOS.c.body).where(VIDEOS.c.id == row_id)).first()):
            video, whole = VIDEO.read(row[0])
            video = video if whole else replace(video, warnings=(*video.warnings, UNREADABLE_VIDEO))
            self._videos.put(row_id, video)
        return video

    def put(self, conversation_id: str, owner: str, *messages: Message, title: str = "") -> None:
        """Store *messages*, all or none: known ids are replaced, others appended.

        A conversation without a title gets *title*.
        """
        now = self._now()
        with self._database.writing() as connection:
            _touch(connection, conversation_id, owner, updated_at=now)
            if title:
                _name_untitled(connection, conversation_id, title)
            for message in messages:
                values = _values_of(message) | {"alive_at": now}
                row_key = (MESSAGES.c.conversation == conversation_id, MESSAGES.c.id == message.id)
                if connection.execute(update(MESSAGES).where(*row_key).values(**values)).rowcount == 0:
                    _append(connection, conversation_id, message, now)

    def delete(self, conversation_id: str, owner: str) -> None:
        """Delete a conversation with its messages, and its video if no other conversation is about it."""
        with self._database.writing() as connection:
            video = _of_owner(connection, conversation_id, owner).video
            connection.execute(delete(CONVERSATIONS).where(CONVERSATIONS.c.id == conversation_id))
            if video is None:
                return
            # The lock holds off a process that begins a conversation about the video just now.
            connection.execute(select(VIDEOS.c.id).where(VIDEOS.c.id == video).with_for_update())
            conversations = select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.video == video)
            connection.execute(delete(VIDEOS).where(VIDEOS.c.id == video, ~conversations.exists()))

    def fail_interrupted(self) -> int:
        """Mark running messages without a sign of life for ``STALE_S`` seconds as failed; return their number.

        Their text so far remains. One that is stored again afterwards has the state it is stored with.
        """
        stale = (MESSAGES.c.state == MessageState.RUNNING.value, MESSAGES.c.alive_at < self._now() - timedelta(seconds=STALE_S))
        with self._database.reading() as connection:
            if connection.execute(select(MESSAGES.c.id).where(*stale).limit(1)).first() is None:
                return 0
        with self._database.writing() as connection:
            keys = select(MESSAGES.c.conversation, MESSAGES.c.id).where(*stale)
            idle = keys.with_for_update(skip_locked=True)  # waiting for those being written could deadlock
            rows = connection.execute(select(MESSAGES).where(_KEY.in_(idle))).all()
            for row in rows:
                row_key = (MESSAGES.c.conversation == row.conversation, MESSAGES.c.id == row.id)
                connection.execute(update(MESSAGES).where(*row_key).values(**_values_of(_end_message(_message_of(row)))))
            return len(rows)


def append_research(connection: Connection, run_id: str, request: ResearchRequest, now: datetime) -> None:
    """Append a run to the conversation it was requested in, in the transaction that creates the run.

    If the owner has no such conversation, the run begins anyway and appears in none.
    """
    owned = (CONVERSATIONS.c.id == request.conversation_id, CONVERSATIONS.c.owner == request.owner)
    if connection.execute(update(CONVERSATIONS).where(*owned).values(updated_at=now)).rowcount == 0:
        return
    _name_untitled(connection, request.conversation_id, title_of(request.question))
    for message in research_messages(run_id, request, now):
        _append(connection, request.conversation_id, message, now)


def _name_untitled(connection: Connection, conversation_id: str, title: str) -> None:
    untitled = (CONVERSATIONS.c.id == conversation_id, CONVERSATIONS.c.title == "")
    connection.execute(update(CONVERSATIONS).where(*untitled).values(title=title))


def _append(connection: Connection, conversation_id: str, message: Message, now: datetime) -> None:
    last = select(func.max(MESSAGES.c.place)).where(MESSAGES.c.conversation == conversation_id)
    place = (connection.execute(last).scalar() or 0) + 1
    values = _values_of(message) | {"conversation": conversation_id, "id": message.id, "place": place, "alive_at": now}
    connection.execute(insert(MESSAGES).values(**values))


def _entries() -> Select[Any]:
    messages = select(func.count()).where(MESSAGES.c.conversation == CONVERSATIONS.c.id).scalar_subquery()
    return select(
        CONVERSATIONS,
        func.coalesce(VIDEOS.c.key, "").label("video_key"),
        func.coalesce(VIDEOS.c.title, "").label("video_title"),
        messages.label("messages"),
    ).outerjoin(VIDEOS, VIDEOS.c.id == CONVERSATIONS.c.video)


def _entry(row: Row[Any]) -> ConversationEntry:
    return ConversationEntry(**{name: getattr(row, name) for name in _ENTRY_FIELDS})


def _of_owner(connection: Connection, conversation_id: str, owner: str) -> Row[Any]:
    row = connection.execute(_entries().where(CONVERSATIONS.c.id == conversation_id, CONVERSATIONS.c.owner == owner)).first()
    if row is None:
        raise ConversationNotFoundError
    return row


def _touch(connection: Connection, conversation_id: str, owner: str, **values: object) -> None:
    """Update the row of a conversation, which locks out other writers until the transaction ends."""
    owned = (CONVERSATIONS.c.id == conversation_id, CONVERSATIONS.c.owner == owner)
    if connection.execute(update(CONVERSATIONS).where(*owned).values(**values)).rowcount == 0:
        raise ConversationNotFoundError


def _video_row(owner: str, video: VideoContext) -> dict[str, object]:
    """Return the row of *video*, whose id is a hash of its content."""
    body = VIDEO.write(video)
    content = f"[{json_text(owner)},{json_text(body)}]"
    row_id = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()
    return {"id": row_id, "owner": owner, "key": video_key(video), "video_id": video.video_id, "title": video.title, "body": body}


def _put_video(connection: Connection, row: dict[str, object]) -> None:
    """Insert the row of a video unless it is there."""
    from sqlalchemy.dialects import postgresql, sqlite

    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    # Writing the id over itself locks the row, so that it is not deleted before the conversation refers to it.
    insertion = dialect.insert(VIDEOS).values(row)
    connection.execute(insertion.on_conflict_do_update(index_elements=["id"], set_={"id": row["id"]}))


def _values_of(message: Message) -> dict[str, object]:
    """Return the values of the columns of *message* that can change."""
    return {
        "kind": message.kind.value,
        "state": message.state.value,
        "text": message.text,
        "about": message.about,
        "record": _record_of(message),
        "created_at": message.created_at,
    }


def _record_of(message: Message) -> object:
    """Return what is stored of *message* besides its own columns; for a question, its moment and search."""
    if message.record is not None:
        return RECORD.write(message.record)
    facts = {"moment_s": message.moment_s, "search": message.search or None}
    return {name: value for name, value in facts.items() if value is not None} or None


def _message_of(row: Row[Any]) -> Message:
    """Return the message of a row; an unreadable one becomes a failed message that says so."""
    readable = True
    try:
        kind, state = MessageKind(row.kind), MessageState(row.state)
    except ValueError:
        kind, state, readable = (MessageKind.QUESTION if row.text else MessageKind.ANSWER), MessageState.FAILED, False
    record, moment_s, search = None, None, ""
    if row.record is not None and kind is MessageKind.QUESTION:
        stored = row.record if isinstance(row.record, dict) else {}
        moment_s, search = number_in(stored.get("moment_s")), str(stored.get("search") or "")
    elif row.record is not None:
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
        about=row.about,
        moment_s=moment_s,
        search=search,
        record=record,
        created_at=row.created_at,
    )


def _end_message(message: Message) -> Message:
    """Return a running message whose process has ended as a failed one."""
    record = message.record
    if message.kind is not MessageKind.QUESTION:
        record = replace(record or AnswerRecord(), error=INTERRUPTED)
    return replace(message, state=MessageState.FAILED, record=record)
