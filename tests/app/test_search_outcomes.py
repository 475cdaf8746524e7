"""What the page says and offers when a search is more, or less, than a list."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from search_core.job import SearchProgress
from tests.app.conftest import Visit


def test_a_search_under_way_is_watched_stopped_and_found_again(visit):
    """The page names answers and waiting services, offers to stop, and a reload takes over the search with its video."""
    here = visit("slow", video=True)
    here.ask("대역폭")
    assert "위키백과 8건 · 0.6초" in here.texts()
    assert "DuckDuckGo 응답 대기 중" in here.texts()
    [job] = here.core.jobs.values()
    again = Visit(here.core, {"job": job.id, "q": "대역폭"})
    assert "DuckDuckGo 응답 대기 중" in again.texts()
    here.core.world = "found"
    question, options = here.core.searches[0]
    job.report, job.running = here.core.report(question, options), False
    again.look()
    assert again.has_button("change-video")
    assert "**9건**" in again.texts()
    assert again.session.asked == "대역폭"
    here.core.world = "slow"
    here.ask("전력")
    here.click("stop")
    assert list(here.core.jobs.values())[1].cancelled
    assert "검색을 멈췄어요. 그때까지 찾은 결과가 없어요." in here.texts()
    assert "**9건**" not in here.texts()
    assert here.session.asked == "전력"


def test_a_partial_answer_names_what_is_missing(visit):
    """Services that failed and their pauses stand over the results; of an earlier search, its age and no pause."""
    here = visit("partial")
    here.core.age = timedelta(seconds=1)
    here.ask("HBM4")
    assert "2곳 중 1곳이 답했어요. DuckDuckGo는 요청 한도를 넘었어요. 잠시 뒤에 다시 검색해 보세요." in here.texts()
    assert "**9건**" in here.texts()
    here.core.age = timedelta(hours=3, minutes=5)
    here.click("refresh")
    assert [options.use_cache for _, options in here.core.searches] == [True, False]
    assert "3시간 전에 검색한 결과예요. 2곳 중 1곳이 답했어요." in here.texts()
    assert "뒤에 다시 검색해 보세요" not in here.texts()
    here.core.world = "stale"
    here.ask("HBM4 값")
    assert "위키백과는 3시간 전에 저장된 결과예요" in here.texts()
    here.click("refresh")
    assert here.core.searches[-1][1].use_cache is False


def test_what_comes_late_stands_behind_what_is_in_sight(visit):
    """The first list keeps its cards and numbers, and what failed is said under it."""
    here = visit("slow")
    here.ask("HBM4")
    [job] = here.core.jobs.values()
    here.core.world = "partial"
    report = here.core.report(job.question, job.options)
    early = replace(report, results=report.results[3:], hidden=(), waiting=("duckduckgo",), elapsed_ms=300.0)
    job.snapshot = lambda: SearchProgress(phase="asking", waiting=early.waiting, report=early)
    here.look()
    assert "요청 한도를 넘었어요" not in here.texts()
    assert not any("숨긴 결과" in label or "누구에게" in label for label in here.folds())
    first = re.findall(r"(?m)^(\d+)\\. (.+)$", here.markdown())
    late = tuple(replace(hit, late=1) for hit in report.results[1:3])
    job.report, job.running = replace(report, results=(*early.results, *late)), False
    here.look()
    written = re.findall(r"(?m)^(\d+)\\. (.+)$", here.markdown())
    assert written[: len(first)] == first
    assert [number for number, _ in written] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    texts = here.markdown()
    in_order = ("\n6\\.", "뒤늦게 도착한 결과 2건", "\n7\\.", "DuckDuckGo는 요청 한도를 넘었어요")
    assert [texts.index(words) for words in in_order] == sorted(texts.index(words) for words in in_order)
    assert "검색 내역 · 웹 검색 2곳 중 1곳 응답 · 0.9초" in here.folds()


def test_own_documents_are_shown_while_the_web_is_awaited(visit):
    """They stand under their heading at once, and what stands for the web's list has no number and no words yet."""
    here = visit("slow")
    here.ask("HBM4")
    [job] = here.core.jobs.values()
    here.core.world = "own"
    report = here.core.report(job.question, job.options)
    early = replace(report, replies=report.replies[:1], waiting=("wikipedia",))
    job.snapshot = lambda: SearchProgress(phase="asking", waiting=early.waiting, report=early)
    here.look()
    assert "내 자료에서 9건" in here.markdown()
    assert "웹에서 찾은 결과가 없어요" not in here.texts()
    assert len(here.at.get("skeleton")) == 3


