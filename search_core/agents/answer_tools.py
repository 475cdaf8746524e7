"""The tools that ask a video and hold what it says against the web; their answers are kept as conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

from search_core.agents.arguments import Handle, Question, Schema, Video, entries, names, result_names
from search_core.agents.calls import STOPPING_S, Call
from search_core.agents.material import Item, address, judge_words, one_line, text_items
from search_core.agents.replies import Reply, RunId, RunKind, Status, note_of
from search_core.agents.tools import Tool, ToolParts
from search_core.agents.videos import OpenedVideo
from search_core.answers.chat import AnswerJob, start_answer
from search_core.domain import (
    AnswerRecord,
    Message,
    MessageKind,
    MessageState,
    OwnDocument,
    StanceRow,
    TranscriptPassage,
    WebFailure,
    WebSource,
)
from search_core.errors import InputError
from search_core.presenting.wording import mark_unsupported
from search_core.search.intent import validate_question
from search_core.text.video_time import clock

if TYPE_CHECKING:
    from search_core.core import SearchCore

MAX_MOMENTS = 6
_LOOK_S = 1.0
_STATUSES = {
    MessageState.RUNNING: Status.RUNNING,
    MessageState.STOPPED: Status.STOPPED,
    MessageState.FAILED: Status.FAILED,
}
_NOTHING = frozenset({WebFailure.NO_RESULTS, WebFailure.NOT_ANSWERED})
SOURCES = entries("n title url date")


class AskVideo(Tool):
    """Answer a question by what a video says, citing moments; by the web only where it says nothing."""

    name = "ask_video"
    result: ClassVar[Schema] = result_names(
        "run_id conversation origin",
        data=names("answer web_answer", moments=entries("at_s quote cited"), sources=SOURCES),
    )
    question: Question
    video: Video = ""
    conversation: Handle = ""

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Return the answer, or how to come back for it; raises InputError for a question that cannot be asked."""
        opened, text, owner = self._opened(core, parts, call), validate_question(self.question), call.caller.owner
        if opened is None and not self.conversation:
            raise InputError(
                "Name the video: pass `video`, or `conversation` of an earlier answer about it.",
                korean="어느 영상에 대한 질문인지 video나 conversation으로 알려 주세요.",
            )
        call.report("Answering from the video.")
        return self._answer(core, opened, call, lambda where: core.chat.ask(where, owner, text))

    def _opened(self, core: SearchCore, parts: ToolParts, call: Call) -> OpenedVideo | None:
        return None if self.conversation else parts.videos.open_if_named(core, self.video, call)

    def _answer(self, core: SearchCore, opened: OpenedVideo | None, call: Call, start: Callable[[str], AnswerJob]) -> Reply:
        """Start an answer in the conversation or in a new one, and wait for it."""
        video = opened.video if opened else None
        job = start_answer(core.chat, call.caller.owner, self.conversation or None, video, start)
        with call.stop_with(job.cancel):
            while not job.wait(min(_LOOK_S, call.left_s)) and call.left_s:
                call.report(_doing(job.snapshot().record))
        return answer_reply(job.snapshot(), job.conversation_id, page=1, reference=opened.reference if opened else "")


