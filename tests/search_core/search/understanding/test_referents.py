"""What a pointing word like "이 회사" is taken for, how that is said, and how it is changed."""

from __future__ import annotations

import pytest

from search_core.domain.query import ConversationMemory, Turn
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import QuestionError
from search_core.search.presenting.wording import name_referent
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.resolution import refuse_unknown_company
from search_core.search.understanding.transcript_index import index_of


def said_in_turn(*lines: str, **about: object) -> VideoContext:
    """Return a video with a line every six seconds."""
    return VideoContext(transcript=tuple(TranscriptSegment(6.0 * n, 6.0 * n + 6, line) for n, line in enumerate(lines)), **about)


LECTURE = said_in_turn(
    "오늘은 반도체를 만드는 장비 이야기를 해 보겠습니다.",
    "삼성전자는 이 장비를 가장 많이 사 온 곳 가운데 하나입니다.",
    "삼성전자는 작년에도 여러 대를 들여왔습니다.",
    "노광 장비를 만드는 회사는 네덜란드의 ASML입니다.",
    "이 회사가 없으면 미세 공정을 할 수 없습니다.",
    "거울을 만드는 곳은 독일의 칼 자이스라는 회사입니다.",
    "이 회사는 거울 하나를 일 년 동안 깎습니다.",
    "전시회는 벨트호번이라는 도시에서 열립니다.",
    "거기서 새 장비를 처음 보여 줍니다.",
    title="노광 장비 강의",
    organizations=("삼성전자", "ASML"),
)
CHIPS = VideoContext(
    title="HBM과 메모리 대역폭", speakers=("젠슨 황",), organizations=("SK하이닉스", "삼성전자", "엔비디아"), events=("GTC",)
)
OF_TSMC = ConversationMemory((Turn(question="TSMC 실적은?"),))
OF_A_MIRROR = ConversationMemory((Turn(question="거울은 누가 깎아?", query="거울 칼 자이스 엔비디아"),))


@pytest.mark.parametrize(
    ("question", "moment_s", "memory", "meant"),
    [
        ("이 회사의 3분기 실적은?", 9.0, None, "삼성전자"),
        ("이 회사의 3분기 실적은?", 25.0, None, "ASML"),
        ("이 회사의 3분기 실적은?", 37.0, None, "자이스"),
        ("이 회사는 언제 세워졌어?", 30.0, None, "자이스"),
        ("이 도시는 어떻게 가?", 49.0, None, "벨트호번"),
        ("이 도시 사람들은 뭘 먹어?", 49.0, None, "벨트호번"),
        ("그 회사 본사는 어디야?", 25.0, OF_TSMC, "TSMC"),
        ("이 회사 본사는 어디야?", 25.0, OF_TSMC, "ASML"),
        ("이 회사 본사는 어디야?", None, OF_A_MIRROR, "삼성전자"),
        ("그 회사 본사는 어디야?", None, OF_A_MIRROR, "엔비디아"),
    ],
)
def test_a_pointing_word_means_what_was_just_said(
    question: str, moment_s: float | None, memory: ConversationMemory | None, meant: str
):
    """The nearest fitting thing before the moment, or in the line clicked; "그 회사" is of the turn before.

    "이 회사" points at the video, whose company is not one that only an earlier query named.
    """
    intent = QueryIntentAnalyzer().analyze_intent(question, LECTURE, memory, moment_s=moment_s)
    assert meant in QueryConstructor().query_for(intent, LECTURE, memory).referents[0].meaning


def test_what_a_pointing_word_was_taken_for_is_returned_with_the_others(build):
    """The company named last, else one of the video, is meant; a speaker or a title never stands for a company."""
    question = "이 회사 최근 실적은?"
    built = build(question, CHIPS)
    [referent] = built.referents
    assert (referent.reference, referent.meaning, referent.others) == ("이 회사", "SK하이닉스", ("삼성전자", "엔비디아"))
    assert "SK하이닉스" in built.text
    assert [each.meaning for each in build("이 회사 주가는?", CHIPS, ["삼성전자 실적은?"]).referents] == ["삼성전자"]
    unnamed = build(question, VideoContext(title="반도체 산업의 미래 전략", speakers=("젠슨 황",)))
    assert [each.meaning for each in unnamed.referents] == [""]
    assert "젠슨 황" not in unnamed.text


def test_what_an_earlier_pointing_word_meant_is_asked_about_further():
    """The firm that the search before named is what "여기" meant."""
    memory = ConversationMemory((Turn(question="여기 초봉 얼마야?", query="세움정밀 초봉"),))
    intent = QueryIntentAnalyzer().analyze_intent("그래서 몇 명 뽑는데", None, memory)
    assert "세움정밀" in QueryConstructor().query_for(intent, None, memory).text


def test_without_a_video_the_company_is_asked_for(build):
    """A search for "this company" that nothing names is refused, and the sentence says what to do."""
    with pytest.raises(QuestionError) as caught:
        refuse_unknown_company(build("이 회사 최근 실적은?"))
    assert caught.value.korean == "‘이 회사’: 어느 곳을 말하는지 알 수 없어요. 이름을 넣거나 영상을 열고 다시 물어봐 주세요."
    refuse_unknown_company(build("삼성전자 최근 실적은?"))


