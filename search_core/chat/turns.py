"""What a conversation said so far, as the memory that queries and language models are given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_core.domain import AnswerRecord, ConversationMemory, Message, MessageKind, Turn

MAX_ANSWER_CHARS = 1000
"""Of one answer; readers of the memory cut further."""
_SOURCE_MARK = re.compile(r"(?<!\s)\s*\[\d{1,4}(?:\s*,\s*\d{1,4})*\]")
_SENTENCE_END = re.compile(r"[.!?。！？…][\"”’')\]]*(?=\s|$)|\n")


def memory_of(messages: Sequence[Message], until: str = "") -> ConversationMemory:
    """Return the questions of *messages* with what was answered, oldest first, up to the message *until* (not with it)."""
    said: dict[str, list[str]] = {}
    searched: dict[str, str] = {}
    questions: dict[str, Message] = {}
    asked_by: dict[str, str] = {}
    for message in messages:
        if message.id == until:
            break
        if message.kind is MessageKind.QUESTION:
            questions[message.id] = message
            asked_by[message.id] = message.id
        elif message.record is not None and (question_id := asked_by.get(message.about)) is not None:
            asked_by[message.id] = question_id
            said.setdefault(question_id, []).append(told(message.record))
            searched.setdefault(question_id, message.record.searched_for)
    memory = ConversationMemory()
    for question_id, question in questions.items():
        if question.text:
            answer = "\n".join(filter(None, said.get(question_id, ())))
            turn = Turn(question=question.text, query=searched.get(question_id, ""), answer=cut(answer, MAX_ANSWER_CHARS))
            memory = memory.remember(turn)
    return memory


def told(record: AnswerRecord) -> str:
    """Return what an answer says in the end, without numbers of sources: the web's words where they replaced the first.

    What rests on own documents stays out: a memory becomes queries, which leave the machine.
    """
    answer = _SOURCE_MARK.sub("", record.web_text) if record.web_origin is not None else record.text
    of_own = record.own is not None and record.own.to_model
    further = record.without_web.text if record.without_web is not None and not of_own else ""
    nothing = record.failure.for_model if record.failure is not None else ""
    return "\n".join(filter(None, (answer.strip(), further.strip(), nothing.strip())))


def cut(text: str, most: int) -> str:
    """Return *text* up to the last end of a sentence within *most* characters; up to a space, or hard, where there is none."""
    if len(text) <= most:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, most)]
    if ends:
        return text[: ends[-1]].rstrip()
    space = text.rfind(" ", 0, most)
    return text[: space if space > 0 else most].rstrip()
