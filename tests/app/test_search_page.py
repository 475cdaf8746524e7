"""The search page as its visitor meets it, without a browser: every click runs the real page over a small core."""

from __future__ import annotations

import re
from dataclasses import replace

from pages.parts.shared import services
from pages.parts.workspace import results
from search_core.domain.report import AnswerLine, Question
from search_core.domain.result import RankingOptions
from search_core.domain.video import TranscriptOrigin, TranscriptSegment
from search_core.errors import QuestionError, SettingsError
from search_core.video.limits import MAX_TRANSCRIPT_CHARS
from tests.app.conftest import Visit
from tests.app.core_double import HOSTILE, SAMPLE, YOUTUBE

PARTS = ["의미 유사도", "단어 일치", "검색 순위"]


def player(here: Visit) -> str:
    return here.at.get("iframe")[0].proto.src


def lines(here: Visit) -> list[str]:
    return [here.button(key).label for key in here.keys("line-")]


def test_the_first_visit_shows_the_next_step(visit):
    """The page offers samples; one opens with its names, transcript and questions, and an example is asked with it at once."""
    here = visit()
    assert "먼저 **자막**에서 답을 찾아" in here.texts()
    here.core.settings.openai_model = ""
    assert SAMPLE.title in here.texts()
    assert here.keys("open-sample-") == ["open-sample-0", "open-sample-1", "open-sample-2"]
    assert not here.at.get("download_button")
    assert here.folds() == ["조정"]
    assert here.at.chat_input[0].proto.max_chars == MAX_TRANSCRIPT_CHARS  # a whole transcript can be pasted
    here.open_sample()
    for word in ("한지우", "가람반도체", "메모리 포럼 2026", "대역폭", "0:20"):
        assert word in here.texts()
    assert "AI 모델이 연결되어 있지 않아서, 자막과 자료에서 뽑은 문장으로 답해요." in here.texts()
    here.click("example-0")
    question, _ = here.core.searches[0]
    assert (question.text, question.video.title) == ("이 회사 최근 실적은?", SAMPLE.title)
    [conversation] = here.core.chat.conversations("")
    assert (conversation.title, conversation.video_title) == ("이 회사 최근 실적은?", SAMPLE.title)
    assert here.session.asked == "이 회사 최근 실적은?"
    assert "**9건** · 숨김 3" in here.texts()
    files = ["문서 (Markdown)", "웹 문서 (HTML)", "표 (CSV)", "데이터 (JSON)"]
    assert [button.proto.label for button in here.at.get("download_button")] == files


def test_moving_controls_places_anew_without_searching(visit):
    """The threshold ranks the same search anew; hidden results are drawn once unfolded."""
    here = visit(video=True)
    here.ask("대역폭이 왜 중요한가요?")
    for drawn in (False, True):
        [panel] = [fold for fold in here.at.expander if fold.label == "숨긴 결과 3개 (기준 미달 3)"]
        assert any(text.value.startswith("가람반도체가") for text in panel.text) is drawn
        here.fold("hidden")
    here.fold("ledger")
    assert "**언어 모델**\n\n- 검색어를 썼어요: ‘HBM4 속도’ · 0.4초" in here.texts()
    here.fold("tuning")
    here.set("slider", "threshold", 80)
    assert "**2건** · 숨김 10" in here.texts()
    here.set("slider", "threshold", 0)
    assert "**10건** · 숨김 2" in here.texts()
    assert here.core.arranged[-1] == RankingOptions(threshold=0.0)
    assert len(here.core.searches) == 1
    assert here.param("threshold") == "0"
    here.set("slider", "threshold", 35)
    assert here.param("threshold") == ""


def test_every_result_says_why_it_stands_where_it_does(visit):
    """One list in order of score; hidden results say why; each mark of a score has its bar, and a sentence says what counts."""
    here = visit()
    here.core.most = 5
    here.ask("HBM4")
    here.fold("hidden")
    here.fold("why-1")
    shown = [int(bar.proto.text.strip("*")) for bar in here.at.get("progress")]
    assert shown[:6] == [92, 85, 78, 71, 64, 57]
    assert "개수 제한으로 제외" in here.texts()
    assert "기준보다 6점 낮음" in here.texts()  # 29 points of 35
    [table] = [str(each.value) for each in here.at.markdown if str(each.value).startswith("| ")]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]
    assert [name for name, _ in rows] == PARTS
    assert all(bar.count("■") + bar.count("□") == results.BAR for _, bar in rows)
    assert "질문과 뜻이 가깝고 단어도 많이 겹쳐요." in here.markdown()


