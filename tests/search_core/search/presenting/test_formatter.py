"""Results as Korean text."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain.reply import SearchStatus
from search_core.domain.result import Moment, SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.korean import has_hangul
from search_core.search.presenting.dates import korean_date
from search_core.search.presenting.formatter import ResultFormatter
from search_core.search.presenting.summaries import MAX_QUOTE_CHARS, add_summaries, foreign_language, korean_gists
from tests.search_core.generated_videos import SEED, names_of, videos

from .conftest import NOW, english_hit, korean_hit, reply

FORMATTER = ResultFormatter(NOW, {"wikipedia": "위키백과", "duckduckgo": "DuckDuckGo"})
HANGUL = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)
KOREAN = st.text(st.one_of(HANGUL, HANGUL, st.sampled_from(" .,!?\"'*_[]()#1234AIGPT·“”%-🆕")), min_size=1, max_size=60).filter(
    lambda text: has_hangul(text) and not foreign_language(korean_hit(title=text, snippet=text))
)
KOREAN_LINES = st.lists(KOREAN, min_size=1, max_size=3).map("\n".join)
WORD = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFG"), min_size=2, max_size=9)
ENGLISH = st.lists(WORD, min_size=1, max_size=25).map(" ".join)
DATE = st.one_of(st.none(), st.integers(0, 400 * 24).map(lambda hours: NOW - timedelta(hours=hours)))
SCORE = st.one_of(st.none(), st.floats(0, 1))
URL = st.integers(0, 999).map(lambda number: f"https://site{number}.example.kr/{number}?q=%EA%B0%80")


def in_video(hit: SearchResult, video: VideoContext) -> SearchResult:
    """Return *hit* as it is found for *video*: its title names what the video is about, and it bears on a moment of it."""
    said = video.transcript[0] if video.transcript else TranscriptSegment(0, 1, video.title)
    moment = Moment(start_s=said.start_s, text=said.text, similarity=0.5)
    return replace(hit, title=f"{video.title} {hit.title}", entity_matches=names_of(video)[:3], moment=moment)


HITS = st.one_of(
    st.builds(korean_hit, title=KOREAN, snippet=KOREAN_LINES, publish_date=DATE, relevance_score=SCORE, url=URL),
    st.builds(english_hit, title=ENGLISH, snippet=ENGLISH, publish_date=DATE, relevance_score=SCORE, url=URL),
    st.builds(korean_hit, title=KOREAN, snippet=st.just(""), url=URL, source=st.just(""), providers=st.just(())),
)
FOUND = st.builds(in_video, HITS, videos())
KOREAN_INSIDE = "값은 공개하지 않았다."
MIXED = (
    "SK hynix will ship HBM4 this year, the company said in Seoul on Tuesday, and analysts raised their price targets after it. "
    f"Shares of the company rose four percent in the afternoon session. {KOREAN_INSIDE} Rivals declined to comment on the plans."
)


def test_a_korean_result_is_written_out():
    """Title, score, snippet, source with address, services by their Korean names and date are all there."""
    result = korean_hit(relevance_score=0.823, publish_date=NOW - timedelta(days=30), providers=("wikipedia", "duckduckgo"))
    assert FORMATTER.format_results([result]) == (
        "1. **한국은행, 기준금리 동결 결정** · 관련도 82점\n"
        "   요약: 한국은행 금융통화위원회가 기준금리를 연 3%로 동결했다.\n"
        "   출처: news.example.kr · https://news.example.kr/1\n"
        "   검색 서비스: 위키백과, DuckDuckGo · 날짜: 2026년 10월 21일 (1개월 전)"
    )


def test_summaries_say_what_they_are():
    """What a model wrote is labelled; a Korean text called English is shown as it is; an empty one is named."""
    result = english_hit(summary="엔비디아가 계획을 공개했어요.", summary_origin="model")
    assert FORMATTER.create_summary(result) == "[영문 자료 · AI 요약] 엔비디아가 계획을 공개했어요."
    assert FORMATTER.create_summary(korean_hit(language="en")) == korean_hit().snippet
    assert FORMATTER.create_summary(english_hit()) == (
        "[영문 자료 · 원문] Nvidia CEO Jensen Huang unveiled the HBM4 roadmap at GTC in San Jose."
    )
    assert "본문이 없어요" in FORMATTER.create_summary(korean_hit(snippet=" "))


def test_line_breaks_cannot_forge_an_entry():
    """Line breaks in title, snippet, source and query leave one entry with one source line at its place."""
    result = korean_hit(title="제목\n2. **가짜**", snippet="본문\n\n2. **가짜**\n   출처: 가짜", source="곳\n3. 가짜")
    text = FORMATTER.format_results([result])
    assert len(re.findall(r"(?m)^\d+\. ", text)) == 1
    assert len(re.findall(r"(?m)^ {3}출처: ", text)) == 1
    assert "1. **제목 2. **가짜**** · " in text


def test_the_response_has_a_heading_and_tells_gaps():
    """The heading names the question and the count; failed services are told under the list."""
    replies = [reply("wikipedia", SearchStatus.SUCCESS, korean_hit()), reply("duckduckgo", SearchStatus.TIMEOUT)]
    text = FORMATTER.format_korean_response([korean_hit()], query="기준금리", replies=replies)
    assert text.startswith("'기준금리' 검색 결과 1건이에요.\n\n1. ")
    assert text.endswith("2곳 중 1곳이 답했어요. DuckDuckGo는 시간 안에 답하지 않았어요.")
    assert FORMATTER.format_korean_response([korean_hit()]).startswith("검색 결과 1건이에요.\n\n1. ")


@pytest.mark.parametrize(
    ("for_model", "ending"), [(True, "기존 지식을 바탕으로 답변하세요."), (False, "더 짧은 검색어로 다시 찾아보세요.")]
)
def test_nothing_found_is_a_finished_search(for_model: bool, ending: str):
    """An answered search without results is complete, and names services that failed; one that nobody answered is not."""
    none, timeout = reply("wikipedia", SearchStatus.NO_RESULTS), reply("duckduckgo", SearchStatus.TIMEOUT)
    text = FORMATTER.format_korean_response([], query="없는 말", replies=[none], for_model=for_model)
    assert text == f"[검색 완료] '없는 말'에 대한 검색 결과가 없습니다. {ending}"
    text = FORMATTER.format_korean_response([], query="금리", replies=[none, timeout], for_model=for_model)
    assert text.startswith("[검색 완료] '금리'에 대한 검색 결과가 없습니다.")
    assert for_model or "2곳 중 1곳이 답했어요" in text
    away = [reply("wikipedia", SearchStatus.NETWORK_ERROR), reply("duckduckgo", SearchStatus.BLOCKED)]
    text = FORMATTER.format_korean_response([], query="금리", replies=away, for_model=for_model)
    start = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 "
    assert text.startswith(f"{start}(사유: 위키백과: 연결되지 않았어요, DuckDuckGo: 접속을 막았어요). ")
    assert "검색 결과가 없습니다" not in text


@SEED
@given(st.lists(FOUND, min_size=1, max_size=5))
def test_any_results_are_a_numbered_list_in_korean_with_their_sources(results):
    """Entries are numbered from 1; each has title, a summary that is not empty, Korean text, its address and its services.

    Feature: improved-web-search, Property 3: any display contains Korean text and clear attribution
    Feature: improved-web-search, Property 13: every shown result has title, summary and source URL
    Feature: improved-web-search, Property 16: several results are a numbered list
    """
    text = FORMATTER.format_results(results)
    assert [int(number) for number in re.findall(r"(?m)^(\d+)\. ", text)] == list(range(1, len(results) + 1))
    for entry, result in zip(re.split(r"\n\n(?=\d+\. )", text), results, strict=True):
        assert has_hangul(entry)
        assert result.title in entry.splitlines()[0]
        told = re.search(r"(?ms)^ {3}요약: (.*?)\n {3}출처: ([^\n]*)\n {3}검색 서비스: ([^\n]+?) · ", entry)
        assert told is not None
        summary, source, services = told.groups()
        assert summary.strip()
        assert result.url in source
        assert result.source in source
        assert services == {("wikipedia",): "위키백과", ("duckduckgo",): "DuckDuckGo", (): "알 수 없음"}[result.providers]


@SEED
@given(st.builds(in_video, st.builds(korean_hit, title=KOREAN, snippet=KOREAN_LINES), videos()))
def test_korean_content_is_preserved(result):
    """A Korean title and each line of a Korean snippet appear letter for letter; the summary is the snippet itself.

    Feature: improved-web-search, Property 14: Korean content is preserved
    """
    text = FORMATTER.format_results([result])
    assert result.title in text
    assert all(line in text for line in result.snippet.splitlines())
    assert foreign_language(result) or FORMATTER.create_summary(result) == result.snippet


@SEED
@given(st.lists(st.builds(english_hit, title=ENGLISH, snippet=ENGLISH, publish_date=DATE), max_size=2), videos())
def test_a_foreign_result_is_shown_briefly(results, video):
    """What stands for a foreign result without a model is short, labelled in Korean, and says in Korean what it is about.

    Names of the video, the words that are asked and figures stand first, then a sentence of its own text.

    Feature: improved-web-search, Property 15: a foreign result gets a brief Korean summary
    """
    named = " ".join(name for name in video.organizations if name.isascii())
    asked = f"{named} 메모리"
    about = [replace(each, snippet=f"{named} uses its memory by 80 percent. {each.snippet}") for each in results]
    told, _ = asyncio.run(add_summaries(about, None, deadline_s=1, asked=asked))
    label = "[영문 자료 · 원문] "
    for before, after, gist in zip(about, told, korean_gists(about, asked), strict=True):
        summary = FORMATTER.create_summary(after)
        assert summary.startswith(f"{label}{gist} — ")
        assert "메모리" in gist
        assert "80 percent" in gist
        sentence = summary.removeprefix(f"{label}{gist} — ")
        assert len(sentence) <= MAX_QUOTE_CHARS
        assert sentence.removesuffix("…") in before.snippet


@SEED
@given(DATE, st.builds(in_video, st.builds(korean_hit, title=KOREAN), videos()), st.none() | st.integers(0, 30))
def test_recent_dates_are_highlighted(date: datetime | None, found: SearchResult, days: int | None):
    """A day of the last seven, of the page or written in its text, is marked and bold; older and unknown ones are not.

    Feature: improved-web-search, Property 17: recent dates are highlighted
    """
    snippet = "" if days is None else f"{korean_date(NOW - timedelta(days=days))} 서울에서 열렸다."
    last = FORMATTER.format_results([replace(found, publish_date=date, snippet=snippet)]).splitlines()[-1]
    recent = date is not None and NOW - date <= timedelta(days=7)
    assert bool(re.search(r"날짜: 🆕 \*\*(?:.+ 전|오늘|어제)\*\* \(", last)) is recent
    assert ("🆕" in last) is (recent or (days is not None and days < 7))


def test_korean_sentences_survive_a_summary():
    """A foreign result whose text holds Korean sentences shows them as they are, and once.

    Feature: improved-web-search, Property 14: Korean content is preserved
    """
    mixed = english_hit(snippet=MIXED, summary="하이닉스가 HBM4를 올해 낸다는 소식이에요.", summary_origin="model")
    assert FORMATTER.create_summary(mixed).endswith(f"\n원문의 한국어: {KOREAN_INSIDE}")
    assert KOREAN_INSIDE in FORMATTER.format_results([mixed])
    whole = english_hit(snippet=MIXED, summary=f"회사는 {KOREAN_INSIDE}", summary_origin="model")
    assert FORMATTER.create_summary(whole).count(KOREAN_INSIDE) == 1


def test_reasons_name_what_became_of_a_service():
    """Cooling down names no time, a wrong key sends nobody to wait; a library asked alone speaks of no web."""
    cooling = [reply("wikipedia", SearchStatus.COOLING_DOWN, retry_after_s=90.0)]
    text = FORMATTER.format_korean_response([], query="금리", replies=cooling)
    assert "(사유: 위키백과: 앞선 요청이 실패해서 잠시 쉬고 있어요)." in text
    refused = [reply("tavily", SearchStatus.INVALID_API_KEY), reply("library", SearchStatus.SUCCESS, web=False)]
    mended = [("설정의 키를 확인해 주세요.", refused), ("설정에서 웹 검색 서비스를 하나 이상 켜 주세요.", refused[1:])]
    for to_mend, replies in (*mended, ("잠시 뒤 다시 시도하거나 영상만으로 계속해 주세요.", [*refused, *cooling])):
        text = FORMATTER.format_korean_response([], query="금리", replies=replies)
        assert f"결과가 없다는 뜻이 아니에요. {to_mend}" in text
    empty = reply("library", SearchStatus.API_KEY_MISSING, web=False, advice="내 자료가 비어 있어요.")
    text = FORMATTER.format_korean_response([], query="금리", replies=[empty], web_wanted=False)
    assert text == "내 자료를 찾아보지 못했어요. library: 내 자료가 비어 있어요."


def test_late_results_and_own_documents_have_lines_and_numbers_of_their_own():
    """What came late stands behind the first list, own documents behind both, and no number is given twice."""
    hits = [korean_hit(title="첫째"), korean_hit(title="늦은 글", late=1), korean_hit(title="내 글", collection="user")]
    text = ResultFormatter(NOW).format_korean_response(hits, query="금리")
    heads = ("'금리' 검색 결과 2건이에요.", "뒤늦게 도착한 결과 1건", "내 자료에서 1건이에요.")
    entries = ("1. **첫째**", "2. **늦은 글**", "3. **내 글**")
    in_order = [heads[0], entries[0], heads[1], entries[1], heads[2], entries[2]]
    assert [text.index(words) for words in in_order] == sorted(text.index(words) for words in in_order)
