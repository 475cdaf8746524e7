from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from search_core.domain import (
    ConversationMemory,
    PartOrigin,
    QueryPart,
    TranscriptSegment,
    Turn,
    VideoContext,
)
from search_core.intent import QueryIntentAnalyzer
from search_core.query import MAX_QUERY_CHARS, PROVIDER_MAX_CHARS, QueryConstructor
from search_core.video import samples


def part(text: str, origin: str) -> QueryPart:
    return QueryPart(text, PartOrigin(origin))


@pytest.mark.parametrize(
    ("query", "earlier", "first"),
    [
        ("이 회사 최근 실적은?", (), part("한빛반도체", "organization")),
        ("그 사람이 누구야", (), part("서도윤", "speaker")),
        ("이 행사 언제 열려?", (), part("2026 반도체 대전", "event")),
        ("매출은?", (), part("한빛반도체", "organization")),
        ("더 자세히", (), part("AI 메모리 대전", "title")),
        ("이 회사 주가는?", ("테슬라 리콜 소식 있어?",), part("테슬라", "memory")),
    ],
)
def test_what_the_question_points_at_comes_first(build, talk, query: str, earlier: tuple[str, ...], first: QueryPart):
    """A pointing word is replaced by what the last turn or else the video names, and a bare property gets its owner."""
    assert build(query, talk, earlier).parts[0] == first


def test_a_resolved_pointing_word_leaves_the_query(build, talk):
    """Once "이 회사" is known it is not searched for; the user's own words stay, and the text is the parts joined."""
    built = build("이 회사 최근 실적은?", talk)
    assert "이 회사" not in built.text
    assert {"최근", "실적"} <= {one.text for one in built.parts}
    assert built.text == " ".join(one.text for one in built.parts)
    assert build("이 회사 최근 실적은?").text.startswith("이 회사 최근 실적")


TALK_OF_TWO = VideoContext(title="대담: 박하늘 감독과 최윤슬 작가", speakers=("최윤슬", "박하늘"))
BEES = VideoContext(title="도시 양봉 입문: 옥상에서 꿀벌 키우기", key_terms=("벌통",))


@pytest.mark.parametrize(
    ("question", "video", "earlier", "has", "lacks"),
    [
        ("그 감독 다른 작품은?", TALK_OF_TWO, (), ("박하늘 감독",), ("최윤슬",)),
        ("그 작가 인터뷰", TALK_OF_TWO, (), ("최윤슬 작가",), ("박하늘",)),
        ("이 회사 주가는?", "talk", ("테슬라 리콜 소식 있어?",), ("테슬라",), ("한빛반도체",)),
        ("장점은?", None, ("전고체 배터리가 뭐야?", "더 자세히"), ("전고체 배터리",), ()),
        ("그럼 SK하이닉스는?", None, ("삼성전자 HBM4 양산 시점은?",), ("SK하이닉스", "HBM4"), ("삼성전자",)),
        ("NVIDIA Blackwell 공급 일정", VideoContext(title="강연", organizations=("엔비디아",)), (), ("NVIDIA",), ("엔비디아",)),
        ("벌통은 어떻게 관리해?", BEES, (), ("도시 양봉 입문",), ()),
        ("관리 비용 절약", VideoContext(key_terms=("벌통",)), (), ("벌통",), ()),
        ("오늘 수출 규제 속보", "talk", (), ("한빛반도체",), ()),
        ("추론 비용 줄이는 기술", "talk", (), ("별빛컴퓨팅",), ("한빛반도체",)),
        ("HBM4 양산 일정", "talk", (), ("한빛반도체",), ("별빛컴퓨팅",)),
    ],
)
def test_a_query_holds_what_was_spoken_of(build, talk, question: str, video, earlier, has, lacks):
    """The role chooses the speaker, the last turn beats the video, and a name said near the question's words is added once."""
    text = build(question, talk if video == "talk" else video, earlier).text
    assert all(word in text for word in has)
    assert not any(word in text for word in lacks)


