"""What the page says and offers when a search is more, or less, than a list."""

from __future__ import annotations

from datetime import timedelta

from tests.app.conftest import Visit
from tests.app.core_double import NOW


def test_while_searching_the_page_names_what_it_waits_for(visit):
    """Answers and waiting services are listed, the search can be stopped, the question stays."""
    here = visit("slow")
    here.open_sample()
    here.ask("대역폭")
    assert "위키백과 8건 · 0.6초" in here.texts()
    assert "DuckDuckGo 응답 대기 중" in here.texts()
    here.click("stop")
    assert next(iter(here.core.jobs.values())).cancelled
    assert "검색을 멈췄어요." in here.texts()
    assert here.at.text_input(key="question").value == "대역폭"


def test_a_partial_answer_says_who_is_missing(visit):
    """Results come with one line on the services that failed and when to try again."""
    here = visit("partial")
    here.core.age = timedelta(seconds=1)
    here.ask("HBM4")
    assert "2곳 중 1곳이 답했어요. DuckDuckGo는 요청 한도를 넘었어요. 2분 뒤에 다시 시도해 보세요." in here.texts()
    assert "**9건**" in here.texts()
    here.click("refresh")
    assert [options.use_cache for _, options in here.core.searches] == [True, False]


def test_nothing_found_offers_broader_queries(visit):
    """The tried query is named; a broader one searches as it is."""
    here = visit("nothing")
    here.ask("HBM4")
    assert "찾은 결과가 없어요" in here.texts()
    assert "“HBM4 대역폭 가람반도체”" in here.texts()
    assert "[검색 완료] 'HBM4'에 대한 검색 결과가 없습니다." in here.texts()
    here.click("broader-0")
    question, options = here.core.searches[-1]
    assert (question.text, options.verbatim) == ("가람반도체 대역폭", True)


def test_words_of_the_question_are_not_offered_alone_beside_names(visit):
    """Broader queries are those the core made and names of the video, not "최근" or a year."""
    here = visit("nothing")
    here.ask("HBM4")
    offered = [here.button(f"broader-{number}").label for number in range(5) if here.has_button(f"broader-{number}")]
    assert offered == ["가람반도체 대역폭", "메모리 대역폭", "가람반도체", "한지우", "메모리 포럼 2026"]


def test_a_question_of_any_length_can_be_pasted(visit):
    """The box refuses nothing in silence: what is too long is said so by the core."""
    assert visit().at.text_input(key="question").proto.max_chars == 0


def test_all_failed_is_not_nothing_found(visit):
    """When nobody could be asked the page says so, why, and offers to retry, to go on with the video or to see the state."""
    here = visit("failed")
    here.core.age = timedelta(seconds=1)
    here.open_sample()
    here.ask("대역폭")
    assert "검색 서비스에 물어보지 못했어요. 결과가 없다는 뜻이 아니에요." in here.texts()
    assert "찾은 결과가 없어요" not in here.texts()
    assert here.texts().count("위키백과: 연결되지 않았어요") == 1
    assert here.texts().count("인터넷 연결을 확인하고 다시 시도해 주세요.") == 1
    assert "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: " in here.texts()
    assert here.button("retry").label == "2분 뒤 다시 시도"
    assert [link.proto.label for link in here.at.get("page_link")] == ["검색 상태 보기"]
    here.click("video-only")
    assert here.at.text_input(key="transcript-query").value == "대역폭"
    assert "영상 자막에서 찾고 있는 말: “대역폭”" in here.texts()
    assert here.at.text_input(key="question").value == "대역폭"


def test_a_pause_that_is_over_is_not_asked_for(visit):
    """The button says how much of a pause is left, and nothing of one that has passed since the search."""
    here = visit("failed")
    here.core.age = timedelta(seconds=75)
    here.ask("대역폭")
    assert here.button("retry").label == "45초 뒤 다시 시도"
    here.core.age = timedelta(hours=1)
    here.ask("전력")
    assert here.button("retry").label == "다시 시도"


def test_a_search_of_another_day_says_when_it_was_made(visit):
    """What was found is told as of then, with a way to search anew; a pause of then is not asked for any more."""
    here = visit("partial")
    here.core.age = timedelta(hours=3, minutes=5)
    here.ask("대역폭")
    assert "3시간 전에 검색한 결과예요. 2곳 중 1곳이 답했어요." in here.texts()
    assert "뒤에 다시 시도해 보세요" not in here.texts()
    here.click("refresh")
    assert here.core.searches[-1][1].use_cache is False


def test_own_documents_below_the_threshold_are_not_the_web(visit):
    """Where the web could not be asked, what is said of the threshold is said of own documents alone."""
    here = visit("offline")
    here.ask("HBM4")
    here.at.slider(key="threshold").set_value(100)
    here.look()
    assert "내 자료에는 기준보다 높은 결과가 없어요" in here.texts()


