"""Tools for agents that answer about a video and check answers on the web; answers are stored as conversations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from search_core.agents.replies import ADVICE, OWNER, STOPPING_S, Call, Status, ToolResult
from search_core.agents.videos import ReferencedVideo
from search_core.answers.chat.chat import start_answer
from search_core.answers.chat.job import AnswerJob
from search_core.domain.conversation import AnswerRecord, Message, MessageKind, MessageState, WebFailure
from search_core.domain.plain_json import fields_json, plain_json
from search_core.domain.video import TranscriptPassage
from search_core.errors import InputError
from search_core.search.presenting.wording import mark_unsupported

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_MOMENTS = 6
_STATUSES = {
    MessageState.RUNNING: Status.PARTIAL,
    MessageState.STOPPED: Status.PARTIAL,
    MessageState.FAILED: Status.FAILED,
}
_WEB_OFF = "The video does not say it, and searching the web for answers is turned off here."
_NOTHING = frozenset({WebFailure.NO_RESULTS, WebFailure.NOT_ANSWERED})
_SOURCE = ("number", "title", "url", "snippet", "source", "publish_date")
_ROW = ("moment_s", "statement", "stance", "quote", "date", "restates_video", "judge", "probability")


async def give_answer(
    core: SearchCore, opened: ReferencedVideo | None, conversation: str, call: Call, start: Callable[[str], AnswerJob]
) -> ToolResult:
    """Start an answer by *start* in a conversation, and return as much as comes within the time of the call."""
    if opened is None and not conversation:
        raise InputError(
            "Name the video: pass `video`, or `conversation` of an earlier answer about it.",
            korean="어느 영상에 대한 질문인지 video나 conversation으로 알려 주세요.",
        )
    video = opened.video if opened else None
    job = await call.run(lambda: start_answer(core.chat, OWNER, conversation or None, video, start))
    try:
        await call.run(lambda: job.wait(call.left_s))
    finally:
        job.cancel()
    await call.run(lambda: job.wait(STOPPING_S))
    return answer_reply(job.snapshot(), job.conversation_id, opened.reference if opened else "")


def answer_reply(message: Message, conversation: str, video: str = "") -> ToolResult:
    """Return the current state of an answer or a check."""
    record = message.record or AnswerRecord()
    status = _STATUSES.get(message.state) or _outcome(record, message.kind)
    advice = _WEB_OFF if record.fallback is not None and not record.fallback.enabled else ADVICE[status]
    why = (record.failure.korean, record.failure.reason) if record.failure is not None else ()
    return ToolResult(
        status=status,
        note=" ".join(filter(None, (advice, record.notice, record.error, *why))),
        coverage=(*filter(None, (record.headline,)), *record.ledger),
        facts={"conversation": conversation, "origin": record.web_origin or record.origin, "video": video},
        data=answer_json(record),
        long="stances" if message.kind is MessageKind.CHECK else "web_answer" if record.web_text else "answer",
        error=status is Status.FAILED,
    )


def _outcome(record: AnswerRecord, kind: MessageKind) -> Status:
    if record.failure is not None:
        if record.failure.web_away:
            return Status.COULD_NOT_ASK
        if record.failure.failure is WebFailure.NOT_RELEVANT:
            return Status.BELOW_THRESHOLD
        return Status.FOUND_NONE if record.failure.failure in _NOTHING else Status.FAILED
    if record.fallback is not None and record.fallback.triggered and not record.web_text:
        return Status.FOUND_NONE
    if record.pages and all(page.failure for page in record.pages):
        return Status.COULD_NOT_READ
    broke_off = kind is MessageKind.ANSWER and not record.complete
    return Status.PARTIAL if broke_off else Status.DONE


def answer_json(record: AnswerRecord) -> dict[str, object]:
    """Return an answer with its sources, unsupported sentences marked."""
    says_nothing = record.fallback is not None and record.fallback.triggered
    again, rows = record.without_web, record.comparison.rows if record.comparison is not None else ()
    return {
        "summary": record.summary,
        "answer": "" if record.web_text and says_nothing else record.text,
        "web_answer": mark_unsupported(record.web_text, record.unsupported),
        "without_web": mark_unsupported(again.text, again.unsupported) if again is not None else "",
        "moments": plain_json(_cited_passages(record)),
        "stances": [{**fields_json(row, *_ROW), "source": row.source + 1} for row in rows],
        "sources": [fields_json(source, *_SOURCE) for source in record.sources],
        "pages": plain_json(record.pages),
        "own": plain_json(record.own.documents) if record.own is not None else [],
    }


def _cited_passages(record: AnswerRecord) -> tuple[TranscriptPassage, ...]:
    """Return the passages that the answer cites, or the nearest ones if it cites none."""
    cited = [passage for passage in record.passages if any(passage.start_s <= at <= passage.end_s for at in record.moments)]
    return tuple(sorted((cited or record.passages)[:MAX_MOMENTS], key=lambda passage: passage.start_s))