@pytest.mark.parametrize(
    ("question", "name", "changed"),
    [
        ("이 회사 최근 실적은?", "삼성전자", "삼성전자 최근 실적은?"),
        ("이 회사가 만든 칩은?", "리벨칩", "리벨칩이 만든 칩은?"),
    ],
)
def test_a_change_asks_the_same_of_another_company(build, question, name, changed):
    """The name takes the place of the pointing word, with the particle it asks for."""
    [referent] = build(question, CHIPS).referents
    assert name_referent(question, referent, name) == changed


def test_without_a_moment_only_what_fits_is_meant(build):
    """A thing that stands near is no shop: what is meant stays open, and the question is asked with what the video is about."""
    video = said_in_turn(
        "안녕하세요, 오늘은 천연 발효종 빵을 굽습니다.",
        "분홍색 줄이 보이면 발효종이 상한 것입니다.",
        "발효종은 밀가루와 물로 만듭니다.",
        "굽는 양을 하루 80개로 줄였습니다.",
    )
    built = build("이 서점은 왜 굽는 양을 줄였어?", video)
    assert [(each.reference, each.meaning) for each in built.referents] == [("이 서점", "")]
    assert "발효종" in built.text


def asked(question: str, video: VideoContext, moment_s: float) -> str:
    intent = QueryIntentAnalyzer().analyze_intent(question, video, moment_s=moment_s)
    return QueryConstructor().query_for(intent, video).text


def test_a_person_or_a_company_is_no_common_noun():
    """Where no name was said just before, "이 사람" is the speaker, and "이 회사" the firm that presents itself."""
    said = ("The pump is quiet.", "It runs until lunch.", "Kestrel Bay has two hundred people.")
    firm = said_in_turn(*said, title="Kestrel Bay Day", channel="Kestrel Bay")
    lecture = said_in_turn("이끼는 물을 오래 머금습니다.", "식물 가운데 가장 먼저 땅에 올라왔습니다.", speakers=("한소미",))
    assert "Kestrel Bay" in asked("이 회사 직원 몇 명이야?", firm, 9.0)
    assert "한소미" in asked("이 사람 전에는 어디서 일했대?", lecture, 11.0)
    moved = said_in_turn("한빛전자는 오르간을 만들었습니다.", *["그 소리를 아직 기억하죠."] * 12, "공장은 인도네시아로 갔어요.")
    assert "한빛전자" in asked("이 회사 요즘은 뭐 만들어?", moved, 80.0)


def test_who_introduces_oneself_is_this_person():
    """A speaker, whose name goes into no query otherwise, is what "이 사람" means."""
    said = ("김민서 이사 올라와 주세요.", "안녕하세요 김민서입니다.", "솥 바닥의 온도를 쟀습니다.", "1도 차이로 맛이 변합니다.")
    video = said_in_turn(*said)
    assert index_of(video).tells("김민서")
    assert "김민서" in asked("이 사람 전에는 어디서 일했대?", video, 19.0)


def test_a_story_of_a_programme_is_asked_about_by_itself():
    """Where several reporters sign off, no term of the first story goes into a question on another."""
    first = ("나루강에서 흙냄새가 납니다.", "흙냄새는 남조류가 냅니다.", "흙냄새 신고가 늘고 있습니다.", "한울방송 김가람입니다.")
    second = ("달섬에 드론이 택배를 나릅니다.", "드론은 12분 만에 섬에 닿습니다.", "달섬에서 이누리가 전해드렸습니다.")
    third = ("빵값이 오릅니다.", "한울방송 박바다입니다.")
    video = said_in_turn(*first, *second, *third, title="한울방송 저녁뉴스 흙냄새", channel="한울방송")
    assert index_of(video).stories == 1.0
    assert "흙냄새" not in asked("몇 분 걸려?", video, 32.0)


def test_a_report_is_about_what_the_presenter_said_before_it():
    """However long a report is, its lead says what it is about; the programme's name does not."""
    lead = ("새벽 2시에 멈춘 저녁뉴스9 소식입니다.", "온새시 케이블카가 멈춰 섰습니다.", "서유나 기자입니다.")
    report = ("산 위에 바람이 붑니다.", "아이가 계속 울었어요.") * 8
    query = asked("몇 명이야?", said_in_turn(*lead, *report, title="저녁뉴스9", channel="저녁뉴스"), 110.0)
    assert "온새시 케이블카" in query
    assert "뉴스" not in query


def test_of_two_about_as_likely_the_other_is_asked_about_as_well():
    """Beside the query with one of two firms named together a query with the other goes out; of one that is meant surely none."""
    together = said_in_turn("SK하이닉스와 삼성전자가 같이 만듭니다.", "값은 같습니다.")
    intent = QueryIntentAnalyzer().analyze_intent("이 회사 주가는?", together, moment_s=11.0)
    built = QueryConstructor().query_for(intent, together)
    [other] = built.also
    assert {built.referents[0].meaning, *built.referents[0].others[:1]} == {"SK하이닉스", "삼성전자"}
    assert built.referents[0].others[0] in other.text
    assert built.referents[0].meaning not in other.text
    surely = QueryIntentAnalyzer().analyze_intent("이 회사 주가는?", LECTURE, moment_s=25.0)
    assert not QueryConstructor().query_for(surely, LECTURE).also