def test_all_failed_is_not_nothing_found(visit):
    """Where nothing was found broader queries are offered; where nobody could be asked, why, under what the video says."""
    here = visit("nothing", video=True)
    here.ask("HBM4")
    assert "찾은 결과가 없어요" in here.texts()
    assert "“HBM4 대역폭 가람반도체”" in here.texts()
    offered = [here.button(key).label for key in here.keys("broader-")]
    assert offered == ["가람반도체 대역폭", "메모리 대역폭"]
    here.click("broader-0")
    question, options = here.core.searches[-1]
    assert (question.text, options.verbatim) == ("가람반도체 대역폭", True)
    here.core.world = "failed"
    for age, pauses in ((timedelta(seconds=75), True), (timedelta(hours=1), False)):
        here.core.age = age
        here.ask(f"대역폭 {pauses}")
        assert here.has_button("retry")
        assert ("잠시 뒤에 다시 검색해 보세요." in here.texts()) is pauses
    page = here.texts()
    assert "웹에서 답을 받지 못했어요." in page
    assert "내 자료만" not in page  # there is none
    assert "찾은 결과가 없어요" not in page
    assert page.count("인터넷 연결을 확인하고 다시 시도해 주세요.") == 1
    assert "대역폭이 두 배" in here.texts()  # what the video says stands
    assert here.keys("scene-") == ["scene-0", "scene-1", "scene-2"]


def test_own_documents_stand_apart_from_the_web(visit):
    """They have a heading and numbers of their own, and take no place from the web, whose results are counted for themselves."""
    here = visit("own")
    here.ask("HBM4")
    assert "웹에서 찾은 결과가 없어요" in here.texts()
    assert "[검색 완료] 'HBM4'에 대한 검색 결과가 없습니다." in here.texts()
    assert "**0건** · 내 자료 **9건**" in here.texts()
    assert "이 앱에 넣어 둔 문서에서 찾았어요. 문서의 글은 언어 모델에 보내지 않아요." in here.texts()
    assert not here.has_button("retry")
    here.fold("tuning")
    here.set("slider", "threshold", 100)
    assert "웹에서 찾은 결과가 없어요" in here.texts()
    assert "내 자료에는 기준보다 높은 결과가 없어요" in here.texts()
    here.core.world, here.core.count, here.core.most = "both", 14, 5
    here.set("slider", "threshold", 0)
    here.ask("HBM4 전력")
    assert "**5건** · 내 자료 **5건** · 숨김 2 · 숨긴 내 자료 2" in here.texts()
    written = here.markdown()
    assert written.index(r"5\.") < written.index("내 자료에서 5건") < written.index(r"자료 1\.") < written.index(r"자료 5\.")
    assert ":violet-badge[예시]" in written
    assert "맥락에 들어 있는 예시 문서에서 찾았어요." in here.texts()
    assert "넣어 둔" not in here.texts()  # nobody put any in
    here.fold("hidden")
    written = here.markdown()
    assert [written.count(f"{number}\\.") for number in ("자료 3", "자료 5", "자료 6", "자료 7")] == [1, 1, 1, 1]
    here.core.most = 20
    here.look()
    assert "**7건** · 내 자료 **7건**" in here.texts()


def test_results_without_a_fitting_score_are_not_lost(visit):
    """A threshold above every score leaves one button that lowers it; without scores all are shown, with the reason."""
    here = visit(count=4)
    here.ask("HBM4")
    here.fold("tuning")
    here.set("slider", "threshold", 100)
    assert here.button("lower-threshold").label == "기준을 낮추면 4건"
    here.click("lower-threshold")
    assert "**4건**" in here.texts()
    assert len(here.core.searches) == 1
    here.core.world, here.core.count = "unscored", 12
    here.ask("대역폭")
    assert "관련도를 재지 못해서 받은 순서대로 보여드려요." in here.texts()
    assert "**10건**" in here.texts()
