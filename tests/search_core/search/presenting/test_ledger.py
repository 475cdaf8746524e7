"""Who was asked, how it ended, and what to do."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from search_core.domain.query import WritingOutcome, WrittenQuery
from search_core.domain.reply import SearchStatus
from search_core.search.presenting.ledger import (
    failure_notice,
    headline,
    ledger,
    not_asked_line,
    reasons,
    status_sentence,
    without_pauses,
    writing_line,
)

from .conftest import NOW, korean_hit, reply, report

LABELS = {"wikipedia": "위키백과", "google": "구글", "duckduckgo": "DuckDuckGo", "library": "내 자료", "bing": "Bing"}


NONE, NOT_AWAITED = SearchStatus.NO_RESULTS, SearchStatus.NOT_AWAITED


def found(provider: str, **changes):
    return reply(provider, SearchStatus.SUCCESS, korean_hit(), latency_ms=812.0, **changes)


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        (
            (found("wikipedia"), found("library"), reply("duckduckgo", NONE), reply("google", SearchStatus.RATE_LIMITED)),
            "4곳 중 3곳이 답했어요. 구글은 요청 한도를 넘었어요.",
        ),
        ((found("wikipedia"),), "위키백과는 답했어요."),
        (
            (reply("bing", SearchStatus.TIMEOUT), reply("duckduckgo", SearchStatus.BLOCKED)),
            "2곳 중 답한 곳이 없어요. Bing은 시간 안에 답하지 않았어요. DuckDuckGo는 접속을 막았어요.",
        ),
        (
            (found("wikipedia"), reply("bing", NOT_AWAITED)),
            "2곳 중 1곳이 답했어요. Bing은 검색 시간이 다 되어 기다리지 않았어요.",
        ),
        ((), "물어본 곳이 없어요."),
    ],
)
def test_the_headline_counts_answers_and_names_failures(replies, expected: str):
    """Partly, all, none and not asked are four things; each failure has its reason."""
    assert headline(replies, LABELS, NOW) == expected


def test_a_kept_answer_tells_its_age():
    """A kept answer that stands in for a failed one says how old it is and counts as not answered."""
    stale = found("google", stale=True, stored_at=NOW - timedelta(hours=3))
    assert headline([found("wikipedia"), stale], LABELS, NOW) == "2곳 중 1곳이 답했어요. 구글은 3시간 전에 저장된 결과예요."
    (line,) = ledger([stale], LABELS, NOW)
    assert line.text == "3시간 전에 저장된 결과예요. 지금은 답을 받지 못했어요. 다시 시도해 주세요."
    assert not line.answered


def test_what_was_not_asked_is_not_counted_as_asked():
    """Pages found twice count once, and a pause neither counts as asked nor hides what the service answered before it."""
    paused = [reply(name, SearchStatus.COOLING_DOWN, retry_after_s=59.0) for name in ("google", "bing", "bing")]
    asked = (found("wikipedia"), found("wikipedia", query="HBM"), reply("google", SearchStatus.BLOCKED, retry_after_s=60.0))
    replies = [*asked, *paused]
    assert [line.text for line in ledger(replies, LABELS, NOW)] == [
        "1건 · 0.8초 · 검색어 2개로 물었어요",
        "접속을 막았어요. 59초 뒤 다시 시도해 주세요.",
        "앞선 요청이 실패해서 잠시 쉬고 있어요. 59초 뒤 다시 시도해 주세요.",
    ]


@pytest.mark.parametrize(
    ("replies", "why"),
    [
        ((found("wikipedia"),), "묻지 않았어요. 순서가 앞선 곳에서 결과를 찾았어요."),
        ((found("wikipedia", stale=True),), "묻기 전에 검색이 끝났어요."),
        ((found("library", web=False), reply("bing", SearchStatus.TIMEOUT)), "묻기 전에 검색이 끝났어요."),
    ],
)
def test_who_was_not_asked_is_told_with_the_reason(replies, why: str):
    """Because others of the web had found something new, or because the search had ended."""
    left = report(replies=replies, not_asked=("google", "bing"))
    assert not_asked_line(left, LABELS) == f"구글, Bing에는 {why}"


def test_a_text_that_is_kept_counts_no_seconds():
    """Who reads it later would be told to wait for what is long over."""
    resting = without_pauses([reply("google", SearchStatus.COOLING_DOWN, retry_after_s=29.0)])
    assert "조금 기다렸다가" in ledger(resting, LABELS, NOW)[0].text
    assert "29" not in ledger(resting, LABELS, NOW)[0].text + reasons(resting, LABELS)


def test_every_ending_has_a_sentence_and_a_next_step_of_its_own():
    """Each status is described in Korean with what to do, without developer words, and no two alike."""
    failures = [status for status in SearchStatus if status is not SearchStatus.SUCCESS]
    lines = [ledger([reply("google", status, error_message="HTTP 500 at https://x")], LABELS, NOW)[0].text for status in failures]
    odd = [line for line in lines if not re.fullmatch(r"[가-힣 ,]+\. [가-힣 ,]+(?:요)\.", line)]
    assert odd == ["검색 시간이 다 되어 기다리지 않았어요."]  # nothing has to be done about it
    assert len({*lines, ledger([reply("google")], LABELS, NOW)[0].text}) == len(SearchStatus)


def test_a_service_that_is_out_of_order_is_not_the_connection():
    """Where a service was reached and said that it cannot answer, nobody is sent to look at their own connection."""
    broken = reply("google", SearchStatus.NETWORK_ERROR, out_of_order=True)
    assert ledger([broken], LABELS, NOW)[0].korean == "구글: 서비스에 문제가 생겨 답하지 못했어요. 잠시 뒤 다시 시도해 주세요."
    own = reply("library", SearchStatus.NETWORK_ERROR, web=False)
    assert reasons([broken, own], LABELS) == "구글: 서비스에 문제가 생겨 답하지 못했어요"
    notice = failure_notice([broken], LABELS)
    assert notice is not None
    assert notice.checks == ("잠시 뒤 다시 시도해 주세요.",)
    assert "문제" in status_sentence(SearchStatus.NETWORK_ERROR), "where only the status is known, both are possible"


def test_a_whole_failure_says_what_to_do():
    """The notice lists what to check, and the shortest pause that a service asked for."""
    replies = [reply("google", SearchStatus.RATE_LIMITED, retry_after_s=120), reply("bing", SearchStatus.NETWORK_ERROR)]
    notice = failure_notice(replies, LABELS)
    assert notice is not None
    assert notice.retry_after_s == 120
    assert notice.checks == ("인터넷 연결을 확인하고 다시 시도해 주세요.",)  # that it is to be tried again stands once
    resting = failure_notice([reply("bing", SearchStatus.COOLING_DOWN, retry_after_s=8.0)], LABELS)
    assert resting is not None
    assert (resting.checks, resting.retry_after_s) == ((), 8.0)
    advice = "Node.js를 설치해 주세요."
    missing = failure_notice([reply("bing", SearchStatus.API_KEY_MISSING, advice=advice)], LABELS)
    assert missing is not None
    assert missing.checks == (f"Bing: {advice}",)


def test_an_answer_is_no_whole_failure():
    """One readable answer, even an empty one, is no failure of all; without any service the notice says to turn one on."""
    for status in (SearchStatus.SUCCESS, SearchStatus.NO_RESULTS):
        assert failure_notice([reply("google", SearchStatus.TIMEOUT), reply("bing", status)], LABELS) is None
    notice = failure_notice([], LABELS)
    assert notice is not None
    assert notice.checks == ("설정에서 웹 검색 서비스를 하나 이상 켜 주세요.",)


def test_what_became_of_a_language_model_s_query_is_said():
    """Each ending has a sentence of its own; without a model there is none."""
    said = {each: writing_line(WrittenQuery(outcome=each, text="ASML {실적}", took_ms=412.0)) for each in WritingOutcome}
    assert said[WritingOutcome.WRITTEN] == "검색어를 썼어요: ‘ASML {실적}’ · 0.4초"
    assert (len(set(said.values())), writing_line(None)) == (len(WritingOutcome), "")