def test_a_name_in_the_question_is_not_added_again(build, talk):
    """A video element the user typed, in any spacing or case, is there once; a Korean name gets its organisation."""
    assert build("한빛 반도체 HBM4 양산", talk).text == "한빛 반도체 HBM4 양산"
    video = VideoContext(title="Keynote", organizations=("Aurora Robotics",))
    assert build("aurora robotics factory location", video).text.casefold().count("aurora") == 1
    assert build("서도윤 경력", talk).text == "서도윤 경력 한빛반도체"
    assert build("구글은?", None, ["네이버 검색 점유율은?"]).text == "구글 검색 점유율"
    assert build("더 자세히").text == "더 자세히"


@pytest.mark.parametrize(
    ("query", "year"),
    [
        ("올해 반도체 수출 뉴스", "2026년"),
        ("작년 반도체 수출 실적 소식", "2025년"),
        ("latest chip export news", "2026"),
        ("2024년 최근 반도체 뉴스", None),
        ("올해라는 낱말의 뜻은 무엇인가요?", None),
        ("반도체 뉴스", None),
    ],
)
def test_a_year_said_in_words_is_written(build, query: str, year: str | None):
    """News of "올해" is news of 2026; a written year, a question of background and one without time get none."""
    assert [one.text for one in build(query).parts if one.origin is PartOrigin.DATE] == ([year] if year else [])


def test_fallbacks_go_from_narrow_to_broad(build, talk):
    """Each broader query has no more words than the one before; a translated one stands before those that say less."""
    built = build("올해 HBM4 양산 일정 뉴스", talk)
    counts = [len(query.split()) for query in (built.text, *built.fallback_queries)]
    assert counts == sorted(counts, reverse=True)
    assert "올해 HBM4 양산 일정 뉴스" in built.fallback_queries
    assert built.text not in built.fallback_queries
    assert len(set(built.fallback_queries)) == len(built.fallback_queries)
    named = build("올해 SK하이닉스 HBM4 양산 일정 뉴스")
    assert named.translated == "SK hynix HBM4 2026"
    narrower = named.fallback_queries[: named.fallback_queries.index(named.translated)]
    assert all(len(query.split()) >= 3 for query in narrower)
    assert named.fallback_queries[-1] == "SK하이닉스"


@pytest.mark.parametrize(
    ("question", "text", "left_out"),
    [
        ("세계에서 가장 큰 배터리 회사는?", "세계 가장 큰 배터리 회사", ()),
        ("어디가 제일 비싸?", "제일 비싼", ()),
        ("인구가 두 번째로 많은 도시는?", "인구 두 번째로 많은 도시", ()),
        ("두 달 전에 나온 감산 계획", "두 달 전 감산 계획", ()),
        ("원자의 10분의 1 크기", "원자 10분의 1 크기", ()),
        ("킬로와트시당 가격이 얼마야?", "킬로와트시당 가격", ()),
        ("7번째 금리 동결", "7번째 금리 동결", ()),
        ("아이오닉 5 배터리", "아이오닉 5 배터리", ()),
        ("한 번 알려 줘, 한빛반도체 주가", "한빛반도체 주가", ()),
        ("탄소섬유는 얼마나 무거워?", "탄소섬유 무게", ()),
        ("환율이 왜 뛰었대?", "환율 뛰었다", ()),
        ("공장 잘 돌아가고 있어?", "공장 돌아가고 있다", ()),
        ("삼성전자보다 큰 회사", "삼성전자 큰 회사", ()),
        ("카페인 없는 커피", "카페인 없는 커피", ()),
        ("삼성전자 3분기 말고 4분기 실적은?", "삼성전자 4분기 실적", ("3분기",)),
        ("작년 실적 말고 재작년 전망", "재작년 전망 2024년", ("작년 실적",)),
        ("서울 아파트 말고 경기도 아파트 가격", "경기도 아파트 가격", ("서울",)),
        ("CATL이랑 BYD를 뺀 배터리 회사", "배터리 회사", ("CATL", "BYD")),
        ("원전은 됐고 조력발전 단가", "조력발전 단가", ("원전",)),
        ("걱정하지 말고 말고기 가격", "걱정 말고기 가격", ()),
        ("살 빼고 근육 늘리는 운동", "살 빼고 근육 늘리는 운동", ()),
        ("미국이 한국을 제외했나?", "미국 한국 제외", ()),
        ("왜 수소차 말고 전기차를 골랐어?", "수소차 전기차 골랐다", ()),
        ("battery makers other than CATL in Europe", "battery makers Europe", ("CATL",)),
        ("the most expensive phones under $500", "most expensive phones under $500", ()),
        ("US inflation at least since 2020", "US inflation 2020", ()),
    ],
)
def test_a_query_keeps_what_a_question_counts_and_leaves_out_what_it_excludes(
    question: str, text: str, left_out: tuple[str, ...]
):
    """Superlatives, ordinals, numerals and units stay, spoken verbs are written as statements, and excluded words are named."""
    constructor = QueryConstructor(now=lambda: datetime(2026, 11, 20, tzinfo=UTC))
    built = constructor.without_context(QueryIntentAnalyzer().analyze_intent(question, None))
    assert (built.text, built.left_out) == (text, left_out)


