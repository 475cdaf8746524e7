from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain.query import PartOrigin, QueryPart, VariantOrigin
from search_core.domain.report import Question, SearchOptions
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.pipeline import construct
from search_core.search.understanding.constructor import MAX_QUERY_CHARS, PROVIDER_MAX_CHARS, QueryConstructor
from search_core.search.understanding.phrases import holds
from search_core.search.understanding.question import QueryIntentAnalyzer


def part(text: str, origin: str) -> QueryPart:
    return QueryPart(text, PartOrigin(origin))


def test_what_a_question_names_of_the_video_takes_the_room_of_context(build, talk):
    """A question that names a thing of the video, in any spacing, case or script, has it once and gets less context."""
    assert build("한빛 반도체 HBM4 양산", talk).text.count("한빛") == 1
    video = VideoContext(title="Keynote", organizations=("Aurora Robotics",))
    assert build("aurora robotics factory location", video).text.casefold().count("aurora") == 1
    assert "엔비디아" not in build("NVIDIA Blackwell 공급 일정", VideoContext(title="강연", organizations=("엔비디아",))).text
    rich = replace(talk, key_terms=("메모리 대역폭", "HBM4", "추론 가속"))
    wide, narrow = (build(text, rich).parts for text in ("채용은?", "HBM4 채용은?"))
    assert [sum(one.origin is not PartOrigin.QUESTION for one in parts) for parts in (wide, narrow)] == [4, 3]


@pytest.mark.parametrize(
    ("query", "year"),
    [
        ("올해 반도체 수출 뉴스", "2026년"),
        ("latest chip export news", "2026"),
        ("2024년 최근 반도체 뉴스", None),
        ("올해라는 낱말의 뜻은 무엇인가요?", None),
    ],
)
def test_a_year_said_in_words_is_written(build, query: str, year: str | None):
    """News of "올해" is news of 2026; a written year, a question of background and one without time get none."""
    assert [one.text for one in build(query).parts if one.origin is PartOrigin.DATE] == ([year] if year else [])


def test_fallbacks_go_from_narrow_to_broad(build):
    """No broader query has more words than the one before; a translated one stands before those that say less.

    Of three telling words two stay; neither a translation that names one of them is a query nor a year alone.
    """
    built = build("올해 SK하이닉스 HBM4 양산 일정 뉴스")
    counts = [len(query.split()) for query in (built.text, *built.fallback_queries) if query != built.translated]
    assert counts == sorted(counts, reverse=True)
    assert built.translated == "SK hynix HBM4 2026"
    narrower = built.fallback_queries[: built.fallback_queries.index(built.translated)]
    assert all(len(query.split()) >= 3 for query in narrower)
    assert built.fallback_queries[-1] == "HBM4"
    assert build("NVIDIA earnings 2026").translated == "엔비디아 2026"
    assert build("도시 양봉 비용").translated is None
    assert build("작년 부산 지하철 파업").fallback_queries[-1] == "부산 파업"
    assert build("2025년 부산 지하철 파업은 왜 했어?").fallback_queries == ("부산 파업",)


@pytest.mark.parametrize(("question", "words"), [("언제 나와요?", "언제"), ("수심은 얼마야?", "수심")])
def test_a_question_word_is_searched_for_where_no_noun_says_what_is_asked(build, talk, question: str, words: str):
    """Without it "언제 나와요?" would ask nothing of its subject; beside a noun it goes."""
    assert " ".join(one.text for one in build(question, talk).parts if one.origin is PartOrigin.QUESTION) == words


@pytest.mark.parametrize(
    ("question", "text", "left_out"),
    [
        ("탄소섬유는 얼마나 무거워?", "탄소섬유 무게", ()),
        ("HBM을 만드는 곳은?", "HBM 만드는 곳", ()),
        ("삼성전자 3분기 말고 4분기 실적은?", "삼성전자 4분기 실적", ("3분기",)),
        ("battery makers other than CATL in Europe", "battery makers Europe", ("CATL",)),
    ],
)
def test_what_a_question_excludes_is_not_searched_for(question: str, text: str, left_out: tuple[str, ...]):
    """The excluded words are named."""
    built = QueryConstructor().without_context(QueryIntentAnalyzer().analyze_intent(question, None))
    assert (built.text, built.left_out) == (text, left_out)


def test_verbs_are_written_as_they_were_typed(build, talk):
    """No query holds the dictionary form of a verb ("얹다"), neither the first nor a broader one, nor one without a part."""
    built = build("한빛반도체가 메모리를 얹은 까닭은?", talk)
    less = QueryConstructor().without_parts(built, frozenset({"까닭"}))
    for query in (built, less):
        assert "얹은" in query.text
        assert not any("얹다" in text for text in (query.text, *query.fallback_queries))
    assert QueryConstructor().generate_fallback_queries("메모리를 얹은 회사") == ("메모리 얹은 회사", "메모리")


