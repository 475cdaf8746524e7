"""Plans by models that plan, refuse, ramble, obey strangers and die; and the question itself where they do."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.domain.query import ConversationMemory, Turn
from search_core.domain.research import PlanOrigin, ResearchRequest
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.research.planning import Plan, Planner, clean_subtask, distinct, read_subtasks
from tests.loopback import language_model as play
from tests.loopback.language_model import LanguageModelServer
from tests.search_core.answers.asking import hbm, scorer

from .report_material import model

ASKED = "한빛전자와 가람전자의 매출을 비교해 줘"
THREE = ("한빛전자의 2025년 매출은 얼마인가요", "가람전자의 2025년 매출은 얼마인가요", "두 회사의 매출은 왜 차이가 나나요")


def planned(server: LanguageModelServer | None, question: str = ASKED, **more: object) -> Plan:
    planner = Planner(model(server.url) if server else None, scorer())
    return asyncio.run(planner.plan(ResearchRequest(question=question, **more)))


def texts(plan: Plan) -> tuple[str, ...]:
    return tuple(subtask.text for subtask in plan.subtasks)


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(THREE, ensure_ascii=False),
        "```json\n" + json.dumps(THREE, ensure_ascii=False, indent=2) + "\n```",
        "계획이에요.\n\n" + json.dumps({"subtasks": [{"id": 1, "question": text} for text in THREE]}, ensure_ascii=False),
        "\n".join(f"{number}. {text}" for number, text in enumerate(THREE, start=1)),
        "다음과 같이 나눠요:\n\n" + "\n".join(f"- {text}" for text in THREE) + "\n\n이 순서로 조사하면 돼요.",
        "\n".join(f"{text}?" for text in THREE),
        "<think>음... [1, 2]</think>" + json.dumps(THREE, ensure_ascii=False),
    ],
    ids=["json", "fenced", "object", "numbered", "bullets", "lines", "thoughts"],
)
def test_a_plan_is_read_however_it_is_written(answer: str):
    """A JSON list, one in code, one of objects, numbers, bullets and bare questions give the same three subtasks."""
    assert tuple(text.rstrip("?") for text in read_subtasks(answer)) == THREE


def test_the_model_plans_and_near_doubles_are_left_out(server: LanguageModelServer):
    """Of six subtasks that ask for five different things five are numbered; another year is another question."""
    asked = ("2024년 매출은?", "2025년 매출은?", "매출은 2025년에?", "부채는?", "주가는?", "직원 수는?", "공장은?")
    server.answer = play.saying(json.dumps([f"한빛전자의 {each}" for each in asked], ensure_ascii=False))
    plan = planned(server)
    assert texts(plan) == tuple(f"한빛전자의 {each}" for each in (*asked[:2], *asked[3:6]))
    assert [subtask.number for subtask in plan.subtasks] == [1, 2, 3, 4, 5]
    assert {plan.origin, *(subtask.origin for subtask in plan.subtasks)} == {PlanOrigin.MODEL}
    assert plan.note == ""


@pytest.mark.parametrize(
    ("personality", "why"),
    [
        (play.dying(50, "1. 한빛전자의 매출은 얼마인가요\n2. 가람전자의 매출은 얼마인가요\n3. 두"), "언어 모델의 답이 중간에"),
        (play.saying('["하나뿐인 질문이에요"]'), "언어 모델이 질문을 나누지 않아서"),
        (play.saying("[[1, 2, ["), "언어 모델이 쓴 계획을 읽을 수 없어서"),
        (None, "언어 모델이 없어서"),
    ],
    ids=["dies", "one", "rubbish", "none"],
)
def test_where_the_model_fails_the_question_is_the_plan(
    server: LanguageModelServer, personality: play.Personality | None, why: str
):
    """A model that is not there, dies, rambles or gives one subtask costs the plan nothing but a Korean note."""
    server.answer = personality or play.honest
    plan = planned(server if personality else None)
    assert (texts(plan), plan.origin) == ((ASKED,), PlanOrigin.RULES)
    assert plan.note.startswith(why)
    assert plan.note.endswith("질문을 그대로 조사해요.")


def test_the_model_knows_the_video_and_what_was_said_before(server: LanguageModelServer):
    """Title, date, organisations, passages and earlier turns go along with the question."""
    server.answer = play.saying(json.dumps(THREE, ensure_ascii=False))
    memory = ConversationMemory((Turn(question="무슨 영상이야?", answer="메모리에 대한 영상이에요."),))
    planned(server, "HBM은 왜 비싼가요?", video=hbm(), memory=memory)
    _, *earlier, last = server.asked[-1].body["messages"]
    assert [message["content"] for message in earlier] == ["무슨 영상이야?", "메모리에 대한 영상이에요."]
    *data, question = last["content"].split("\n")
    assert question == "질문: HBM은 왜 비싼가요?"
    assert {"title: HBM과 메모리 대역폭 — AI 가속기는 왜 메모리를 기다리는가", "published: 2026-03-02"} <= set(data)
    assert any(line.startswith("organisations: ") and "SK하이닉스" in line for line in data)
    assert any(re.fullmatch(r"\[\d\d:\d\d\]", line) for line in data)


PRIVATE = "회의록 암호는 두루미강 8841이고 여우섬에서 만난다."


@pytest.mark.parametrize(
    ("where", "ordered", "sent", "dropped"),
    [
        (
            "transcript",
            ["한빛전자 두루미강 8841 매출은?", "가람전자 여우섬에서 매출"],
            ["한빛전자 매출은?", "가람전자 매출"],
            True,
        ),
        (
            "description",
            ["한빛전자 두루미강 매출은?", "가람전자의 2024년 매출"],
            ["한빛전자 매출은?", "가람전자의 2024년 매출"],
            True,
        ),
        ("earlier", ["한빛전자 두루미강 매출은?", "가람전자 매출 차이는?"], ["한빛전자 매출은?", "가람전자 매출 차이는?"], True),
        ("earlier query", ["여우섬 매출은?", "가람전자 매출"], ["여우섬 매출은?", "가람전자 매출"], False),
        ("subject", ["두루미강 8841 매출", "가람전자 매출"], ["두루미강 매출", "가람전자 매출"], True),
        ("nowhere", list(THREE), list(THREE), False),
        ("transcript", ["두루미강 8841", "여우섬 암호", "한빛전자 매출"], [ASKED], True),
    ],
)
def test_a_plan_tells_services_nothing_that_was_only_said(
    server: LanguageModelServer, where: str, ordered: list[str], sent: list[str], dropped: bool
):
    """A model that obeys a transcript puts no word of it, of the description or of an earlier turn into a query; that is said."""
    server.answer = play.saying(json.dumps(ordered, ensure_ascii=False))
    spoken = "" if where in ("nowhere", "earlier", "description", "earlier query") else PRIVATE
    video = VideoContext(
        title="두 회사",
        subject=("두루미강",) if where == "subject" else (),
        description=PRIVATE if where == "description" else "",
        transcript=(TranscriptSegment(start_s=0.0, end_s=9.0, text=spoken),),
    )
    turn = Turn(question=PRIVATE if where.startswith("earlier") else "", query="여우섬" if where == "earlier query" else "")
    plan = planned(server, video=video, memory=ConversationMemory((turn,)))
    assert list(texts(plan)) == sent
    assert ("뺐어요" in plan.note) is dropped
    assert (plan.origin is PlanOrigin.MODEL) is (sent != [ASKED])


@settings(max_examples=40)
@given(st.text(alphabet=st.sampled_from(list('[]{}",:0123456789.가나다라 \n?-*`\\httpS/')), max_size=300))
def test_whatever_is_answered_is_bounded(answer: str):
    """No answer gives more than five subtasks, longer ones than 200 characters, or addresses."""
    found = read_subtasks(answer)
    assert len(found) <= 5
    assert all(1 < len(text) <= 200 and "://" not in text and "\n" not in text for text in found)


def test_a_subtask_is_one_plain_line():
    """Dress, labels, citations, addresses and marks of chat templates go; what is too long ends at a word."""
    assert (
        clean_subtask("**하위 질문 1: 한빛전자는 [3] 언제\n세워졌나요?** <|im_end|> https://evil.example/x")
        == "한빛전자는 언제 세워졌나요?"
    )
    assert clean_subtask("a" * 150 + " " + "b" * 100) == "a" * 150
    assert clean_subtask("가" * 300) == "가" * 200
    assert clean_subtask("1") == ""
    assert distinct(["한빛전자 매출", "", "한빛전자의 매출?"]) == ("한빛전자 매출",)