def test_an_earlier_turn_brings_back_nothing_that_is_excluded(build):
    """What was asked before is asked again without the excluded word, and removing a part keeps saying what was left out."""
    built = build("2분기 말고 1분기는?", None, ["한빛반도체 2분기 영업이익은?"])
    assert {part.text for part in built.parts} == {"1분기", "한빛반도체", "영업이익"}
    assert QueryConstructor().without_parts(built, frozenset({"영업이익"})).left_out == ("2분기",)


def test_a_name_known_in_both_scripts_gives_a_translated_query(build):
    """Services that also hold English texts are asked in English names; no translation of an unknown name is made up."""
    built = build("엔비디아 실적")
    assert built.translated is not None
    assert "NVIDIA" in built.translated
    assert built.translated in built.fallback_queries
    assert build("도시 양봉 비용").translated is None


def test_broader_queries_of_a_bare_text(build):
    """Properties go first, then all but the most telling word; a name that looks like a verb or a property stays."""
    broader = QueryConstructor().generate_fallback_queries("한빛반도체 메모리 대역폭 장점은 무엇인가요?")
    assert broader[0] == "한빛반도체 메모리 대역폭 장점"
    assert broader[-1] == "한빛반도체"
    assert QueryConstructor().generate_fallback_queries("반도체") == ()
    assert build("캐나다 정책 날씨").fallback_queries[-1] == "캐나다"
    assert "Early Release Observations" in build("Early Release Observations는 어떤 행사인가?").fallback_queries


def test_verbs_are_written_as_they_were_typed(build, talk):
    """No query holds the dictionary form of a verb ("얹다"), neither the first nor a broader one, nor one without a part."""
    built = build("한빛반도체가 메모리를 얹은 까닭은?", talk)
    assert built.text == "한빛반도체 메모리 얹은 까닭"
    assert built.fallback_queries == ("한빛반도체 메모리 까닭", "한빛반도체")
    less = QueryConstructor().without_parts(built, frozenset({"까닭"}))
    assert (less.text, *less.fallback_queries) == ("한빛반도체 메모리 얹은", "한빛반도체 메모리", "한빛반도체")
    assert QueryConstructor().generate_fallback_queries("메모리를 얹은 회사") == ("메모리 얹은 회사", "메모리")


@pytest.mark.parametrize(
    ("sample", "question", "text"),
    [
        ("sample-hbm", "메모리 대역폭은 왜 중요한가?", "메모리 대역폭 중요 HBM"),
        ("sample-hbm", "HBM은 왜 중요한가?", "HBM 중요"),
        ("sample-hbm", "표준은 누가 정하나?", "표준 정한다 JEDEC"),
        ("sample-hunminjeongeum", "세종대왕은 누구인가?", "세종대왕 훈민정음"),
        ("sample-webb-infrared", "infrared는 왜 중요한가?", "infrared 중요 James Webb Space Telescope"),
        ("sample-webb-infrared", "이 영상의 내용을 더 자세히", "James Webb Space Telescope NASA 내용"),
    ],
)
def test_what_narrows_the_question_is_added(build, sample: str, question: str, text: str):
    """A name only where the video ties it to the question; else the subject of the title, unless the question says it."""
    video = next(video for video in samples() if video.video_id == sample)
    assert build(question, video).text == text