def test_the_name_of_a_file_is_never_searched_for(build):
    """A file's name says nothing; the names and terms of the video stand in."""
    video = VideoContext(title="2024_gpt", organizations=("한빛반도체",), key_terms=("벌통",))
    for question in ("이 영상 내용 더 자세히", "관리 비용 절약", "더 자세히"):
        built = build(question, video)
        assert video.title not in built.text
        assert "한빛반도체" in built.text or "벌통" in built.text


def test_a_bare_query_is_enhanced(talk):
    """One term of the video is added behind the query; without a video it stays."""
    constructor = QueryConstructor()
    assert constructor.enhance_with_context("양산 일정", talk).startswith("양산 일정 ")
    assert constructor.enhance_with_context("HBM4", None) == "HBM4"


def test_parts_taken_away_are_searched_no_more(build, talk):
    """Neither the query nor its fallbacks bring a removed part back, and the last part cannot be removed."""
    built = build("양산 일정은?", talk)
    added = frozenset(one.text for one in built.parts if one.origin is not PartOrigin.QUESTION)
    less = QueryConstructor().without_parts(built, added)
    assert (bool(added), less.text) == (True, "양산 일정")
    assert not any(word in query for query in less.fallback_queries for word in added)
    assert QueryConstructor().without_parts(build("반도체"), frozenset({"반도체"})) == build("반도체")


def test_what_a_pointing_word_means_is_kept_however_the_query_is_changed():
    """A question is understood with the names it points at, without the subject it leaves out, until a name is taken away."""
    constructor, video = QueryConstructor(), VideoContext(title="SK하이닉스 설명회", organizations=("SK하이닉스",))
    intent = QueryIntentAnalyzer().analyze_intent("이 회사 공장은 어디야?", video)
    built = constructor.query_for(intent, video)
    changed = [
        built,
        constructor.as_asked(intent, video),
        constructor.as_stated(intent, video),
        constructor.with_subject(built, "청주"),
    ]
    assert {each.understood for each in changed} == {"SK하이닉스 공장은 어디야?"}
    assert constructor.without_parts(built, frozenset({"SK하이닉스"})).understood == ""
    unsaid = QueryIntentAnalyzer().analyze_intent("언제 상장했어?", video)
    assert constructor.query_for(unsaid, video).understood == "언제 상장했어?"


def test_a_long_question_keeps_its_words_and_one_piece_of_context(build, talk):
    """No word is cut below 400 characters; past the usual length one piece of context is added, before it at most four."""
    terms = [f"낱말{number:02d}번" for number in range(25)]
    built = build(" ".join(terms), talk)
    assert all(term in built.text for term in terms)
    assert MAX_QUERY_CHARS < len(built.text) <= PROVIDER_MAX_CHARS
    assert sum(one.origin is not PartOrigin.QUESTION for one in built.parts) == 1
    assert sum(one.origin is not PartOrigin.QUESTION for one in build("올해 추론 비용 뉴스", talk).parts) <= 5
    assert len(build("가나다라마바사 " * 62).text) <= PROVIDER_MAX_CHARS
    assert len(build("ab" * 250).text) == PROVIDER_MAX_CHARS
    long = build("대역폭 " * 60)
    assert QueryConstructor().with_subject(long, "한빛반도체").text == f"한빛반도체 {long.text}"


def test_a_statement_keeps_its_particles():
    """What stands for a pronoun has its particle."""
    text, said = "그분이 만든 다리는 아직 있습니다.", "이순신 장군이 왔습니다."
    video = VideoContext(transcript=(TranscriptSegment(0.0, 10.0, said), TranscriptSegment(10.0, 20.0, text)))
    meant = QueryConstructor().spell_out(QueryIntentAnalyzer().analyze_intent(text, video, moment_s=10.0), video)
    assert meant == "이순신이 만든 다리는 아직 있습니다."


def test_the_subject_of_the_video_stands_before_the_question(build, talk):
    """What the title names, else the chief name, is put first as one part and stays in no broader query."""
    constructor = QueryConstructor()
    named = VideoContext(title="한빛반도체 실적 발표", organizations=("별빛컴퓨팅", "한빛반도체"))
    subjects = [constructor.subject_of(video) for video in (named, VideoContext(speakers=("서도윤",)), VideoContext())]
    assert subjects == ["한빛반도체", "서도윤", ""]
    told = constructor.with_subject(build("메모리 대역폭이 왜 중요해?"), "  한빛반도체 ")
    assert told.parts[0] == part("한빛반도체", "title")
    assert told.text.startswith("한빛반도체 메모리 대역폭")
    assert "한빛반도체" not in told.fallback_queries


