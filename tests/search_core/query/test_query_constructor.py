from __future__ import annotations

import pytest

from search_core.domain import (
    ConversationMemory,
    PartOrigin,
    QueryPart,
    SearchIntent,
    SearchType,
    TranscriptSegment,
    Turn,
    VideoContext,
)
from search_core.intent import QueryIntentAnalyzer
from search_core.query import MAX_QUERY_CHARS, PROVIDER_MAX_CHARS, QueryConstructor
from search_core.video import samples


def part(text: str, origin: str) -> QueryPart:
    return QueryPart(text, PartOrigin(origin))


def origins(parts: tuple[QueryPart, ...]) -> dict[str, str]:
    return {one.text: one.origin.value for one in parts}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("이 회사 최근 실적은?", part("한빛반도체", "organization")),
        ("그 사람이 누구야", part("서도윤", "speaker")),
        ("이 행사 언제 열려?", part("2026 반도체 대전", "event")),
        ("매출은?", part("한빛반도체", "organization")),
        ("더 자세히", part("AI 메모리 대전", "title")),
    ],
)
def test_what_the_question_points_at_comes_from_the_video(build, talk, query: str, first: QueryPart):
    """A pointing word is replaced by what the video names, and a bare property gets its owner."""
    assert build(query, talk).parts[0] == first


def test_a_resolved_pointing_word_leaves_the_query(build, talk):
    """The words "이 회사" are not searched for once it is known; the user's own words stay."""
    built = build("이 회사 최근 실적은?", talk)
    assert "이 회사" not in built.text
    assert {"최근", "실적"} <= {one.text for one in built.parts}


def test_an_unresolved_pointing_word_stays(build):
    """Without video and earlier turns nothing is thrown away."""
    assert build("이 회사 최근 실적은?").text.startswith("이 회사 최근 실적")


def test_a_telling_noun_chooses_among_speakers(build):
    """The words "그 감독" mean the one the title calls so, and keeps the role as a guard against namesakes."""
    video = VideoContext(title="대담: 박하늘 감독과 최윤슬 작가", speakers=("최윤슬", "박하늘"))
    assert build("그 감독 다른 작품은?", video).text.startswith("박하늘 감독")
    assert build("그 작가 인터뷰", video).text.startswith("최윤슬 작가")


def test_earlier_turns_beat_the_video(build, talk):
    """The person and the company spoken of last are meant, not those of the video."""
    assert build("이 회사 주가는?", talk, ["테슬라 리콜 소식 있어?"]).parts[0] == part("테슬라", "memory")
    assert "한빛반도체" not in build("이 회사 주가는?", talk, ["테슬라 리콜 소식 있어?"]).text


def test_the_subject_reaches_back_over_empty_turns(build):
    """The turn "더 자세히" names nothing, so the turn before it counts."""
    assert "전고체 배터리" in build("장점은?", None, ["전고체 배터리가 뭐야?", "더 자세히"]).text


def test_an_earlier_turn_that_pointed_is_read_as_it_was_searched(talk):
    """The built query of a vague turn tells what the turn was about."""
    memory = ConversationMemory((Turn(question="이 회사 실적은?", query="한빛반도체 실적"),))
    intent = QueryIntentAnalyzer().analyze_intent("더 자세히", None, memory)
    assert "한빛반도체" in QueryConstructor().construct_query(intent, None, memory).text


def test_a_contrast_keeps_what_was_asked(build):
    """A turn like "그럼 X는?" asks of X what was asked before."""
    text = build("그럼 SK하이닉스는?", None, ["삼성전자 HBM4 양산 시점은?"]).text
    assert "SK하이닉스" in text
    assert "HBM4" in text
    assert "삼성전자" not in text


def test_a_bare_name_is_asked_what_was_asked_before(build):
    """The share asked of one company is asked of the other."""
    built = build("구글은?", None, ["네이버 검색 점유율은?"])
    assert built.text == "구글 검색 점유율"


def test_the_element_spoken_of_near_the_question_is_added(build, talk):
    """The company said beside the question's words wins over the more frequent one."""
    assert origins(build("추론 비용 줄이는 기술", talk).parts)["별빛컴퓨팅"] == "organization"
    assert origins(build("HBM4 양산 일정", talk).parts)["한빛반도체"] == "organization"