@pytest.mark.parametrize("title", ["2024_gpt", "talk", "KL2vgtBxsuc"])
def test_the_name_of_a_file_is_never_searched_for(build, title: str):
    """A file's name says nothing; the names and terms of the video stand in."""
    video = VideoContext(title=title, organizations=("한빛반도체",), key_terms=("벌통",))
    for question in ("이 영상 내용 더 자세히", "관리 비용 절약", "더 자세히"):
        built = build(question, video)
        assert title not in built.text
        assert "한빛반도체" in built.text or "벌통" in built.text


def test_a_bare_query_is_enhanced(build, talk):
    """The element nearest to the query is added, of a long video the one spoken of most; a query that names one stays."""
    constructor = QueryConstructor()
    assert constructor.enhance_with_context("HBM4 양산 일정", talk) == "HBM4 양산 일정 한빛반도체"
    assert constructor.enhance_with_context("별빛컴퓨팅 채용", talk) == "별빛컴퓨팅 채용"
    assert constructor.enhance_with_context("HBM4", None) == "HBM4"
    said = ["한빛반도체 이야기"] * 3 + ["천천히 살펴보겠습니다"] * 30 + ["별빛컴퓨팅 가속기의 대역폭", "끝"]
    segments = tuple(TranscriptSegment(i * 5.0, i * 5.0 + 5, text) for i, text in enumerate(said))
    video = VideoContext(organizations=("한빛반도체", "별빛컴퓨팅"), transcript=segments)
    assert build("대역폭이 중요한 이유", video).text.endswith("한빛반도체")


def test_parts_taken_away_are_searched_no_more(build, talk):
    """Neither the query nor its fallbacks bring a removed part back, and the last part cannot be removed."""
    less = QueryConstructor().without_parts(build("HBM4 양산 일정", talk), frozenset({"한빛반도체"}))
    assert less.text == "HBM4 양산 일정"
    assert all("한빛반도체" not in query for query in less.fallback_queries)
    assert QueryConstructor().without_parts(build("반도체"), frozenset({"반도체"})) == build("반도체")


def test_what_is_given_is_searched_for():
    """The verbatim query adds and drops nothing, terms given in an intent are all used, and a vague turn is read as searched."""
    constructor = QueryConstructor()
    verbatim = constructor.verbatim("이 회사 최근 실적은?")
    assert (verbatim.text, verbatim.verbatim) == ("이 회사 최근 실적은?", True)
    assert verbatim.parts == (part("이 회사 최근 실적은?", "question"),)
    asked = QueryIntentAnalyzer().analyze_intent("무엇", None)
    intent = replace(asked, search_terms=("양자", "얽힘"), requires_context=False)
    assert constructor.construct_query(intent, None, None).text == "양자 얽힘"
    memory = ConversationMemory((Turn(question="이 회사 실적은?", query="한빛반도체 실적"),))
    more = QueryIntentAnalyzer().analyze_intent("더 자세히", None, memory)
    assert "한빛반도체" in constructor.construct_query(more, None, memory).text


def test_a_long_question_keeps_its_words_and_one_piece_of_context(build, talk):
    """No word is cut below 400 characters; past the usual length one piece of context is added, before it at most three."""
    terms = [f"낱말{number:02d}번" for number in range(25)]
    built = build(" ".join(terms), talk)
    assert all(term in built.text for term in terms)
    assert MAX_QUERY_CHARS < len(built.text) <= PROVIDER_MAX_CHARS
    assert sum(one.origin is not PartOrigin.QUESTION for one in built.parts) == 1
    assert sum(one.origin is not PartOrigin.QUESTION for one in build("올해 추론 비용 뉴스", talk).parts) <= 3
    assert len(build("가나다라마바사 " * 62).text) <= PROVIDER_MAX_CHARS
    assert len(build("ab" * 250).text) == PROVIDER_MAX_CHARS
    long = build("대역폭 " * 60)
    assert QueryConstructor().with_subject(long, "한빛반도체").text == f"한빛반도체 {long.text}"