@pytest.mark.parametrize(
    ("question", "subject", "named"),
    [
        ("C18B 엔진의 연료 분사 압력은?", "C18", False),
        ("HBM4 표준은 언제 나왔어?", "HBM", True),
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
        ("이 회사는 어디야?", "SK하이닉스는 어디야?", None),
        ("이 회사랑은 무슨 사이야?", "SK하이닉스랑은 무슨 사이야?", None),
        ("What did this company announce?", "What did SK하이닉스 announce?", None),
        ("언제 상장했어?", "SK하이닉스 언제 상장했어?", ("SK하이닉스 상장",)),
    ],
)
def test_a_question_sent_as_asked_keeps_its_own_words(question: str, sent: str | None, broader: tuple[str, ...] | None):
    """Pointing words are replaced and a subject left open is named; no broader query is a bare year or word."""
    video = VideoContext(title="실적 발표", organizations=("SK하이닉스",))
    constructed = QueryConstructor().as_asked(QueryIntentAnalyzer().analyze_intent(question, video), video)
    assert constructed.text == (sent or question) == " ".join(part.text for part in constructed.parts)
    assert broader is None or constructed.fallback_queries == broader


NEWS = VideoContext(
    title="저녁 종합 뉴스",
    transcript=tuple(
        TranscriptSegment(place * 6.0, place * 6.0 + 6, text)
        for place, text in enumerate(
            (
                "저녁 종합 뉴스입니다.",
                "누리빛요양원에서 불이 났습니다.",
                "누리빛요양원에는 스프링클러가 없었습니다.",
                "이 요양원에는 노인 마흔 명이 삽니다.",
            )
        )
    ),
)


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        ("손흥민은 두 골을 넣었습니다.", "손흥민 두 골"),
        ("이 요양원에는 노인 마흔 명이 삽니다.", "누리빛요양원 노인 마흔 명 산다"),
        ("스프링클러가 한 대도 없었습니다.", "누리빛요양원 스프링클러 한 대"),
    ],
)
def test_a_claim_is_searched_for_by_its_own_words_and_subject(claim: str, query: str):
    """Who is meant there stands for a pointing word, the story's subject before what names nothing; no scrap of the title."""
    constructor = QueryConstructor()
    intent = QueryIntentAnalyzer().analyze_intent(claim, NEWS, moment_s=18.5)
    subject = "" if "손흥민" in claim else constructor.subject_of(NEWS, 18.5)
    options = SearchOptions(as_stated=True, subject=subject)
    assert construct(constructor, Question(text=claim, video=NEWS, moment_s=18.5), options, intent).text == query


@pytest.mark.parametrize(("question", "own"), [("손흥민 2025년 연봉은 얼마야?", True), ("이 영상 내용 요약해 줘", False)])
def test_a_question_of_its_own_is_asked_with_the_video_as_well(talk, question: str, own: bool):
    """Its own words go to all services, those of the video beside them; what points at the video is asked one way."""
    constructed = QueryConstructor().query_for(QueryIntentAnalyzer().analyze_intent(question, talk), talk)
    from_video = [one.text for one in constructed.parts if one.origin not in (PartOrigin.QUESTION, PartOrigin.DATE)]
    assert bool(from_video) is not own
    assert [each.origin for each in constructed.also] == [VariantOrigin.WITH_CONTEXT] * own
    assert all(constructed.text != each.text for each in constructed.also)


def test_a_question_that_needs_the_video_is_asked_with_its_next_words_as_well(talk):
    """The other query has the question's words and none of the video's that the first has, but for its subject."""
    built = QueryConstructor().query_for(QueryIntentAnalyzer().analyze_intent("양산 일정은 언제야?", talk, moment_s=12), talk)
    (other,) = (each for each in built.also if each.origin is VariantOrigin.OTHER_CONTEXT)
    added = [part.text for part in built.parts if part.origin is not PartOrigin.QUESTION]
    rest = [text for text in added if text != "메모리 대역폭"]
    assert rest
    assert not any(holds(other.text, text) for text in rest)
    assert other.text.startswith("메모리 대역폭 ")
    assert other.text.endswith(" 양산 일정")


def test_no_query_has_words_of_the_video_that_the_question_leaves_out(talk):
    """A word asked away comes back neither with the first words of the video nor with the next ones."""
    asked = "한빛반도체 말고, 별빛컴퓨팅 말고 양산 일정은 언제야?"
    built = QueryConstructor().query_for(QueryIntentAnalyzer().analyze_intent(asked, talk, moment_s=12), talk)
    queries = [built.text, *(each.text for each in built.also)]
    assert len(queries) > 1
    assert not [query for query in queries if "한빛" in query or "별빛" in query]