def test_no_more_than_three_parts_are_added(build, talk):
    """Context must not drown the question."""
    built = build("올해 추론 비용 뉴스", talk)
    assert sum(one.origin is not PartOrigin.QUESTION for one in built.parts) <= 3


def test_a_name_in_the_question_is_not_added_again(build, talk):
    """A video element the user typed, in any spacing or case, is there once."""
    assert build("한빛 반도체 HBM4 양산", talk).text == "한빛 반도체 HBM4 양산"
    video = VideoContext(title="Keynote", organizations=("Aurora Robotics",))
    assert build("aurora robotics factory location", video).text.casefold().count("aurora") == 1


def test_a_name_in_the_other_script_is_not_added_again(build):
    """The name "NVIDIA" in the question is the video's "엔비디아"."""
    built = build("NVIDIA Blackwell 공급 일정", VideoContext(title="강연", organizations=("엔비디아",)))
    assert "엔비디아" not in built.text


def test_a_speaker_in_the_question_is_guarded_against_namesakes(build, talk):
    """Korean names are shared by many; the organisation tells which one is meant."""
    assert build("서도윤 경력", talk).text == "서도윤 경력 한빛반도체"


def test_a_video_without_names_gives_its_title_or_key_terms(build):
    """Where nobody is named the topic helps."""
    video = VideoContext(title="도시 양봉 입문: 옥상에서 꿀벌 키우기", key_terms=("벌통",))
    assert "도시 양봉 입문" in build("벌통은 어떻게 관리해?", video).text
    assert "벌통" in build("관리 비용 절약", VideoContext(key_terms=("벌통",))).text


@pytest.mark.parametrize(
    ("query", "date"),
    [("올해 반도체 수출 뉴스", "2026년"), ("작년 반도체 수출 실적 소식", "2025년"), ("latest chip export news", "2026")],
)
def test_a_year_said_in_words_is_written(build, query: str, date: str):
    """News of "올해" is news of 2026."""
    assert part(date, "date") in build(query).parts


@pytest.mark.parametrize("query", ["2024년 최근 반도체 뉴스", "올해라는 낱말의 뜻은 무엇인가요?", "반도체 뉴스"])
def test_no_year_is_added_where_it_does_not_help(build, query: str):
    """A written year, a question of background and a question without time get none."""
    assert all(one.origin is not PartOrigin.DATE for one in build(query).parts)


def test_text_is_the_parts_joined(build, talk):
    """What is shown as chips is what is sent."""
    built = build("이 회사 최근 실적은?", talk)
    assert built.text == " ".join(one.text for one in built.parts)


def test_fallbacks_go_from_narrow_to_broad(build, talk):
    """Each broader query has no more words than the one before; the question's own words are among them."""
    built = build("올해 HBM4 양산 일정 뉴스", talk)
    counts = [len(query.split()) for query in (built.text, *built.fallback_queries)]
    assert counts == sorted(counts, reverse=True)
    assert "올해 HBM4 양산 일정 뉴스" in built.fallback_queries
    assert built.text not in built.fallback_queries
    assert len(set(built.fallback_queries)) == len(built.fallback_queries)


def test_a_name_known_in_both_scripts_gives_a_translated_query(build):
    """Services that also hold English texts are asked in English names."""
    built = build("엔비디아 실적")
    assert built.translated is not None
    assert "NVIDIA" in built.translated
    assert built.translated in built.fallback_queries


def test_no_known_name_gives_no_translation(build):
    """Nothing is made up for names nobody knows."""
    assert build("도시 양봉 비용").translated is None


def test_broader_queries_of_a_bare_text():
    """Properties go first, then all but the most telling word."""
    broader = QueryConstructor().generate_fallback_queries("한빛반도체 메모리 대역폭 장점은 무엇인가요?")
    assert broader[0] == "한빛반도체 메모리 대역폭 장점"
    assert broader[-1] == "한빛반도체"
    assert QueryConstructor().generate_fallback_queries("반도체") == ()


def test_verbs_are_written_as_they_were_typed(build, talk):
    """No query holds the dictionary form of a verb ("얹다"), neither the first nor a broader one, nor one without a part."""
    built = build("한빛반도체가 메모리를 얹은 까닭은?", talk)
    assert built.text == "한빛반도체 메모리 얹은 까닭"
    assert built.fallback_queries == ("한빛반도체 메모리 까닭", "한빛반도체")
    less = QueryConstructor().without_parts(built, frozenset({"까닭"}))
    assert (less.text, *less.fallback_queries) == ("한빛반도체 메모리 얹은", "한빛반도체 메모리", "한빛반도체")
    assert QueryConstructor().generate_fallback_queries("메모리를 얹은 회사") == ("메모리 얹은 회사", "메모리")


