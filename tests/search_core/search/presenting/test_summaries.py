"""Foreign results get their Korean summaries, from a model or without."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from search_core.answers.support import amounts_missing
from search_core.domain.report import DegradedPart
from search_core.errors import LanguageModelError
from search_core.search.presenting.summaries import (
    MAX_AT_ONCE,
    MAX_FAILURES,
    MAX_QUOTE_CHARS,
    add_summaries,
    best_sentences,
    foreign_language,
    korean_gists,
)

from .conftest import english_hit, korean_hit

LONG = "The committee met for the third time in a month " * 7


@pytest.mark.parametrize(
    ("title", "snippet", "language", "found"),
    [
        ("Nvidia", "A new chip was shown today", "", "en"),
        ("Nvidia", "Une nouvelle puce a été présentée", "fr", "fr"),
        ("日本銀行", "金利を据え置きました", "", "ja"),
        ("12 + 3", "2026", "en", ""),
        ("NVIDIA GTC 2026 Keynote", "NVIDIA CEO Jensen Huang이 GTC 2026에서 Rubin GPU를 공개했다. HBM4를 쓴다.", "en", ""),
    ],
)
def test_the_text_decides_what_is_foreign(title: str, snippet: str, language: str, found: str):
    """The letters decide whether a text is foreign; which language it is, the service may know better."""
    assert foreign_language(korean_hit(title=title, snippet=snippet, language=language)) == found


@pytest.mark.parametrize(
    ("snippet", "scores", "shown"),
    [
        ("One said that it will ship. Two said that it will not. Three said nothing of it.", (), "1 2"),
        ("One said that it will ship. Two said that it will not. Three said nothing of it.", (0.9, 0.1, 0.8), "1 … 3"),
        (f"One said that it will ship. {LONG}.", (), "1"),
        ("Read more. One said that it will ship. Two said that it will …", (), "1"),
    ],
)
def test_the_best_sentences_stand_for_a_text(snippet: str, scores: tuple[float, ...], shown: str):
    """The best one and the next best, where it is near to it and there is room, are quoted whole, and none that is cut off."""
    sentences = {"1": "One said that it will ship.", "2": "Two said that it will not.", "3": "Three said nothing of it."}
    assert best_sentences(snippet, scores) == " ".join(sentences.get(word, word) for word in shown.split())


def test_a_text_without_a_full_stop_is_cut():
    """A run without an end is cut within the length and says so; an empty text gives nothing."""
    assert best_sentences(LONG) == f"{LONG[: MAX_QUOTE_CHARS - 1].rstrip()}…"
    assert best_sentences("  ") == ""


class Model:
    """Answers by a coroutine function and counts who is at work."""

    def __init__(self, answer: Callable[[str], Awaitable[str]]) -> None:
        self._answer = answer
        self.asked: list[str] = []
        self.at_work = 0
        self.most_at_work = 0
        self.cancelled = 0

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        self.asked.append(result_title)
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        try:
            return await self._answer(result_title)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.at_work -= 1


async def writes(title: str) -> str:
    await asyncio.sleep(0)
    return f"{title} 요약이에요."


async def fails(_title: str) -> str:
    raise LanguageModelError("HTTP 401.", korean="요약 서비스의 키가 맞지 않아요.")


async def hangs(_title: str) -> str:
    await asyncio.Event().wait()
    return ""


def add(results, model, deadline_s: float = 5.0):
    return asyncio.run(add_summaries(results, model, deadline_s=deadline_s))


def test_a_model_summarises_foreign_results_only():
    """Korean results and those summarised already are not sent, few are at once; without a model own sentences stand in."""
    model = Model(writes)
    done = english_hit(title="Done already", summary="이미 있어요.", summary_origin="model")
    results, degradations = add([korean_hit(), english_hit(title="One two"), done], model)
    assert model.asked == ["One two"]
    assert [result.summary for result in results] == ["", "One two 요약이에요.", "이미 있어요."]
    assert [result.summary_origin for result in results] == ["", "model", "model"]
    assert degradations == ()
    assert add([korean_hit()], Model(writes)) == ((korean_hit(),), ())
    (result, empty), degradations = add([english_hit(), english_hit(snippet="")], None)
    assert (result.summary_origin, empty.summary_origin, degradations) == ("extract", "", ())
    assert result.summary == "Nvidia CEO Jensen Huang unveiled the HBM4 roadmap at GTC in San Jose."
    many = Model(writes)
    add([english_hit(title=f"Title {n}") for n in range(20)], many)
    assert (len(many.asked), many.most_at_work) == (20, MAX_AT_ONCE)


def test_a_failing_model_is_replaced_and_told():
    """Every result still gets a summary, the reader is told, and a model that keeps failing is asked no more."""
    model = Model(fails)
    results, (degradation,) = add([english_hit(title=f"Title {n}") for n in range(20)], model)
    assert all(result.summary_origin == "extract" and result.summary for result in results)
    assert MAX_FAILURES <= len(model.asked) < MAX_FAILURES + MAX_AT_ONCE
    assert degradation.part is DegradedPart.SUMMARY
    assert "HTTP 401." in degradation.cause
    assert degradation.korean == "요약 서비스의 키가 맞지 않아요. 외국어 자료 20건은 원문의 문장을 그대로 보여 드려요."


def test_a_summary_with_a_number_its_text_does_not_hold_is_refused():
    """Such a summary gives way to the text's own sentences, is counted and named; the model is asked on for the others."""
    said = {
        "Made up": "영업이익이 9,999억 원이라고 전했어요.",
        "In won": "영업이익이 1년 전보다 34% 늘어 6,013억 원이라고 전했어요.",
        "In Q3": "2024년 3분기 영업이익이 늘었다고 전했어요.",
        "A name": "HBM4를 쓴다고 전했어요.",
    }
    snippet = "Operating profit rose 34 percent from a year earlier to 601.3 billion won in the third quarter, it said."

    async def answers(title: str) -> str:
        return said[title]

    model = Model(answers)
    hits = [english_hit(title=title, snippet=snippet) for title in (*["Made up"] * MAX_FAILURES, *said)]
    results, (degradation,) = asyncio.run(add_summaries(hits, model, deadline_s=5, missing_numbers=amounts_missing))
    shown = [(result.title, result.summary_origin) for result in results[MAX_FAILURES:]]
    assert shown == [("Made up", "extract"), ("In won", "model"), ("In Q3", "extract"), ("A name", "model")]
    assert results[0].summary == snippet
    refused = MAX_FAILURES + 2
    assert degradation.korean == (
        f"언어 모델이 쓴 요약 {refused}건은 원문에 없는 숫자가 있어서 쓰지 않았어요. "
        f"외국어 자료 {refused}건은 원문의 문장을 그대로 보여 드려요."
    )
    assert "9,999억 원" in degradation.cause


