from __future__ import annotations

import pytest

from search_core.domain.query import ConversationMemory, Turn
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.search.understanding.things import surroundings
from search_core.search.understanding.transcript_index import index_of

SAID = (
    "오늘은 반도체를 만드는 장비 이야기를 해 보겠습니다.",
    "삼성전자는 이 장비를 가장 많이 사 온 곳 가운데 하나입니다.",
    "삼성전자는 작년에도 여러 대를 들여왔습니다.",
    "노광 장비를 만드는 회사는 네덜란드의 ASML입니다.",
    "이 회사가 없으면 미세 공정을 할 수 없습니다.",
    "거울을 만드는 곳은 독일의 칼 자이스라는 회사입니다.",
    "이 회사는 거울 하나를 일 년 동안 깎습니다.",
    "전시회는 벨트호번이라는 도시에서 열립니다.",
    "거기서 새 장비를 처음 보여 줍니다.",
)
VIDEO = VideoContext(
    title="노광 장비 강의",
    organizations=("삼성전자", "ASML"),
    transcript=tuple(TranscriptSegment(6.0 * n, 6.0 * n + 6, text) for n, text in enumerate(SAID)),
)


def meaning(question: str, moment_s: float | None, memory: ConversationMemory | None = None) -> str:
    """Return what the first pointing word of *question* is taken for."""
    intent = QueryIntentAnalyzer().analyze_intent(question, VIDEO, memory, moment_s=moment_s)
    return QueryConstructor().query_for(intent, VIDEO, memory).referents[0].meaning


@pytest.mark.parametrize(
    ("question", "moment_s", "meant"),
    [
        ("이 회사의 3분기 실적은?", 9.0, "삼성전자"),
        ("이 회사의 3분기 실적은?", 25.0, "ASML"),
        ("이 회사의 3분기 실적은?", 37.0, "자이스"),
        ("이 회사는 언제 세워졌어?", 30.0, "자이스"),
        ("이 도시는 어떻게 가?", 49.0, "벨트호번"),
        ("이 도시 사람들은 뭘 먹어?", 49.0, "벨트호번"),
        ("노광 장비를 만드는 그 회사는 어디 있어?", None, "ASML"),
    ],
)
def test_a_pointing_word_means_what_was_just_said(question: str, moment_s: float | None, meant: str):
    """The nearest fitting thing before the moment, or in the line clicked, is meant, or the one that the question describes."""
    assert meant in meaning(question, moment_s)


def test_what_was_talked_of_comes_before_the_video():
    """The company of the turn before is "그 회사"; "이 회사" at a moment points at the video."""
    memory = ConversationMemory((Turn(question="TSMC 실적은?"),))
    assert meaning("그 회사 본사는 어디야?", 25.0, memory) == "TSMC"
    assert meaning("이 회사 본사는 어디야?", 25.0, memory) == "ASML"


def test_what_points_at_the_video_is_not_what_a_search_added():
    """A name that only an earlier query has is of the video, as the first company is; a noun means no other thing of the talk."""
    memory = ConversationMemory((Turn(question="거울은 누가 깎아?", query="거울 칼 자이스 엔비디아"),))
    assert meaning("이 회사 본사는 어디야?", None, memory) == "삼성전자"
    assert meaning("그 회사 본사는 어디야?", None, memory) == "엔비디아"
    assert meaning("이 빵집은 어디에 있어?", None, memory) == ""


def test_what_is_about_as_near_is_offered():
    """The other names of the video are offered beside the one taken."""
    intent = QueryIntentAnalyzer().analyze_intent("이 회사의 실적은?", VIDEO, moment_s=25.0)
    assert "삼성전자" in QueryConstructor().query_for(intent, VIDEO).referents[0].others


def test_a_surname_with_a_title_is_the_person_of_that_surname():
    """A surname with a title is the one person of that surname who was named in full; of two persons it is neither."""
    said = ("두루미지기 모임의 최종수 회장님을 모셨습니다.", "최 회장님은 농사를 짓던 분입니다.")
    for more, mentions in (("", ["최종수", "최"]), ("최영희 박사가 도왔습니다.", ["최종수"])):
        lines = (*said, more) if more else said
        video = VideoContext(transcript=tuple(TranscriptSegment(6.0 * n, 6.0 * n + 6, text) for n, text in enumerate(lines)))
        index = index_of(video)
        around = surroundings(index, index.position_at(11.0) or 0)
        (person,) = (thing for thing in around.things if thing.text == "최종수")
        assert [around.text[each.start : each.end] for each in person.mentions] == mentions