def test_a_name_that_ends_like_a_verb_is_a_name(build):
    """The word "캐나다" is none that is done: it stays when the query gets broader."""
    assert build("캐나다 정책 날씨").fallback_queries[-1] == "캐나다"


@pytest.mark.parametrize(
    ("sample", "question", "text"),
    [
        ("sample-hbm", "메모리 대역폭은 왜 중요한가?", "메모리 대역폭 중요 HBM"),
        ("sample-hbm", "HBM은 왜 중요한가?", "HBM 중요"),
        ("sample-hbm", "표준은 누가 정하나?", "표준 정하나 JEDEC"),
        ("sample-hunminjeongeum", "세종대왕은 누구인가?", "세종대왕 훈민정음"),
        ("sample-webb-infrared", "infrared는 왜 중요한가?", "infrared 중요 James Webb Space Telescope"),
        ("sample-webb-infrared", "이 영상의 내용을 더 자세히", "James Webb Space Telescope NASA 내용"),
    ],
)
def test_what_narrows_the_question_is_added(build, sample: str, question: str, text: str):
    """A name only where the video ties it to the question; else the subject of the title, unless the question says it."""
    video = next(video for video in samples() if video.video_id == sample)
    assert build(question, video).text == text


def test_without_a_title_or_a_tie_the_chief_name_is_added(build):
    """A name said beside one of the words once, among many segments, is no better than the name the video speaks of most."""
    said = ["한빛반도체 이야기"] * 3 + ["천천히 살펴보겠습니다"] * 30 + ["별빛컴퓨팅 가속기의 대역폭", "끝"]
    video = VideoContext(
        organizations=("한빛반도체", "별빛컴퓨팅"),
        transcript=tuple(TranscriptSegment(i * 5.0, i * 5.0 + 5, text) for i, text in enumerate(said)),
    )
    assert build("대역폭이 중요한 이유", video).text.endswith("한빛반도체")


def test_news_need_somebody_who_acts(build, talk):
    """What is new is new of somebody; a topic alone finds yesterday's explanations."""
    assert "한빛반도체" in build("오늘 수출 규제 속보", talk).text


@pytest.mark.parametrize("title", ["2024_gpt", "talk", "KL2vgtBxsuc"])
def test_the_name_of_a_file_is_never_searched_for(build, title: str):
    """A file's name says nothing; the names and terms of the video stand in."""
    video = VideoContext(title=title, organizations=("한빛반도체",), key_terms=("벌통",))
    for question in ("이 영상 내용 더 자세히", "관리 비용 절약", "더 자세히"):
        built = build(question, video)
        assert title not in built.text
        assert "한빛반도체" in built.text or "벌통" in built.text


def test_the_other_script_waits_for_narrower_queries(build, talk):
    """A translated query comes after those in the question's script that say as much, and before those that say less."""
    built = build("올해 SK하이닉스 HBM4 양산 일정 뉴스")
    assert built.translated == "SK hynix HBM4 2026"
    place = built.fallback_queries.index(built.translated)
    assert all(len(query.split()) >= 3 for query in built.fallback_queries[:place])
    assert built.fallback_queries[-1] == "SK하이닉스"


def test_words_of_a_capitalised_name_are_no_properties(build):
    """The word "Release" in a name stays with the name when the query gets broader."""
    assert "Early Release Observations" in build("Early Release Observations는 어떤 행사인가?").fallback_queries


def test_a_bare_query_is_enhanced(talk):
    """The element that bears on the query most is put behind it; a query that names one stays as it is."""
    constructor = QueryConstructor()
    assert constructor.enhance_with_context("HBM4 양산 일정", talk) == "HBM4 양산 일정 한빛반도체"
    assert constructor.enhance_with_context("별빛컴퓨팅 채용", talk) == "별빛컴퓨팅 채용"
    assert constructor.enhance_with_context("HBM4", None) == "HBM4"


def test_parts_taken_away_are_searched_no_more(build, talk):
    """Neither the query nor its fallbacks bring a removed part back."""
    built = build("HBM4 양산 일정", talk)
    less = QueryConstructor().without_parts(built, frozenset({"한빛반도체"}))
    assert less.text == "HBM4 양산 일정"
    assert all("한빛반도체" not in query for query in less.fallback_queries)


