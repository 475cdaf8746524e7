"""Reports by models that write, obey strangers, die, never end and refuse; and in quotations where they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from search_core.domain.research import STOPPED_MARKER, ContentChunk, ReportWritten, ResearchRequest
from search_core.domain.run import RunFailed
from search_core.research.evidence import SNIPPETS_ONLY
from tests.loopback import language_model as play
from tests.loopback.language_model import LanguageModelServer
from tests.search_core.answers.asking import hbm

from .report_material import PARTS, PLAN, QUESTION, SOURCES, day, material, source, subtask, writer, written

GOOD = (
    "## 요약\n\n한빛전자의 2025년 매출은 66조원이었어요 [1].\n\n"
    f"## {PARTS[0]}\n\n2025년 매출은 66조원이라는 자료가 있어요 [1].\n\n"
    f"## {PARTS[1]}\n\n새 메모리 양산은 2026년 2월에 시작했어요 [3].\n\n"
    "## 서로 다른 자료\n\n매출을 66조원이라고 한 자료 [1]과 72조원이라고 한 자료 [2]가 달라요."
)
EXTRACT = f"""## 요약

언어 모델이 쓴 글이 아니라, 찾은 자료에서 질문과 관련된 문장을 그대로 옮긴 발췌예요.

- “한빛전자의 2025년 매출은 66조원이었다.” (site1.example, 2026년 1월 20일) [1]
- “한빛전자는 2026년 2월에 새 메모리 양산을 시작했다.” (site3.example, 2026년 3월 5일) [3]

## {PARTS[0]}

- “한빛전자의 2025년 매출은 66조원이었다.” (site1.example, 2026년 1월 20일) [1]
- “한빛전자의 2025년 매출은 72조원이었다.” (site2.example, 2026년 1월 21일) [2]

## {PARTS[1]}

