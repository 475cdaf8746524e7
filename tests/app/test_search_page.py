"""The search page as its visitor meets it, without a browser: every click runs the real page over a small core."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pages.parts import results
from search_core.errors import SettingsError
from tests.app.conftest import Visit
from tests.app.core_double import HOSTILE, SAMPLE, YOUTUBE


def player(here) -> str:
    return here.at.get("iframe")[0].proto.src


def test_the_first_visit_shows_the_next_step(visit):
    """Without a video the page offers the samples, and says in three lines what the app does."""
    here = visit()
    assert SAMPLE.title in here.texts()
    assert [here.has_button(f"open-sample-{place}") for place in range(3)] == [True, True, True]
    assert "여러 검색 서비스와 내 자료를" in here.texts()


def test_a_sample_opens_with_all_that_is_known_about_it(visit):
    """A sample brings its names, its transcript with times, and questions to start from."""
    here = visit()
    here.open_sample()
    for word in ("한지우", "가람반도체", "메모리 포럼 2026", "대역폭", "0:20"):
        assert word in here.texts()
    assert here.button("example-0").label == "이 회사 최근 실적은\\?"


def test_an_example_searches_at_once(visit):
    """A click on an example fills the box and searches with the video."""
    here = visit()
    here.open_sample()
    here.click("example-0")
    question, _ = here.core.searches[0]
    assert (question.text, question.video.title) == ("이 회사 최근 실적은?", SAMPLE.title)
    assert here.at.text_input(key="question").value == "이 회사 최근 실적은?"
    assert "**9건** · 숨김 3" in here.texts()


def test_moving_the_threshold_places_anew_without_searching(visit):
    """The threshold hides and shows results of the same search; nobody is asked again, and services are looked at once."""
    here = visit()
    here.open_sample()
    here.ask("대역폭이 왜 중요한가요?")
    here.at.slider(key="threshold").set_value(80)
    here.look()
    assert "**2건** · 숨김 10" in here.texts()
    before = here.core.availability_asked
    here.at.slider(key="threshold").set_value(0)
    here.look()
    assert "**10건** · 숨김 2" in here.texts()
    assert len(here.core.searches) == 1
    assert here.core.availability_asked - before == 1


def test_the_other_controls_place_anew_without_searching(visit):
    """Result count, recency, weights and the entity switch reach the ranking, and nobody is asked again."""
    here = visit()
    here.ask("HBM4")
    here.at.select_slider(key="result-count").set_value(5)
    here.at.session_state["weights"] = True
    here.look()
    here.at.slider(key="weight-recency").set_value(40)
    here.at.toggle(key="entity-first").set_value(False)
    here.look()
    asked = here.core.arranged[-1]
    assert (asked.max_results, asked.weights.recency, asked.entity_first) == (5, 0.4, False)
    assert "**5건** · 숨김 7" in here.texts()
    assert len(here.core.searches) == 1


def test_a_switched_off_service_takes_its_results_along(visit):
    """Results only that service had leave the list at once, are counted, and it is not asked next time."""
    here = visit()
    here.ask("HBM4")
    here.at.checkbox(key="ask-wikipedia").set_value(False)
    here.look()
    assert "꺼 둔 검색 서비스에서만 나온 결과 6건은 뺐어요." in here.texts()
    assert len(here.core.searches) == 1
    here.ask("HBM4 대역폭")
    assert here.core.searches[-1][1].providers == ("library", "duckduckgo")


def test_a_service_that_is_not_set_up_says_why(visit):
    """A service off by choice is shown, cannot be switched on, and tells what it lacks."""
    here = visit()
    assert [panel.label for panel in here.at.expander if "꺼 둔" in panel.label] == ["꺼 둔 서비스 1곳"]
    assert "SEARXNG_URL을 정하면 켜져요." in here.texts()


def test_taking_a_chip_away_searches_without_it_and_back(visit):
    """The cross of a chip searches without that part; the part can be put back."""
    here = visit()
    here.open_sample()
    here.ask("이 회사 최근 실적은?")
    assert "한지우 :gray[· 영상 인물]" in here.texts()
    here.click("part-2-한지우")
    assert here.core.searches[-1][1].without_parts == frozenset({"한지우"})
    assert not here.has_button("part-2-한지우")
    here.click("restore-0")
    assert here.core.searches[-1][1].without_parts == frozenset()
    assert here.has_button("part-2-한지우")


def test_the_verbatim_lane_sends_the_question_as_it_is(visit):
    """The switch searches again for the raw question."""
    here = visit()
    here.open_sample()
    here.ask("이 회사 최근 실적은?")
    here.at.toggle(key="verbatim").set_value(True)
    here.look()
    assert here.core.searches[-1][1].verbatim
    assert here.button("part-0-이 회사 최근 실적은?").disabled


def test_earlier_questions_are_remembered_until_the_visitor_starts_anew(visit):
    """A second question carries the first as memory; a new start forgets it."""
    here = visit()
    here.open_sample()
    here.ask("이 회사 최근 실적은?")
    here.ask("더 자세히")
    question, _ = here.core.searches[-1]
    assert [turn.question for turn in question.memory.turns] == ["이 회사 최근 실적은?"]
    assert "앞선 질문 1개를 함께 참고해요" in here.texts()
    here.click("forget")
    assert "앞선 질문" not in here.texts()


def test_hidden_results_open(visit):
    """The hidden results are counted and can be opened."""
    here = visit()
    here.ask("HBM4")
    panel = next(expander for expander in here.at.expander if expander.label == "숨긴 결과 3개")
    assert not panel.button
    here.at.session_state["hidden-open"] = True
    here.look()
    panel = next(expander for expander in here.at.expander if expander.label == "숨긴 결과 3개")
    assert any(text.value.startswith("가람반도체가") for text in panel.text)


def test_a_moment_moves_the_transcript(visit):
    """The moment of a result brings its line into sight and marks it."""
    here = visit()
    here.open_sample()
    here.ask("대역폭")
    here.click("moment-3")  # moves the video panel alone
    now = [button.label for button in here.look().button if "← 지금" in button.label]
    assert len(now) == 1
    assert now[0].startswith(":blue-background[**07:20** 22번째 말입니다")


def test_the_transcript_is_searchable_and_never_drawn_whole(visit):
    """Only a window of the sixty lines is drawn; words are found wherever they are said."""
    here = visit()
    here.open_sample()
    assert sum((button.key or "").startswith("line-") for button in here.at.button) == 14
    here.at.text_input(key="transcript-query").set_value("57번째")
    here.look()
    lines = [button.label for button in here.at.button if (button.key or "").startswith("line-")]
    assert [line.split("]")[0] for line in lines] == [":gray[19:00"]
    assert "1곳에 나와요" in here.texts()
    here.at.text_input(key="transcript-query").set_value("없는 말")
    here.look()
    assert "자막에 없는 말이에요: “없는 말”" in here.texts()


def test_what_is_known_about_the_video_can_be_changed(visit):
    """Edited names go into the next search."""
    here = visit()
    here.open_sample()
    here.at.session_state["edit-1"] = True
    here.look()
    here.at.multiselect(key="edit-speakers-1").set_value(["한지우"])
    here.at.text_input(key="edit-title-1").set_value("새 제목")
    here.look()
    here.ask("누구인가요?")
    video = here.core.searches[-1][0].video
    assert (video.speakers, video.title) == (("한지우",), "새 제목")


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("talk.pdf", b"%PDF", "“talk.pdf” 파일은 읽을 수 없는 종류예요."),
        ("talk.srt", b"", "파일이 비어 있어요."),
    ],
)
def test_a_bad_upload_says_what_is_wrong(visit, name, data, sentence):
    """A file that cannot be read leaves one sentence, and the question box keeps what was typed."""
    here = visit()
    here.ask("적어 둔 질문")
    here.at.file_uploader(key="upload-0").upload(name, data, "application/octet-stream")
    here.look()
    assert sentence in here.texts()
    assert here.at.text_input(key="question").value == "적어 둔 질문"


def test_an_upload_becomes_the_video(visit):
    """A readable file opens as the video at once."""
    here = visit()
    here.at.file_uploader(key="upload-0").upload("talk.txt", "첫 줄이 제목\n이어지는 말".encode(), "text/plain")
    here.look()
    assert "**첫 줄이 제목**" in here.texts()
    assert here.has_button("change-video")


def test_a_file_is_read_while_the_page_goes_on(visit):
    """While a file is read the page says so and offers to stop; when it is read it opens, under a box that is empty."""
    here = visit()
    here.at.file_uploader(key="upload-0").upload("slow.txt", b"first line", "text/plain")
    here.look()
    [reading] = here.core.readings
    assert "파일을 읽고 있어요" in here.texts()
    assert not here.at.file_uploader(key="upload-1").value
    reading.done = True
    here.look()
    assert "**first line**" in here.texts()


def test_reading_a_file_can_be_stopped(visit):
    """The button ends the reading, and nothing of it stays on the page."""
    here = visit()
    here.at.file_uploader(key="upload-0").upload("slow.txt", b"first line", "text/plain")
    here.look()
    here.click("cancel-reading")
    assert here.core.readings[0].cancelled
    assert "파일을 읽고 있어요" not in here.texts()
    assert not here.has_button("cancel-reading")


def test_a_typed_video_keeps_its_title(visit):
    """Title and text typed by hand become the video."""
    here = visit()
    here.at.text_input(key="typed-title").set_value("3분기 실적 발표")
    here.at.text_area(key="typed-text").set_value("가람반도체가 실적을 발표했습니다.")
    next(button for button in here.at.button if button.label == "이 내용으로 시작").click()
    here.look()
    assert "**3분기 실적 발표**" in here.texts()


def test_a_wrong_address_says_so_and_a_right_one_opens_the_player(visit):
    """An address that is no video leaves one sentence; a video gets its player, and a moment moves it."""
    here = visit()
    here.at.text_input(key="video-url").set_value("https://example.com/")
    next(button for button in here.at.button if button.label == "열기").click()
    here.look()
    assert "YouTube 영상 주소가 아니에요." in here.texts()
    here.click("to-file")
    assert "YouTube 영상 주소가 아니에요." not in here.texts()
    here.at.text_input(key="video-url").set_value("https://www.youtube.com/watch?v=dQw4w9WgXcQ")
    next(button for button in here.at.button if button.label == "열기").click()
    here.look()
    assert player(here) == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0"
    here.ask("대역폭")
    here.click("moment-3")
    here.look()
    assert player(here) == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=440&autoplay=1"


def test_another_video_keeps_the_question(visit):
    """Leaving a video clears its search, not the words in the box."""
    here = visit()
    here.open_sample()
    here.ask("대역폭")
    here.click("change-video")
    assert here.look().text_input(key="question").value == "대역폭"
    assert here.has_button("open-sample-0")
    assert "9건" not in here.texts()


def test_all_files_can_be_taken_away(visit):
    """Three kinds of files are offered once there is a report."""
    here = visit()
    assert not here.at.get("download_button")
    here.ask("HBM4")
    assert [button.proto.label for button in here.at.get("download_button")] == [
        "문서 (Markdown)",
        "표 (CSV)",
        "데이터 (JSON)",
    ]


def test_hostile_text_stays_text(visit):
    """Titles and snippets from outside show as written: no picture, no heading, no colour, no address but a web address."""
    here = visit()
    here.ask("HBM4")
    raw = [element.value for element in here.at.markdown if "alert" in element.value]
    assert raw, "the hostile title is on the page"
    for value in raw:
        assert "![" not in value
        assert "\\[눌러\\]\\(javascript\\:alert" in value
        assert re.search(r"\]\(https://news[37]\.example\.com/a\?id=[37]\)$", value)
    assert any(text.value.startswith(HOSTILE[:60]) for text in here.at.text)


def test_an_empty_question_is_answered_with_a_sentence(visit):
    """Nothing typed, nothing searched: the page says what to do."""
    here = visit()
    here.ask("")
    assert "질문을 적어 주세요." in here.texts()
    assert here.core.searches == []


def test_a_shared_address_fills_in_but_does_not_search(visit):
    """Question and sample come from the address of the page; nobody is asked before a click."""
    here = visit(q="이 회사 최근 실적은?", video="1")
    assert here.at.text_input(key="question").value == "이 회사 최근 실적은?"
    assert here.has_button("change-video")
    assert here.core.searches == []


def test_a_reloaded_page_finds_its_search_again(visit):
    """The search in the address comes back with question, video and results, without searching."""
    first = visit()
    first.open_sample()
    first.ask("이 회사 최근 실적은?")
    again = Visit(first.core, {"job": next(iter(first.core.jobs))})
    assert again.at.text_input(key="question").value == "이 회사 최근 실적은?"
    assert again.has_button("change-video")
    assert "**9건**" in again.texts()
    assert len(first.core.searches) == 1


def test_a_click_on_a_panel_that_is_gone_meanwhile_opens_its_successor(monkeypatch):
    """Results may change between a click on the hidden ones and its arrival; the click still means what it did."""
    state: dict[str, object] = {}
    monkeypatch.setattr(results.st, "session_state", state)
    results._keep_open("hidden-8")
    assert state == {results.HIDDEN_OPEN_KEY: True}
    results._keep_open("hidden-7")
    assert state == {results.HIDDEN_OPEN_KEY: False}
    results._keep_open("hidden-6")
    state["hidden-6"] = False
    results._keep_open("hidden-6")
    assert state[results.HIDDEN_OPEN_KEY] is False


def test_a_search_that_is_gone_is_said_to_be(visit):
    """After a restart the page keeps the question and says why the results are not there."""
    here = visit(job="unknown", q="대역폭")
    assert "이 주소의 검색을 찾을 수 없어요" in here.texts()
    assert here.at.text_input(key="question").value == "대역폭"


def test_a_wrong_setting_is_a_sentence(visit):
    """A setting that cannot be used is named on the page, and nothing breaks."""
    from pages.parts import services

    here = visit()

    def broken():
        raise SettingsError("WEB_SEARCH_TIMEOUT", korean="사용할 수 없는 설정이 있어요: WEB_SEARCH_TIMEOUT")

    services.provide(broken)
    here.look()
    assert "WEB_SEARCH_TIMEOUT" in here.texts()


def test_a_forged_video_id_gets_no_player(visit):
    """What is not shaped like a YouTube id never becomes part of a frame's address."""
    here = visit()
    here.core.opened = replace(YOUTUBE, video_id="../../evil?x=")
    here.at.text_input(key="video-url").set_value("https://www.youtube.com/watch?v=x")
    next(button for button in here.at.button if button.label == "열기").click()
    here.look()
    assert len(here.at.get("iframe")) == 0
    assert "이 영상은 여기서 재생할 수 없어서 자막만 보여드려요." in here.texts()