def test_the_last_part_cannot_be_taken_away(build):
    """A search for nothing is not made."""
    built = build("반도체")
    assert QueryConstructor().without_parts(built, frozenset({"반도체"})) == built


def test_the_raw_question_is_sent_as_it_is():
    """The verbatim lane adds and drops nothing."""
    built = QueryConstructor().verbatim("이 회사 최근 실적은?")
    assert (built.text, built.verbatim) == ("이 회사 최근 실적은?", True)
    assert built.parts == (part("이 회사 최근 실적은?", "question"),)


def test_a_long_question_keeps_its_words_and_one_piece_of_context(build, talk):
    """Past the usual length no second piece is added, and no word is cut."""
    terms = [f"낱말{number:02d}번" for number in range(25)]
    built = build(" ".join(terms), talk)
    assert all(term in built.text for term in terms)
    assert MAX_QUERY_CHARS < len(built.text) <= PROVIDER_MAX_CHARS
    assert sum(one.origin is not PartOrigin.QUESTION for one in built.parts) == 1


def test_a_question_past_every_limit_is_cut(build):
    """No service takes more than 400 characters."""
    assert len(build("가나다라마바사 " * 62).text) <= PROVIDER_MAX_CHARS
    assert len(build("ab" * 250).text) == PROVIDER_MAX_CHARS


def test_a_question_of_fillers_is_sent_whole(build):
    """Without content words and context the question itself is the query."""
    assert build("더 자세히").text == "더 자세히"


def test_terms_of_an_intent_made_elsewhere_are_all_kept():
    """The constructor trusts the terms it is given, also where the question does not hold them."""
    intent = SearchIntent(
        query="무엇",
        intent_type=SearchType.GENERAL,
        confidence=1.0,
        search_terms=("양자", "얽힘"),
        requires_context=False,
        language_preference="ko",
    )
    assert QueryConstructor().construct_query(intent, None, None).text == "양자 얽힘"


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


def test_the_subject_never_costs_a_word_of_the_question(build):
    """A long question keeps all its words; the subject is added as far as providers take it."""
    long = build("대역폭 " * 60)
    told = QueryConstructor().with_subject(long, "한빛반도체")
    assert told.text == f"한빛반도체 {long.text}"


@pytest.mark.parametrize(
    ("question", "sent"),
    [
        ("2024년 노벨 물리학상 수상자는 누구야?", "2024년 노벨 물리학상 수상자는 누구야?"),
        ("매출은?", "매출은?"),
        ("이 회사는 어디야?", "SK하이닉스는 어디야?"),
        ("이 회사의 최근 실적은?", "SK하이닉스의 최근 실적은?"),
        ("이 회사랑은 무슨 사이야?", "SK하이닉스랑은 무슨 사이야?"),
        ("What did this company announce?", "What did SK하이닉스 announce?"),
    ],
)
def test_a_question_sent_as_asked_keeps_its_own_words(question: str, sent: str):
    """Only pointing words are replaced; no name of the video is added, neither to the query nor to the broader ones."""
    video = VideoContext(title="실적 발표", organizations=("SK하이닉스",))
    constructed = QueryConstructor().as_asked(QueryIntentAnalyzer().analyze_intent(question, video), video)
    assert constructed.text == sent == " ".join(part.text for part in constructed.parts)
    if "SK하이닉스" not in sent:
        assert not any("SK하이닉스" in query for query in constructed.fallback_queries)


@pytest.mark.parametrize(
    ("question", "broader"),
    [
        ("2024년 노벨 물리학상 수상자는 누구야?", ("2024년 노벨 물리학상 수상자", "2024년 물리학상 수상자")),
        ("2025년 최저임금은 얼마야?", ("2025년 최저임금",)),
        ("한국의 대통령은 누구야?", ("한국 대통령",)),
        ("매출은?", ("매출",)),
    ],
)
def test_a_question_sent_as_asked_is_never_broadened_to_a_bare_year_or_word(question: str, broader: tuple[str, ...]):
    """What has a number stays in every broader query, and no single word stands for a question of several."""
    constructed = QueryConstructor().as_asked(QueryIntentAnalyzer().analyze_intent(question, None), None)
    assert constructed.fallback_queries == broader