def test_the_sentence_that_answers_stands_over_the_list(visit):
    """It is quoted with its source, and the number of its result as the list stands now; hidden results give none."""
    here = visit(video=True)
    hits = here.core.report(Question(text="대역폭", video=SAMPLE), here.core.default_options()).results
    sentence, own = "대역폭은 초당 2*테라바이트입니다.", hits[3]
    here.core.line = AnswerLine(sentence=sentence, result=4, source=own.source, url=own.url, moment_s=440.0)
    here.ask("대역폭은 얼마인가요?")
    assert f"**{sentence}**" in here.texts()
    assert re.search(r"\d번 결과에서 그대로 옮긴 문장", here.texts())
    here.fold("tuning")
    here.set("slider", "threshold", 100)
    assert sentence not in here.texts()
    here.core.line = None
    here.ask("대역폭은 왜 중요한가요?")
    assert "그대로 옮긴 문장" not in here.texts()
    here.set("slider", "threshold", 0)
    here.session.answer = replace(here.session.answer, late=True)
    here.look()
    assert "웹 결과에서는 질문에 바로 답하는 문장을 찾지 못했어요." in here.texts()


def test_a_switched_off_service_is_not_asked(visit):
    """It is left out from the next search on, which the page says; with none on nothing is asked."""
    here = visit()
    here.ask("HBM4")
    here.fold("tuning")
    here.at.get_by_key("services").set_value(["library", "duckduckgo"])
    here.look()
    assert "켜거나 끈 서비스는 다음 검색부터 반영돼요." in here.texts()
    here.ask("HBM4 대역폭")
    assert here.core.searches[-1][1].providers == ("library", "duckduckgo")
    assert "다음 검색부터 반영" not in here.texts()
    here.at.get_by_key("services").set_value([])
    here.look()
    here.ask("HBM4")
    assert "켜진 검색 서비스가 없어요." in here.texts()
    assert len(here.core.searches) == 2


def test_the_query_is_changed_by_its_parts_or_sent_as_it_is(visit):
    """Chips name the question and the video; a cross searches without its part, which can be put back; a switch sends it raw."""
    here = visit(video=True)
    here.ask("한빛 말고 다른 회사는?")
    assert here.button("left-out-0").label == ":gray[~~한빛~~ · 뺀 말]"
    here.ask("이 회사 최근 실적은?")
    assert not here.has_button("left-out-0")
    assert "HBM4 대역폭 :gray[· 질문]" in here.texts()
    here.click("part-2-한지우")
    assert here.core.searches[-1][1].without_parts == frozenset({"한지우"})
    assert not here.has_button("part-2-한지우")
    here.click("restore-0")
    assert here.core.searches[-1][1].without_parts == frozenset()
    assert here.button("also-0-대역폭 실적").label == "대역폭 실적 :gray[· 영상 맥락 없이도 검색]"
    assert here.button("also-1-HBM4 속도").label == "HBM4 속도 :gray[· 모델이 쓴 검색어]"
    here.click("also-0-대역폭 실적")
    assert here.core.searches[-1][1].without_parts == frozenset({"대역폭 실적"})
    assert not here.has_button("also-0-대역폭 실적")
    here.set("toggle", "verbatim", True)
    assert here.core.searches[-1][1].verbatim
    assert here.button("part-0-이 회사 최근 실적은?").disabled


def test_earlier_questions_and_changed_names_go_into_the_next_search(visit):
    """A second question carries the first as memory, a new start forgets it; leaving the video leaves an empty box."""
    here = visit(video=True)
    here.ask("이 회사 최근 실적은?")
    here.fold("edit-1")
    here.at.multiselect(key="edit-speakers-1").set_value(["한지우"])
    here.enter("edit-title-1", "새 제목")
    here.ask("더 자세히")
    question, _ = here.core.searches[-1]
    assert [turn.question for turn in question.memory.turns] == ["이 회사 최근 실적은?"]
    assert (question.video.speakers, question.video.title) == (("한지우",), "새 제목")
    here.click("new-chat")
    here.look()
    here.ask("이 회사는요?")
    assert here.core.searches[-1][0].memory.turns == ()
    here.click("change-video")
    here.look()
    assert (here.session.asked, here.draft) == ("", "")
    assert here.has_button("open-sample-0")
    assert "9건" not in here.texts()