def test_the_deadline_holds_for_all_together():
    """What is not written in time is cancelled and quoted instead."""

    async def some_hang(title: str) -> str:
        return await (hangs(title) if "slow" in title else writes(title))

    model = Model(some_hang)
    results, (degradation,) = add([english_hit(title="Quick"), english_hit(title="A slow one")], model, deadline_s=0.05)
    assert [result.summary_origin for result in results] == ["model", "extract"]
    assert model.cancelled == 1
    assert "No answer within 0.05 s." in degradation.cause


def test_own_documents_go_to_no_model_unless_that_is_allowed():
    """A foreign document of the library is summarised by extract, which is no failure of the model."""
    document = english_hit(title="Secret plan", url="library:a", collection="user")
    model = Model(writes)
    summarized, degradations = add([document, english_hit()], model)
    assert model.asked == [english_hit().title]
    assert [result.summary_origin for result in summarized] == ["extract", "model"]
    assert degradations == ()
    allowed = asyncio.run(add_summaries([document], model, deadline_s=5, own_documents=True))[0]
    assert (allowed[0].summary_origin, model.asked[-1]) == ("model", "Secret plan")


def test_the_sentence_nearest_to_the_question_stands_for_a_text():
    """The sentences of all results are compared at once, and the nearest of each is shown."""
    asked = []

    def nearness(sentences):
        asked.append(sentences)
        return [float("March" in sentence) for sentence in sentences]

    page = english_hit(
        snippet="SK hynix showed HBM4 samples to its customers. The first of them will be delivered in March 2027.",
    )
    results = asyncio.run(add_summaries([page, english_hit()], None, deadline_s=5, nearness=nearness))[0]
    assert results[0].summary == "The first of them will be delivered in March 2027."
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("title", "snippet", "asked", "gist"),
    [
        ("Strike", "At Seoul Metro trains ran at 80 percent.", "파업에 열차는?", "파업 · 열차 · Seoul Metro · 80 percent"),
        (
            "ASML results",
            "It sold more EUV sources than ever, for 7.5 billion euros.",
            "원전은 몇 기나 지어?",
            "EUV · 7.5 billion euros",
        ),
        ("on gardens", "flowers like water and light.", "금리는 언제 내려?", ""),
    ],
)
def test_asked_words_names_and_figures_of_a_foreign_text_are_said(title: str, snippet: str, asked: str, gist: str):
    """In Korean, in this order, none in another of its senses (원전 is a source, too); a text that holds none has none."""
    other = english_hit(title="on vaccines", snippet="the CDC recommends a booster dose after six months.")
    assert korean_gists([english_hit(title=title, snippet=snippet), other], asked) == [gist, "CDC · six months"]
