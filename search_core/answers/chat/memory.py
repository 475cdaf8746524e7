"""The memory of a conversation: its earlier turns, for queries and prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_core.domain.conversation import AnswerRecord, Message, MessageKind
from search_core.domain.query import ConversationMemory, Turn
from search_core.domain.research import STOPPED_MARKER, ResearchRun, ResearchStatus
from search_core.language.sentences import shorten

MAX_ANSWER_CHARS = 1000
"""Longest remembered answer; callers may shorten further."""
_SOURCE_MARK = re.compile(r"(?<!\s)\s*\[\d{1,4}(?:\s*,\s*\d{1,4})*\]")
_NUMBER = re.compile(r"\d+")


def memory_of(messages: Sequence[Message], until: str = "", *, asking: str = "") -> ConversationMemory:
    """Return the questions in *messages* with their answers, oldest first, before the message *until*.

    If the last turns ask the same as *asking*, they are left out, so that a repeated question is read as it was the first time.
    """
    answers: dict[str, list[str]] = {}
    searched: dict[str, str] = {}
    questions: dict[str, Message] = {}
    asked_by: dict[str, str] = {}
    for message in messages:
        if message.id == until:
            break
        if message.kind is MessageKind.QUESTION:
            questions[message.id] = message
            asked_by[message.id] = message.id
        elif message.kind is MessageKind.RESEARCH:
            if message.research is not None:
                answers.setdefault(message.about, []).append(report_text(message.research))
        elif message.record is not None and (question_id := asked_by.get(message.about)) is not None:
            asked_by[message.id] = question_id
            answers.setdefault(question_id, []).append(answer_text(message.record))
            searched.setdefault(question_id, message.record.searched_for)
    asked = {question_id: question.text for question_id, question in questions.items() if question.text}
    while asking and asked and asked[next(reversed(asked))] == asking:
        asked.popitem()
    memory = ConversationMemory()
    for question_id, text in asked.items():
        answer = "\n".join(filter(None, answers.get(question_id, ())))
        turn = Turn(question=text, query=searched.get(question_id, ""), answer=shorten(answer, MAX_ANSWER_CHARS))
        memory = memory.remember(turn)
    return memory


def answer_text(record: AnswerRecord) -> str:
    """Return an answer's text without source numbers; the web's text if it replaced the video's.

    Text based on own documents is left out: memories become queries, which leave the machine.
    """
    answer = _SOURCE_MARK.sub("", record.web_text) if record.web_origin is not None else record.text
    of_own = record.own is not None and record.own.to_model
    further = record.without_web.text if record.without_web is not None and not of_own else ""
    nothing = record.failure.for_model if record.failure is not None else ""
    return "\n".join(filter(None, (answer.strip(), further.strip(), nothing.strip())))


def report_text(run: ResearchRun) -> str:
    """Return a run's text: how it ended if incomplete, then its report without source numbers.

    Text based on own documents is left out: memories become queries and prompts, which leave the machine.
    """
    report = _SOURCE_MARK.sub("", _report_of_web(run)).strip()
    match run.status:
        case ResearchStatus.COMPLETE | ResearchStatus.FINISHED_EARLY:
            return report
        case ResearchStatus.STOPPED:
            how = "사용자가 조사를 멈췄습니다."
        case ResearchStatus.FAILED:
            how = " ".join(("조사가 끝까지 되지 못했습니다.", *(failure.korean for failure in run.failures[-1:])))
        case _:
            return "조사가 아직 끝나지 않았습니다."
    return "\n".join(filter(None, (how, report)))


def _report_of_web(run: ResearchRun) -> str:
    """Return the report; if it cites documents of the user's, only the lines that cite sources and none of these documents."""
    report = run.report.replace(STOPPED_MARKER, "")
    own = {source.number for source in run.sources if source.own and not source.sample}
    if not own & _cited_numbers(report):
        return report
    return "\n".join(line for line in report.splitlines() if (cited := _cited_numbers(line)) and not own & cited)


def _cited_numbers(text: str) -> set[int]:
    return {int(number) for mark in _SOURCE_MARK.findall(text) for number in _NUMBER.findall(mark)}