def test_the_transcript_is_searchable_and_never_drawn_whole(visit):
    """Of sixty lines a window is drawn, words are found anywhere, and a result's moment brings its line into sight."""
    here = visit(video=True)
    assert len(lines(here)) == 14
    for key, first in (("lines-later", "04:40"), ("lines-earlier", "00:00")):
        here.click(key)
        assert lines(here)[0].startswith(f":gray[{first}]")
    here.enter("transcript-query", "57번째")
    assert [line.split("]")[0] for line in lines(here)] == [":gray[19:00"]
    assert "1곳에 나와요" in here.texts()
    here.enter("transcript-query", "없는 말")
    assert "자막에 없는 말이에요: “없는 말”" in here.texts()
    here.enter("transcript-query", "")
    here.ask("대역폭")
    here.click("moment-3")  # moves the video panel alone
    here.look()
    now = [line for line in lines(here) if "←\u00a0지금" in line]
    assert len(now) == 1
    assert now[0].startswith(":blue-background[**07:20** 22번째 말입니다")


def test_a_file_or_a_typed_text_becomes_the_video(visit):
    """A file that cannot be read is a sentence; one that can is open, and again at hand once it was put away."""
    here = visit()
    here.upload(("talk.srt", b""))
    assert "파일이 비어 있어요." in here.texts()
    here.upload(("a.txt", b"a"), ("b.txt", b"b"))
    assert "파일은 하나만" in here.texts()
    here.upload(("talk.txt", b"first line"))
    assert "**first line**" in here.texts()
    here.click("change-video")
    here.ask("3분기 실적 발표\n00:00 가람반도체입니다.\n00:10 실적을 발표합니다.\n00:20 매출이 늘었습니다.")
    assert "**3분기 실적 발표**" in here.texts()
    assert "붙여 넣은 글을 자막으로 읽었어요." in here.texts()
    assert here.core.searches == []
    here.click("change-video")
    assert "first line" in "".join(here.button(key).label for key in here.keys("recent-"))


def test_a_question_that_comes_with_a_video_is_asked_once_it_is_open(visit):
    """An address and a file are opened and asked about; what cannot be opened gives the question back."""
    here = visit()
    here.ask("이 영상 맞는 말인지 봐줘 https://youtu.be/dQw4w9WgXcQ?si=a")
    assert (here.session.asked, here.draft) == ("이 영상 맞는 말인지 봐줘", "")
    assert here.core.searches[-1][0].video.title == YOUTUBE.title
    here.upload(("talk.txt", b"first line"), text="뭐라고 했나요?")
    assert here.core.searches[-1][0].text == "뭐라고 했나요?"
    assert here.core.searches[-1][0].video.title == "first line"
    here.upload(("empty.txt", b" "), text="비었나요?")
    assert (here.draft, len(here.core.searches)) == ("비었나요?", 2)
    here.click("research-mode")
    here.upload(("talk.txt", b"third line"), text="깊이 알아봐 줘")
    (run,) = here.core.research.runs.values()
    assert (run.run.request.question, run.run.request.video.title) == ("깊이 알아봐 줘", "third line")


def test_a_wrong_address_says_so_and_a_right_one_opens_the_player(visit):
    """An address that is no video leaves one sentence; a video gets its player, which a moment moves; a forged id gets none."""
    here = visit()
    here.open_address("https://example.com/")
    assert "주소를 다시 확인해 주세요. 자막 파일이 있으면 그 파일을 넣어도 돼요." in here.texts()
    here.open_address()
    assert player(here) == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0"
    here.ask("대역폭")
    here.click("moment-3")
    here.look()
    assert player(here) == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=440&autoplay=1"
    here.click("change-video")
    here.core.opened = replace(YOUTUBE, video_id="../../evil?x=")
    here.open_address()
    assert len(here.at.get("iframe")) == 0
    assert "이 영상은 여기서 재생할 수 없어요." in here.texts()


def test_a_sample_with_a_clip_plays_at_its_moments(visit):
    """The clip that ships begins at the moment that was clicked; a video of its name has none."""
    here = visit()
    samples = here.core.samples()
    here.core.samples = lambda: (replace(SAMPLE, video_id="sample-hbm"), *samples[1:])
    here.look()
    here.open_sample()
    [clip] = here.at.get("video")
    assert (clip.proto.start_time, clip.proto.autoplay, clip.proto.muted) == (0, False, True)
    here.click(here.keys("line-")[2])
    here.look()
    [clip] = here.at.get("video")
    assert (clip.proto.start_time, clip.proto.autoplay) == (40, True)
    assert "소리는 없어요." in here.texts()
    here.click("change-video")
    here.core.opened = replace(YOUTUBE, video_id="sample-hbm")
    here.open_address()
    assert len(here.at.get("video")) == 0