- “한빛전자는 2026년 2월에 새 메모리 양산을 시작했다.” (site3.example, 2026년 3월 5일) [3]"""


def report(events: Sequence[object]) -> ReportWritten:
    """Return the whole report, which is the last event and the only one of its kind."""
    assert isinstance(events[-1], ReportWritten)
    assert sum(isinstance(event, ReportWritten) for event in events) == 1
    return events[-1]


def streamed(events: Sequence[object]) -> str:
    return "".join(event.text for event in events if isinstance(event, ContentChunk))


def test_without_a_model_the_report_is_an_extract():
    """Headings for each part, the summary first, sentences word for word with numbers and dates, and it says what it is."""
    events = written(writer(), material())
    told = report(events)
    assert streamed(events) == EXTRACT
    assert (told.text, told.by_model, told.cited) == (EXTRACT, False, (1, 2, 3))
    assert told.note == "언어 모델 없이 자료에서 뽑은 발췌예요."


def test_a_report_streams_and_keeps_the_numbers_of_its_sources(server: LanguageModelServer):
    """The pieces are what the model says; the whole report has the same numbers."""
    server.answer = play.saying(GOOD)
    events = written(writer(server.url), material())
    assert streamed(events) == GOOD
    assert sum(isinstance(event, ContentChunk) for event in events) > 10
    told = report(events)
    assert (told.text, told.by_model, told.cited, told.unsupported, told.note) == (GOOD, True, (1, 2, 3), (), "")


def test_rules_correct_what_the_model_writes(server: LanguageModelServer):
    """An unknown number is dropped, unsupported and made-up sentences are marked."""
    wrong = "한빛전자는 직원 5만 명을 해고했어요 [3]."
    invented = "이익은 9,999억 원이었어요."
    server.answer = play.saying(f"한빛전자의 2025년 매출은 66조원이었어요 [1][99]. {wrong} {invented}")
    told = report(written(writer(server.url), material()))
    assert told.text == f"한빛전자의 2025년 매출은 66조원이었어요 [1]. {wrong} {invented}"
    assert [told.text[start:end] for start, end in told.unsupported] == [wrong, invented]
    assert told.cited == (1, 3)


def test_the_model_knows_day_plan_and_sources(server: LanguageModelServer):
    """Today, the day of the video and each part with its sources go along, without addresses."""
    server.answer = play.honest
    written(writer(server.url), material(request=ResearchRequest(question="HBM은 왜 비싼가요?", video=hbm())))
    prompt = server.asked[-1].prompt
    data = prompt.split("\n")
    assert "://" not in prompt
    assert "질문: HBM은 왜 비싼가요?" in data
    assert {"today: 2026-11-21", "video published: 2026-03-02", "[1] 한빛전자 연간 매출 (2026-01-20)"} <= set(data)
    assert {f"part 1: {PARTS[0]} (sources: [1], [2])", f"part 2: {PARTS[1]} (sources: [3])"} <= set(data)


@pytest.mark.parametrize(
    ("personality", "why"),
    [
        (play.dying(0), "언어 모델의 답이 중간에 끊겼어요."),
        (play.REFUSALS["bad key"], "언어 모델의 키가 맞지 않아요."),
        (play.saying("한빛전자는 아주 좋은 회사예요. 매출도 높아요."), "언어 모델이 쓴 글이 어느 자료도 가리키지 않아서,"),
        (play.saying("한빛전자는 좋은 회사예요 [7]."), "언어 모델이 쓴 글이 어느 자료도 가리키지 않아서,"),
        (play.saying("자료만으로는 알 수 없습니다 [1]."), "언어 모델이 자료에서 답을 찾지 못해서,"),
        (play.saying("우주에는 별이 아주 많이 떠 있어요 [1]."), "언어 모델이 쓴 글을 자료에서 확인하지 못해서,"),
        (
            lambda asked: play.saying(f"자료예요.\n{asked.body['messages'][-1]['content']}")(asked),
            "언어 모델이 답하지 않고 받은 글을 되풀이했어요.",
        ),
    ],
    ids=["dies", "refuses", "cites nothing", "cites what is not there", "does not know", "says something else", "an echo"],
)
def test_a_report_that_rests_on_nothing_gives_way_to_an_extract(
    server: LanguageModelServer, personality: play.Personality, why: str
):
    """A model that fails, cites no known source or only does not know costs a note; a failure is published without the key."""
    server.answer = personality
    events = written(writer(server.url), material())
    told = report(events)
    assert (told.text, told.by_model) == (EXTRACT, False)
    assert told.note == f"{why} 자료에서 뽑은 발췌로 대신 보여 드려요."
    failed = [event for event in events if isinstance(event, RunFailed)]
    assert [(each.kind, each.korean) for each in failed] == [("LanguageModelError", why)] * why.endswith("요.")
    assert play.KEY not in str(events)


@pytest.mark.parametrize("after", [50, len(GOOD)])
def test_what_a_dying_model_wrote_stays(server: LanguageModelServer, after: int):
    """Cut off at token 50 or at the last, the text stays, and the report says that it is not at its end."""
    server.answer = play.dying(after, GOOD)
    events = written(writer(server.url), material())
    told = report(events)
    assert told.text == GOOD[:after].rstrip()
    assert (told.by_model, told.unfinished) == (True, True)
    assert told.note.startswith("언어 모델의 답이 중간에 끊겼어요.")
    assert sum(isinstance(event, RunFailed) for event in events) == 1


def test_an_extract_says_what_its_quotations_are_and_what_is_missing():
    """Quotations younger than the video say so, foreign ones are as they are; a part without sources or sentences says which."""
    plan = (*PLAN, subtask(3, "가람전자의 부채는?"), subtask(4, "점심으로 국수가 좋은 까닭"), subtask(5, "Hanbit revenue"))
    english = "Hanbit Electronics revenue rose to 66 trillion won in 2025."
    foreign = source(5, "Hanbit revenue rises", english, publish_date=day("2026-01-20"), relevance_score=0.9, subtasks=(5,))
    sources = (*SOURCES, source(4, "바다", "바다에 파도가 쳤다.", subtasks=(4,)), foreign)
    given = material(request=ResearchRequest(question=QUESTION, video=hbm()), plan=plan, sources=sources)  # of 2 March 2026
    text = report(written(writer(), given)).text
    assert "(site3.example, 2026년 3월 5일, 영상 이후) [3]" in text
    assert f"- “{english}” (site5.example, 2026년 1월 20일) [5]" in text
    assert "## 가람전자의 부채는?\n\n이 부분은 찾은 자료가 없어요." in text
    nothing_quoted = report(written(writer(), material(plan=plan[3:4], sources=(replace(sources[3], number=1),))))
    assert ("“" in nothing_quoted.text, nothing_quoted.note) == (False, "")
    assert "## 점심으로 국수가 좋은 까닭\n\n이 부분과 바로 이어지는 문장을 찾지 못했어요." in text


def test_a_stopped_report_keeps_what_was_written():
    """The text so far stays, its citations looked up, with the mark of the stop behind it."""
    stopped = writer().finish_stopped(material(), "한빛전자의 2025년 매출은 66조원이었어요 [1][8]. 그리고")
    assert stopped.text == f"한빛전자의 2025년 매출은 66조원이었어요 [1]. 그리고\n\n{STOPPED_MARKER}"
    assert stopped.cited == (1,)
    for given, so_far in ((material(), " \n"), (material(pages={}), f"{SNIPPETS_ONLY}\n\n"), (material(sources=()), "")):
        assert writer().finish_stopped(given, so_far).text == STOPPED_MARKER
