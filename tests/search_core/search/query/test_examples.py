from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import TranscriptSegment, VideoContext
from search_core.search.query.examples import MAX_EXAMPLES, VAGUE, example_questions, question_of
from search_core.video import sample_questions, samples


def test_a_sample_has_questions_of_its_own():
    """The four questions written beside a sample are offered, none a bare wish for more; without a video there are some too."""
    for video in samples():
        offered = example_questions(video)
        assert offered == sample_questions(video.video_id)
        assert len(offered) == MAX_EXAMPLES
        assert not [question for question in offered if "더 자세히" in question or question.startswith("그 ")]
    assert example_questions(None)
    assert (len(example_questions(FULL)), example_questions(FULL)[-1]) == (MAX_EXAMPLES, VAGUE)


FULL = VideoContext(title="서도윤의 강연", key_terms=("대역폭",), speakers=("서도윤",), events=("GTC",), organizations=("JEDEC",))
NARRATED = VideoContext(
    description="내레이터 서도윤", key_terms=("내레이터", "진행자", "대역폭"), speakers=("내레이터", "서도윤")
)
MUSEUM = VideoContext(channel="정인지", organizations=("국립한글박물관",), events=("한글날",), speakers=("정인지",))
NEWS = VideoContext(
    channel="한빛뉴스",
    key_terms=("백신", "집단 감염"),
    speakers=("서도윤", "정인지"),
    organizations=("경찰", "한빛뉴스", "엔비디아"),
    transcript=(
        TranscriptSegment(0, 9, "경찰이 찾습니다. 경찰은 엔비디아, 엔비디아에 물었습니다. 한빛뉴스 서도윤입니다. 한빛뉴스."),
    ),
)
IMPOSTOR = VideoContext(video_id="sample-hbm", title="메모리", key_terms=("메모리",))


PARKS = VideoContext(
    key_terms=("지리산", "설악산"),
    organizations=("국립공원공단",),
    transcript=(
        TranscriptSegment(0, 5, "안녕하세요. 지리산은 참 큽니다."),
        TranscriptSegment(5, 9, "지리산의 높이는 1,915미터입니다. 그 산은 1967년에"),
        TranscriptSegment(9, 14, "국립공원이 되었습니다. 설악산은 1970년에 국립공원이 되었습니다."),
        TranscriptSegment(14, 19, "국립공원공단은 산을 돌봅니다. 국립공원공단에는 직원이 많습니다."),
    ),
)


@pytest.mark.parametrize(
    ("video", "offered"),
    [
        (IMPOSTOR, ("메모리에 대해 뭐라고 하나?", VAGUE)),
        (MUSEUM, ("정인지는 누구인가?", "한글날은 무엇인가?", "국립한글박물관에 대해 뭐라고 하나?", VAGUE)),
        (NEWS, ("엔비디아에 대해 뭐라고 하나?", "집단 감염에 대해 뭐라고 하나?", VAGUE)),
        (NARRATED, ("서도윤은 누구인가?", VAGUE)),
        (VideoContext(key_terms=("revenue", "HBM4")), ("HBM4에 대해 뭐라고 하나?", VAGUE)),
        (VideoContext(key_terms=("가격", "robot")), (VAGUE,)),
        (
            PARKS,
            ("지리산의 높이는 몇 미터인가?", "설악산은 언제 국립공원이 됐나?", "국립공원공단에 대해 뭐라고 하나?", VAGUE),
        ),
        (replace(PARKS, organizations=("엔비디아",), transcript=PARKS.transcript[:1]), ("지리산에 대해 뭐라고 하나?", VAGUE)),
    ],
)
def test_questions_are_made_of_what_is_said_and_of_names(video: VideoContext, offered: tuple[str, ...]):
    """Figures and days that are said are asked for, people who are announced, events, institutions and things by their names."""
    assert example_questions(video) == offered


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("지리산의 높이는 1,915미터입니다.", "지리산의 높이는 몇 미터인가?"),
        ("HBM 한 묶음의 입출력 폭은 1024비트였습니다.", "HBM 한 묶음의 입출력 폭은 몇 비트였나?"),
        ("한빛자동차는 전기차를 약 8만 2천 대 팔았습니다.", "한빛자동차는 전기차를 몇 대 팔았나?"),
        ("네팔 정부는 등반하는 사람에게 1만 1천 달러를 받습니다.", "네팔 정부는 등반하는 사람에게 얼마를 받나?"),
        ("어른 표는 4천 원입니다.", "어른 표는 얼마인가?"),
        ("훈민정음 해례본은 1962년 12월에 국보로 지정되었습니다.", "훈민정음 해례본은 언제 국보로 지정됐나?"),
    ],
)
def test_a_figure_or_a_day_is_asked_for(sentence: str, question: str):
    """The figure becomes what asks for it, with its unit or the particle that fits, and the ending that of a question."""
    assert question_of(sentence) == question


@pytest.mark.parametrize(
    "sentence",
    [
        "그 산은 1967년에 국립공원이 되었습니다.",
        "지금은 하루에 800개를 굽습니다.",
        "서울에는 2014년에 문을 연 박물관이 있습니다.",
        "불은 20분 만에 꺼졌고 다친 사람은 없습니다.",
        "경찰은 20대 남성이 달아났다고 밝혔습니다.",
        "체포동의안이 처리된 2명은 모두 의원입니다.",
        "설악산의 높이는 1,708미터이고 한라산의 높이는 1,947미터입니다.",
        "교회에서 어제 11명이 확진됐습니다.",
        "지리산의 높이는 몇 미터일까요?",
        "지리산의 높이는 1,915미터입니다",
        "The mirror is 6.5 meters across.",
        "",
    ],
)
def test_a_sentence_that_makes_no_good_question_makes_none(sentence: str):
    """What points elsewhere, lacks its subject, has clauses or further figures, or is cut, is not asked for."""
    assert question_of(sentence) == ""