def test_all_hidden_offers_a_lower_threshold(visit):
    """A threshold above every score leaves one button that brings results back without searching."""
    here = visit(count=4)
    here.ask("HBM4")
    here.at.slider(key="threshold").set_value(100)
    here.look()
    assert here.button("lower-threshold").label == "기준을 낮추면 4건"
    here.click("lower-threshold")
    assert "**4건**" in here.texts()
    assert len(here.core.searches) == 1


def test_unscored_results_come_with_a_warning(visit):
    """Without scores the results are all shown, marked, and the page says why."""
    here = visit("unscored")
    here.ask("HBM4")
    assert "관련도를 재지 못해서 받은 순서대로 보여드려요." in here.texts()
    assert "**10건**" in here.texts()


def test_an_old_answer_is_said_to_be_old(visit):
    """Kept answers that stand in for a failed request carry their age and can be fetched anew."""
    here = visit("stale")
    here.ask("HBM4")
    assert "위키백과는 3시간 전에 저장된 결과예요" in here.texts()
    here.click("refresh")
    assert here.core.searches[-1][1].use_cache is False


def test_own_documents_stand_in_for_no_web(visit):
    """With every web service unreachable the page says so in the specified words; own documents follow under their heading."""
    here = visit("offline")
    here.open_sample()
    here.ask("HBM4")
    assert "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: " in here.texts()
    assert "웹 검색 사용 불가 · 내 자료 **9건** · 숨김 3" in here.texts()
    assert "웹 검색 2곳 중 0곳 응답" in here.texts()
    assert "내 자료에서 9건" in here.texts()
    assert "문서의 글은 언어 모델에 보내지 않아요." in here.texts()
    assert here.has_button("retry")
    assert here.has_button("video-only")
    assert not here.has_button("refresh")


def test_no_results_and_fifty_results_both_fit(visit):
    """Fifty results are drawn ten at a time."""
    here = visit(count=50)
    here.ask("HBM4")
    here.at.select_slider(key="result-count").set_value(50)
    here.at.slider(key="threshold").set_value(0)
    here.look()
    assert "**50건**" in here.texts()
    assert len(here.at.text) == 10


def test_switching_every_service_off_is_said_before_searching(visit):
    """With no service on, nothing is asked and the page says what to switch on."""
    here = visit()
    for name in ("library", "wikipedia", "duckduckgo"):
        here.at.checkbox(key=f"ask-{name}").set_value(False)
    here.look()
    here.ask("HBM4")
    assert "켜진 검색 서비스가 없어요." in here.texts()
    assert here.core.searches == []


def test_a_page_reloaded_while_searching_has_its_video_back_at_the_end(visit):
    """The search goes on without the page; a new page at the same address takes over video and results."""
    here = visit("slow")
    here.open_sample()
    here.ask("대역폭")
    job = next(iter(here.core.jobs.values()))
    again = Visit(here.core, {"job": job.id, "q": "대역폭"})
    assert "DuckDuckGo 응답 대기 중" in again.texts()
    here.core.world = "found"
    question, options = here.core.searches[0]
    job.report, job.running = here.core.report(question, options), False
    again.look()
    assert again.has_button("change-video")
    assert "**9건**" in again.texts()
    assert again.at.text_input(key="question").value == "대역폭"


def test_web_and_own_documents_stand_apart_and_are_numbered_on(visit):
    """Documents follow the pages of the web under their heading, page by page of a long list, samples marked."""
    here = visit("both", count=14)
    here.ask("HBM4")
    here.at.slider(key="threshold").set_value(0)
    here.at.select_slider(key="result-count").set_value(20)
    here.look()
    assert "**7건** · 내 자료 **7건**" in here.texts()
    assert "내 자료에서 7건" in here.texts()
    written = "\n".join(str(each.value) for each in here.at.markdown)
    assert written.index("7\\.") < written.index("내 자료에서 7건") < written.index("8\\.")
    assert "11\\." not in written
    here.at.session_state[f"page-14-{NOW}"] = 2
    here.look()
    written = "\n".join(str(each.value) for each in here.at.markdown)
    assert written.index("내 자료에서 7건") < written.index("11\\.")
    assert ":violet-badge[예시]" in written


def test_the_web_having_nothing_is_said_above_own_documents(visit):
    """Own documents do not hide that the web answered and found nothing."""
    here = visit("own")
    here.ask("HBM4")
    assert "웹에서 찾은 결과가 없어요" in here.texts()
    assert "[검색 완료] 'HBM4'에 대한 검색 결과가 없습니다." in here.texts()
    assert "**0건** · 내 자료 **9건**" in here.texts()
    assert "내 자료에서 9건" in here.texts()
    assert not here.has_button("retry")