def test_the_panel_names_the_source_of_the_transcript(visit):
    """The name of a model is no markup, uncertain lines are marked, and prose has no times."""
    here = visit()
    spoken = (TranscriptSegment(0, 1, "네"), TranscriptSegment(1, 2, "감사합니다", uncertain=True))
    heard = {"transcript_origin": TranscriptOrigin.RECOGNITION, "transcript_model": HOSTILE}
    here.core.opened = replace(YOUTUBE, transcript=spoken, **heard)
    here.open_address()
    [caption] = [caption.value for caption in here.at.caption if caption.value.startswith("음성 인식")]
    assert "![x](" not in caption
    assert [("감사합니다" in label, "네" in label) for label in lines(here) if "음성 인식 불확실" in label] == [(True, False)]
    here.click("change-video")
    prose = (TranscriptSegment(0, 0, "매출이 늘었습니다."), TranscriptSegment(0, 0, "이익도 늘었습니다."))
    here.core.opened = replace(YOUTUBE, transcript=prose)
    here.open_address()
    assert "매출이 늘었습니다. 이익도 늘었습니다." in here.texts()
    assert "00:00" not in here.texts()


def test_hostile_text_stays_text(visit):
    """Titles, sites and snippets show as written: no picture, no heading, no colour, no address but a web address."""
    here = visit()
    here.ask("HBM4")
    raw = [element.value for element in here.at.markdown if "alert" in element.value]
    assert all("![" not in value for value in raw)
    titles = [value for value in raw if not value.startswith(":small[")]
    assert 0 < len(titles) < len(raw), "the hostile title and the hostile name of a site are on the page"
    for value in titles:
        assert "\\[눌러\\]\\(javascript\\:alert" in value
        assert re.search(r"\]\(https://news[37]\.example\.com/a\?id=[37]\)$", value)
    assert any(text.value.startswith(HOSTILE[:60]) for text in here.at.text)
    here.click("title-1")
    assert [text.value for text in here.at.text if text.value.startswith("둘째 문단")] == [f"둘째 문단: {HOSTILE}"]


def test_a_shared_address_fills_in_but_does_not_search(visit):
    """Question, sample and threshold come from it, and no service is asked; an empty question is answered with a sentence."""
    gone = {"weight-lexical": "0", "result-count": "5"}
    here = Visit(visit().core, {"q": "이 회사 최근 실적은?", "video": "1", "threshold": "60", **gone})
    assert here.draft == "이 회사 최근 실적은?"
    assert here.has_button("change-video")
    here.fold("tuning")
    assert here.at.slider(key="threshold").value == 60
    here.ask(" ")
    assert "질문을 적어 주세요." in here.texts()
    assert here.core.searches == []


def test_a_question_is_asked_at_the_moment_in_sight(visit):
    """A line and a result's moment each give one, named at the box; a click takes it out, and the player stays.

    Changes of a search keep the moment of its question wherever the visitor went since, and so does a reload.
    """
    here = visit(video=True)
    here.ask("이 회사 최근 실적은?")
    assert not here.has_button("drop-moment")
    here.click(here.keys("line-")[2])
    here.look()
    assert here.button("drop-moment").label == ":gray[00:40 장면에서 묻는 중]"
    here.ask("이 회사 최근 실적은?")
    here.click("moment-1")
    here.look()
    assert here.button("drop-moment").label == ":gray[06:40 장면에서 묻는 중]"
    here.click(next(key for key in here.keys("part-")))
    again = Visit(here.core, {"job": here.param("job")})
    assert again.button("drop-moment").label == ":gray[00:40 장면에서 묻는 중]"
    here.look()
    here.click("drop-moment")
    assert not here.has_button("drop-moment")
    assert any("지금" in line for line in lines(here))
    here.ask("전력은?")
    assert [question.moment_s for question, _ in here.core.searches] == [None, 40.0, 40.0, None]


def test_what_breaks_is_a_sentence(visit):
    """A search that ends in an error leaves its words; a setting that cannot be used is named on each page."""
    here = visit("slow")
    here.ask("전력")
    (job,) = here.core.jobs.values()
    job.error, job.running = QuestionError("broken", korean="검색이 뜻밖에 끝났어요."), False
    here.look()
    assert "검색이 뜻밖에 끝났어요." in here.errors()

    def broken():
        raise SettingsError("WEB_SEARCH_TIMEOUT", korean="사용할 수 없는 설정이 있어요: WEB_SEARCH_TIMEOUT")

    services.provide(broken)
    for page in ("work", "records", "health"):
        here.open(page)
        assert "WEB_SEARCH_TIMEOUT" in here.texts()
