from __future__ import annotations

from typing import Any

import pytest

from search_core.answers.chat.memory import MAX_ANSWER_CHARS, memory_of
from search_core.domain.conversation import (
    AnswerOrigin,
    AnswerRecord,
    Message,
    MessageKind,
    MessageState,
    WebAnswerFailed,
    WebFailure,
)
from search_core.domain.research import STOPPED_MARKER, ResearchRequest, ResearchRun, ResearchSource, ResearchStatus
from search_core.domain.run import RunFailed
from tests.search_core.answers.chat.scripted_chat import NOW


def asked(message_id: str, text: str) -> Message:
    return Message(id=message_id, kind=MessageKind.QUESTION, text=text, created_at=NOW)


def said(message_id: str, about: str, *, kind: MessageKind = MessageKind.ANSWER, **record: object) -> Message:
    state = MessageState.COMPLETE
    return Message(id=message_id, kind=kind, state=state, about=about, record=AnswerRecord(**record), created_at=NOW)


def researched(status: ResearchStatus, report: str, **more: Any) -> tuple[Message, Message]:
    """Return a question and the research that was made for it."""
    request = ResearchRequest(question="얼마나?")
    run = ResearchRun(id="r", request=request, status=status, report=report, created_at=NOW, **more)
    return asked("q", "얼마나?"), Message(id="r", kind=MessageKind.RESEARCH, about="q", research=run, created_at=NOW)


def turns(*messages: Message, until: str = "") -> list[tuple[str, str, str]]:
    return [(turn.question, turn.query, turn.answer) for turn in memory_of(messages, until=until).turns]


def test_a_question_that_is_asked_again_stands_in_no_memory_of_its_own():
    """It refers to what came before its first asking; the same question earlier on is a turn like any other."""
    first = (asked("q1", "2차는?"), said("a1", "q1", text="45년."), asked("q2", "그럼 1차는?"), said("a2", "q2", text=""))
    assert [turn.question for turn in memory_of(first, asking="그럼 1차는?").turns] == ["2차는?"]
    assert [turn.question for turn in memory_of(first, asking="2차는?").turns] == ["2차는?", "그럼 1차는?"]


def test_the_webs_words_count_where_they_took_the_place_of_the_first():
    """A finished answer from the web is remembered without numbers of sources, one that broke off or failed beside the first."""
    answer = said(
        "a", "q", text="몰라요.", searched_for="HBM4", web_text="양산해요 [1]. 정말이에요[2, 3].", web_origin=AnswerOrigin.MODEL
    )
    assert turns(asked("q", "언제?"), answer) == [("언제?", "HBM4", "양산해요. 정말이에요.")]
    assert turns(asked("q", "언제?"), said("a", "q", text="몰라요.", web_text="양산")) == [("언제?", "", "몰라요.")]
    failure = WebAnswerFailed(failure=WebFailure.TIMEOUT, cause="slow", korean="늦어요.", for_model="찾지 못했습니다.")
    assert turns(asked("q", "?a"), said("a", "q", text="몰라요.", failure=failure)) == [("?a", "", "몰라요.\n찾지 못했습니다.")]
    [(_, _, long)] = turns(asked("q", "?a"), said("a", "q", text="열 글자인 문장이에요. " * 200))
    assert len(long) <= MAX_ANSWER_CHARS


def test_what_a_check_said_belongs_to_the_question_of_its_answer():
    """A check's words follow the answer it checks."""
    check = said("c", "a", kind=MessageKind.CHECK, web_text="맞아요 [1].", web_origin=AnswerOrigin.EXTRACT, searched_for="HBM")
    assert turns(asked("q", "언제?"), said("a", "q", text="내년이에요."), asked("q2", "왜?"), check) == [
        ("언제?", "", "내년이에요.\n맞아요."),
        ("왜?", "", ""),
    ]


def test_only_what_was_said_before_a_message_is_remembered():
    """Nothing from *until* on counts, and a question without text is none."""
    messages = (asked("q1", "하나?"), asked("q2", ""), asked("q3", "셋?"), asked("q4", "넷?"))
    assert turns(*messages, until="q4") == [("하나?", "", ""), ("셋?", "", "")]


@pytest.mark.parametrize(
    ("status", "report", "answer"),
    [
        (ResearchStatus.COMPLETE, "두 배예요 [1][2].", "두 배예요."),
        (ResearchStatus.SEARCHING, "", "조사가 아직 끝나지 않았습니다."),
        (ResearchStatus.STOPPED, STOPPED_MARKER, "사용자가 조사를 멈췄습니다."),
        (ResearchStatus.STOPPED, f"두 배예요 [1].\n\n{STOPPED_MARKER}", "사용자가 조사를 멈췄습니다.\n두 배예요."),
        (ResearchStatus.FAILED, "", "조사가 끝까지 되지 못했습니다. 검색하지 못했어요."),
    ],
)
def test_research_is_an_earlier_turn(status: ResearchStatus, report: str, answer: str):
    """Its report counts as an answer does, cut like one; without one, what became of it."""
    failure = RunFailed(kind="Search failed", description="", korean="검색하지 못했어요.")
    assert turns(*researched(status, report, failures=(failure,))) == [("얼마나?", "", answer)]


@pytest.mark.parametrize("address", ["library:plans/secret.md", "https://intranet.example/plan"])
def test_what_research_found_in_own_documents_is_not_remembered(address: str):
    """Only lines that cite the web alone leave the machine with later questions, where a document of the user's is cited."""
    sources = tuple(
        ResearchSource(number=number, title="", url=url, snippet="", domain=domain, collection=collection)
        for number, url, domain, collection in (
            (1, "https://news.example/1", "news.example", ""),
            (2, address, "내 자료", "user"),
            (3, "library:library/hbm.md", "내 자료 (예시)", "sample"),
        )
    )
    of_web, mixed, of_sample, uncited = "양산해요 [1].", "비밀이에요 [1, 2].", "두 배예요 [3].", "요약하면 비밀이에요."
    kept = [
        (f"{uncited}\n\n{of_web}\n\n- {mixed}\n- {of_sample}", "양산해요.\n- 두 배예요."),
        (f"{uncited}\n\n{of_web}\n\n- {of_sample}", "요약하면 비밀이에요.\n\n양산해요.\n\n- 두 배예요."),
        (mixed, ""),
    ]
    for report, answer in kept:
        assert turns(*researched(ResearchStatus.COMPLETE, report, sources=sources)) == [("얼마나?", "", answer)]