class CheckOnline(AskVideo):
    """Compare what a video, or ask_video's answer, says with web sources: is it right? Stances, quotes, dates."""

    name = "check_online"
    result = result_names(
        "run_id conversation",
        data=names("summary web_answer", stances=entries("at_s stance said found source"), sources=SOURCES),
    )

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Return what the check came to, or how to come back for it; raises InputError as asking does."""
        opened, text, owner = self._opened(core, parts, call), validate_question(self.question), call.caller.owner
        if not core.chat.can_check():
            note = "No search service of the web is set up here, so nothing can be checked. The operator can set one up."
            return Reply(status=Status.COULD_NOT_ASK, note=note)
        call.report("Searching the web for sources.")
        return self._answer(core, opened, call, lambda where: core.chat.check_question(where, owner, text))


def _doing(record: AnswerRecord | None) -> str:
    if record is None or not (record.passages or record.searched_for):
        return "Choosing passages of the video."
    if not record.searched_for:
        return "Answering from the video."
    return "Writing from the sources found." if record.sources else "Searching the web."


def wait_for_answer(core: SearchCore, run: RunId, page: int, wait_s: float, call: Call) -> Reply:
    """Return a page of an answer as it stands after at most *wait_s* seconds; raises InputError for one that is not there."""

    def look() -> Message:
        messages = core.chat.open(run.id, call.caller.owner).messages
        message = next((each for each in messages if each.id == run.message), None)
        if message is None or message.kind not in (MessageKind.ANSWER, MessageKind.CHECK):
            raise InputError("There is no such answer any more.", korean="그 답변을 찾을 수 없어요. 다시 물어봐 주세요.")
        call.report(_doing(message.record))
        return message

    message = call.look_until(look, lambda each: each.state is not MessageState.RUNNING, wait_s)
    return answer_reply(message, run.id, page=page)


def stop_answer(core: SearchCore, run: RunId, call: Call) -> Reply:
    """Stop an answer and return what there is of it; raises what ``wait_for_answer`` raises."""
    owned = core.chat.open(run.id, call.caller.owner).messages
    job = core.chat.job(run.message) if any(each.id == run.message for each in owned) else None
    if job is not None:
        call.report("Stopping the answer.")
        job.cancel()
    return wait_for_answer(core, run, 1, STOPPING_S, call)


def answer_reply(message: Message, conversation: str, *, page: int, reference: str = "") -> Reply:
    """Return an answer, or a check, as it stands."""
    record = message.record or AnswerRecord()
    run_id = str(RunId(RunKind.ANSWER, conversation, message.id))
    status = _STATUSES.get(message.state) or _outcome(record, message.kind)
    running = status is Status.RUNNING
    failure = record.failure
    return Reply(
        status=status,
        note=note_of(
            _advice(status, record, message.kind, run_id),
            record.notice,
            record.error,
            *((failure.korean, failure.reason) if failure is not None else ()),
        ),
        coverage=(*_passages(record), *filter(None, (record.headline,)), *record.ledger, *_pages_read(record)),
        facts={"run_id": run_id, "conversation": conversation, "video": reference, "origin": _origin(record)},
        items=() if running else tuple(answer_items(record)),
        page=page,
        how_to_page=f"get_run with run_id={run_id} and ",
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


def _passages(record: AnswerRecord) -> tuple[str, ...]:
    return (f"{len(record.passages)} passages of the transcript looked at",) if record.passages else ()


def _pages_read(record: AnswerRecord) -> tuple[str, ...]:
    """Return how many pages were really read; of the other sources only the snippet is known."""
    if not record.pages:
        return (f"{len(record.sources)} sources known by their snippets alone",) if record.sources else ()
    failed = [f"[{page.number}] {page.failure}" for page in record.pages if page.failure]
    unread = f"; could not read {', '.join(failed)}" if failed else ""
    return (f"read {len(record.pages) - len(failed)} of {len(record.pages)} pages{unread}",)


def _origin(record: AnswerRecord) -> str:
    """Return what the answer rests on, and who worded it."""
    source, by = ("web", record.web_origin) if record.web_origin is not None else ("video", record.origin)
    return f"{source}, by {by.value}" if by is not None else ""


def _advice(status: Status, record: AnswerRecord, kind: MessageKind, run_id: str) -> str:
    if status is Status.RUNNING:
        return f"Not finished yet. Call get_run with run_id={run_id} to go on."
    if status is Status.DONE and kind is MessageKind.CHECK:
        return "Held against the web: stances, each with its judge, then what the web adds. Sources are numbered."
    if status is Status.DONE and record.web_text:
        return "The video does not say it; answered from the web. Sources are numbered."
    if status is Status.FOUND_NONE and record.fallback is not None and not record.fallback.enabled:
        return "The video does not say it, and searching the web for answers is turned off here."
    return _ADVICE[status]


_ADVICE = {
    Status.DONE: "Answered from the video; moments are seconds from its start.",
    Status.FOUND_NONE: "Neither the video nor the web says it: both were asked. Try other words.",
    Status.BELOW_THRESHOLD: "The video does not say it, and all that the web has is below the threshold: search_in_context with "
    "weak=true lists it.",
    Status.COULD_NOT_ASK: "The web could not be asked; that says nothing about what it has. The video's answer stands.",
    Status.COULD_NOT_READ: "None of the pages could be read: this rests on snippets alone.",
    Status.PARTIAL: "The model broke off; what it said until then stands.",
    Status.STOPPED: "Stopped; what there was stands. Ask again for the whole.",
    Status.FAILED: "The answer failed; ask again.",
}


def answer_items(record: AnswerRecord) -> Iterator[Item]:
    """Yield what the answer says, then what it rests on."""
    if record.summary:
        yield from text_items("summary", record.summary)
    says_nothing = record.fallback is not None and record.fallback.triggered
    if record.text and not (record.web_text and says_nothing):
        yield from text_items("answer", record.text)
    if record.web_text:
        yield from text_items("web_answer", mark_unsupported(record.web_text, record.unsupported))
    if record.without_web is not None:
        again = record.without_web
        yield from text_items("without_web", mark_unsupported(again.text, again.unsupported))
    yield from (_moment(record, passage) for passage in _cited_passages(record))
    if record.comparison is not None:
        yield from (_stance(row) for row in record.comparison.rows)
    yield from map(_source, record.sources)
    if record.own is not None:
        yield from map(_own, record.own.documents)


def _cited_passages(record: AnswerRecord) -> list[TranscriptPassage]:
    """Return the passages that the answer cites, or the nearest ones where it cites none."""
    passages = list(record.passages)
    cited = [passage for passage in passages if any(passage.start_s <= at <= passage.end_s for at in record.moments)]
    return sorted((cited or passages)[:MAX_MOMENTS], key=lambda passage: passage.start_s)


def _moment(record: AnswerRecord, passage: TranscriptPassage) -> Item:
    quote = one_line(passage.text, 240)
    cited = any(passage.start_s <= at <= passage.end_s for at in record.moments)
    value = {"at_s": round(passage.start_s, 1), "quote": quote, "cited": cited}
    return Item("moments", value, f"[{clock(passage.start_s)}] “{quote}”")


def _stance(row: StanceRow) -> Item:
    said, found = one_line(row.statement, 160), one_line(row.quote, 200)
    value = {
        "at_s": round(row.moment_s, 1),
        "stance": row.stance.value,
        "said": said,
        "found": found,
        "source": row.source + 1,
        "date": row.date.date().isoformat() if row.date else None,
        "independent": not row.restates_video,
        "judge": row.judge.value,
        "probability": None if row.probability is None else round(row.probability, 2),
    }
    again = "" if value["independent"] else ", only retells the video"
    whose = f"source {row.source + 1}{again}, by {judge_words(row)}"
    line = f"[{clock(row.moment_s)}] {row.stance.value} ({whose}): video “{said}” · web “{found}”"
    return Item("stances", value, line)


def _source(source: WebSource) -> Item:
    value = {
        "n": source.number,
        "title": one_line(source.title, 120),
        "url": address(source.url),
        "snippet": one_line(source.snippet, 200),
        "source": one_line(source.source, 60),
        "date": source.publish_date.date().isoformat() if source.publish_date else None,
    }
    line = f"[{source.number}] {value['title']} ({value['source']}, {value['date'] or 'undated'}) {value['url']}"
    return Item("sources", value, f"{line}\n{value['snippet']}")


def _own(document: OwnDocument) -> Item:
    title, quote = one_line(document.title, 120), one_line(document.quote, 240)
    value = {"title": title, "url": address(document.url), "quote": quote, "sample": document.sample}
    sample = " (sample)" if document.sample else ""
    return Item("own", value, f"own document, not the web{sample}: {title} “{quote}”")