def test_the_subject_of_a_video_is_what_its_title_names(talk):
    """An organisation or event in the title first, then what the title is about, then the chief name; may be nothing."""
    constructor = QueryConstructor()
    named = VideoContext(title="한빛반도체 실적 발표", organizations=("별빛컴퓨팅", "한빛반도체"))
    assert constructor.subject_of(named) == "한빛반도체"
    assert constructor.subject_of(talk) == "AI 메모리 대전"
    assert constructor.subject_of(VideoContext(speakers=("서도윤",))) == "서도윤"
    assert constructor.subject_of(VideoContext()) == ""


def test_the_subject_stands_before_the_question_unless_it_is_named(build):
    """It is put first as one part, and changes nothing where the query holds it already."""
    constructor = QueryConstructor()
    told = constructor.with_subject(build("메모리 대역폭이 왜 중요해?"), "  한빛반도체 ")
    assert told.parts[0] == part("한빛반도체", "title")
    assert told.text.startswith("한빛반도체 메모리 대역폭")
    assert "한빛반도체" not in told.fallback_queries
    named = build("한빛반도체 실적")
    assert constructor.with_subject(named, "한빛반도체") is named
    assert constructor.with_subject(named, " ") is named


@pytest.mark.parametrize(
    ("question", "subject", "named"),
    [
        ("C18B 엔진의 연료 분사 압력은?", "C18", False),
        ("C18 엔진의 연료 분사 압력은?", "C18", True),
        ("HBM4 표준은 언제 나왔어?", "HBM", True),
        ("HBM에서는 무엇이 달라져?", "HBM", True),
        ("삼성전자 공장은 어디에 있어?", "삼성", False),
        ("SK 하이닉스의 공장은 어디에 있어?", "SK하이닉스", True),
    ],
)
def test_a_subject_is_named_by_a_word_and_not_by_a_part_of_one(question: str, subject: str, named: bool):
    """A longer name is another thing; a particle behind the name changes nothing."""
    constructor = QueryConstructor()
    query = constructor.verbatim(question)
    assert (constructor.with_subject(query, subject) is query) is named
    assert constructor.with_subject(query, subject).text.startswith(subject) is (not named or question.startswith(subject))


@pytest.mark.parametrize(
    ("question", "sent", "broader"),
    [
        ("2024년 노벨 물리학상 수상자는 누구야?", None, ("2024년 노벨 물리학상 수상자", "2024년 물리학상 수상자")),
        ("2025년 최저임금은 얼마야?", None, ("2025년 최저임금",)),
        ("한국의 대통령은 누구야?", None, ("한국 대통령",)),
        ("매출은?", None, ("매출",)),
        ("이 회사는 어디야?", "SK하이닉스는 어디야?", None),
        ("이 회사의 최근 실적은?", "SK하이닉스의 최근 실적은?", None),
        ("이 회사랑은 무슨 사이야?", "SK하이닉스랑은 무슨 사이야?", None),
        ("What did this company announce?", "What did SK하이닉스 announce?", None),
    ],
)
def test_a_question_sent_as_asked_keeps_its_own_words(question: str, sent: str | None, broader: tuple[str, ...] | None):
    """Only pointing words are replaced, no name of the video is added, and no broader query is a bare year or word."""
    video = VideoContext(title="실적 발표", organizations=("SK하이닉스",))
    constructed = QueryConstructor().as_asked(QueryIntentAnalyzer().analyze_intent(question, video), video)
    assert constructed.text == (sent or question) == " ".join(part.text for part in constructed.parts)
    assert broader is None or constructed.fallback_queries == broader
