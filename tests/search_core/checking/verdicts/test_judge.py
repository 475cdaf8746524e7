"""What a model of entailment decides, and what rules hold it to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from search_core.checking.verdicts.compare import judge_sources
from search_core.checking.verdicts.judge import Judgement, guard
from search_core.checking.verdicts.verdict import ComparisonContext
from search_core.domain.stance import Judge, Stance, StanceRow, Statement
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.statements.proposition import read_proposition
from search_core.models.embedding.entailment import Entailment
from tests.search_core.checking.verdicts.sample_sentences import AFTER, BEFORE, NOW, VIDEO_DAY, page

BORNE_OUT, SILENT, DENIED = Entailment(0.97, 0.02, 0.01), Entailment(0.02, 0.96, 0.02), Entailment(0.01, 0.02, 0.97)
VIDEO = VideoContext(title="배터리 이야기", published_at=VIDEO_DAY)
DEAR = "전고체 배터리는 아직 너무 비쌉니다."


def judged(said: str, web: str, found: Entailment | None, date: datetime | None = BEFORE) -> Judgement:
    """Return what comes of a statement and a source of which the model says *found* of every window; None for no model."""

    def entails(pairs: Sequence[tuple[str, str]]) -> list[Entailment] | None:
        return None if found is None else [found] * len(pairs)

    return judge_sources([Statement(5.0, said)], [page(web, date)], VIDEO, NOW, entails=entails)


def row(said: str, web: str, found: Entailment | None, date: datetime | None = BEFORE) -> StanceRow | None:
    return next(iter(judged(said, web, found, date).rows), None)


def test_what_is_said_in_other_words_is_borne_out_by_the_model():
    """The row says that the model judged, how sure it is, and quotes the window."""
    told = row(DEAR, "값이 높아서 전고체 배터리를 쓰는 차는 드물다.", BORNE_OUT)
    assert told is not None
    assert (told.stance, told.judge, told.probability) == (Stance.AGREE, Judge.ENTAILMENT_MODEL, 0.97)
    assert told.quote == "값이 높아서 전고체 배터리를 쓰는 차는 드물다."


@pytest.mark.parametrize(
    ("date", "expected"), [(BEFORE, Stance.CONTRADICTS), (AFTER, Stance.CHANGED), (None, Stance.CANNOT_TELL)]
)
def test_the_days_decide_what_a_denial_comes_to(date: datetime | None, expected: Stance):
    """A source from about the video's time contradicts, a later one tells of a change, one without a date decides nothing."""
    told = row(DEAR, "전고체 배터리 값은 이제 싼 편이다.", DENIED, date)
    assert told is not None
    assert told.stance is expected


@pytest.mark.parametrize(
    ("said", "web"),
    [
        ("전고체 배터리의 값은 300달러입니다.", "전고체 배터리의 값은 500달러다."),
        ("전고체 배터리는 2027년에 나옵니다.", "전고체 배터리는 2030년에 나온다."),
        ("한빛전지는 전고체 배터리를 만듭니다.", "가람전자는 전고체 배터리를 만든다."),
        ("한빛전지는 전고체 배터리를 만듭니다.", "한빛전지는 전고체 배터리를 만들까?"),
        ("동해에너지가 미라클셀을 샀습니다.", "미라클셀이 동해에너지를 샀다."),
    ],
)
def test_the_model_does_not_count(said: str, web: str):
    """Another value, year or name, a question, and names that are exchanged are no agreement, however sure the model is."""
    told = row(said, web, BORNE_OUT)
    assert told is None or told.stance is not Stance.AGREE


@pytest.mark.parametrize(
    ("said", "web", "changed"),
    [
        ("전고체 공장은 2030년 5월에 엽니다.", "2030년 5월로 잡았던 전고체 공장 문을 2030년 9월에 열기로 했다.", True),
        ("전고체 공장은 2030년 5월에 엽니다.", "2030년 5월에 전고체 공장을 열고 2030년 9월에 넓힌다.", False),
        ("전고체 공장은 2030년 5월에 엽니다.", "전고체 공장을 2030년 5월에서 2030년 9월로 미룬다.", True),
        ("The Sunvale plant opens in May 2030.", "The Sunvale plant was moved from May 2030 to June 2031.", True),
        ("두 번째 전고체 공장은 2030년 5월에 엽니다.", "두 번째 전고체 공장을 2030년 5월에서 9월로 늦춘다.", True),
        ("한빛전지 할인율은 10퍼센트에서 7퍼센트로 내려갑니다.", "한빛전지 할인율은 10%에서 8%로 내려간다.", True),
        ("전고체 공장의 리콜 대상은 62대입니다.", "전고체 공장이 리콜 대상을 당초 62대에서 205대로 늘린다.", True),
    ],
)
def test_a_value_told_as_that_of_before_beside_a_new_one_has_changed(said: str, web: str, changed: bool):
    """A later page has planned or counted anew."""
    told = row(said, web, Entailment(0.7, 0.2, 0.1), AFTER)
    assert (told is not None and told.stance is Stance.CHANGED) is changed


@pytest.mark.parametrize(
    ("said", "web", "other", "denied", "expected"),
    [
        ("한빛전지 공장을 찾은 사람은 1,240명입니다.", "한빛전지가 올해 맞은 손님은 980명이다.", 0.7, 0.6, Stance.CONTRADICTS),
        ("한빛전지 공장을 찾은 사람은 1,240명입니다.", "한빛전지가 올해 맞은 손님은 980명이다.", 0.7, 0.1, Stance.CONTRADICTS),
        ("한빛전지 공장을 찾은 사람은 1,240명입니다.", "한빛전지가 올해 맞은 손님은 980명이다.", 0.2, 0.6, None),
        ("한빛전지 공장을 찾은 사람은 1,240명입니다.", "가람전자가 올해 맞은 손님은 980명이다.", 0.7, 0.6, None),
        (
            "한빛전지는 2013년에 첫 공장을 열었습니다.",
            "2009년 한빛전지의 공장이 처음으로 돌아갔다.",
            0.7,
            0.6,
            Stance.CONTRADICTS,
        ),
        ("한빛전지는 2013년에 첫 공장을 열었습니다.", "2009년 한빛전지의 공장이 처음으로 돌아갔다.", 0.7, 0.1, None),
    ],
)
def test_another_value_denies_where_the_own_one_in_its_place_would_be_borne_out(
    said: str, web: str, other: float, denied: float, expected: Stance | None
):
    """Words may differ; whoever the page names may not. A date counts only where the model denies the statement."""

    def entails(pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        own = ("1,240명", "2013년")
        borne_out = (other if any(value in text for value in own) else 0.1 for text, _ in pairs)
        return [Entailment(each, 0.1, denied) for each in borne_out]

    judgement = judge_sources([Statement(5.0, said)], [page(web, BEFORE)], VIDEO, NOW, entails=entails)
    assert next((row.stance for row in judgement.rows if row.stance is not Stance.ADDS), None) is expected


def test_what_names_nothing_is_about_what_is_spoken_of_near_it():
    """A rival that the video names minutes before is not whom it speaks of now."""
    said = ("가람전자는 특허가 많습니다.", 0.0), ("한빛전지 특허는 모두 6건입니다.", 400.0)
    spoken = tuple(TranscriptSegment(text=text, start_s=at, end_s=at + 5) for text, at in said)
    video = replace(VIDEO, transcript=spoken, subject=("한빛전지",))
    web = page("가람전자는 특허를 모두 6건 받았다.", BEFORE, title="가람전자")
    for at, agrees in ((10.0, True), (400.0, False)):
        said_at = [Statement(at, "특허는 모두 6건입니다.")]
        rows = judge_sources(said_at, [web], video, NOW, entails=lambda pairs: [BORNE_OUT] * len(pairs)).rows
        assert any(row.stance is Stance.AGREE for row in rows) is agrees


BRIDGE = "광안대교는 2003년 1월 6일 개통하였다."


@pytest.mark.parametrize(
    ("said", "web", "found", "expected"),
    [
        ("광안대교는 2003년에 개통했습니다.", BRIDGE, Entailment(0.65, 0.3, 0.05), Stance.AGREE),
        ("광안대교는 2003년에 개통했습니다.", BRIDGE, Entailment(0.55, 0.4, 0.05), None),
        ("광안대교는 2010년에 개통했습니다.", BRIDGE, Entailment(0.1, 0.3, 0.6), Stance.CONTRADICTS),
        ("광안대교는 2010년에 개통했습니다.", BRIDGE, BORNE_OUT, None),
        ("광안대교는 2010년에 개통했습니다.", BRIDGE, None, None),
        ("광안대교는 2010년에 개통하지 않았습니다.", BRIDGE, DENIED, None),
        ("광안대교는 2010년에 개통했습니다.", "광안대교는 2003년에 개통하고 2011년에 보수했다.", DENIED, None),
        ("전고체 배터리의 값은 300달러입니다.", "전고체 배터리의 값은 300달러다.", DENIED, Stance.AGREE),
        ("The bridge Sunvale opened in 1937.", "Opened on May 27, 1937, the bridge Sunvale is long.", BORNE_OUT, Stance.AGREE),
    ],
)
def test_a_day_of_the_year_that_is_said_bears_it_out_and_one_of_another_denies_it(
    said: str, web: str, found: Entailment | None, expected: Stance | None
):
    """An event in a year is that of a day in it, of no other year; what is denied the model tells, but not of equal values."""
    told = row(said, web, found)
    assert (told.stance if told is not None and told.stance is not Stance.ADDS else None) is expected


@pytest.mark.parametrize(
    ("said", "web", "agrees"),
    [
        ("두 명이 써도 불편하지 않습니다.", "두 명이 쓰기에 불편함은 없다.", True),
        ("시내버스는 2차선으로 주행하고 있었습니다.", "2차선으로 주행하던 시내버스가 행인을 발견하지 못했다.", True),
        ("시내버스는 2차선으로 주행하지 않았습니다.", "시내버스는 2차선으로 주행하고 있었다.", False),
        ("선수는 16일 경선에서 1위를 했습니다.", "후보로 나온 선수는 16일 경선에서 1위를 했다.", True),
        ("선수는 16일 경선에서 1위를 했습니다.", "선수는 16일 경선에서 1위 후보로 꼽힌다.", False),
    ],
)
def test_a_denial_or_a_plan_of_something_else_is_left_to_the_model(said: str, web: str, agrees: bool):
    """Such a word of the page may belong to what is not said; a "not" of the statement alone, and a plan behind it, may not."""
    told = row(said, web, BORNE_OUT)
    assert (told is not None and told.stance is Stance.AGREE) is agrees


UNSURE = Entailment(0.46, 0.34, 0.2)


@pytest.mark.parametrize(
    ("said", "web", "agrees"),
    [
        ("나루시는 지난해 도서관 세 곳에 책 2만 권을 들였습니다.", "지난해 나루시가 도서관 3곳에 2만 권을 새로 샀다.", True),
        ("나루시는 지난해 도서관 세 곳에 책 2만 권을 들였습니다.", "지난해 나루시가 서점 3곳에 2만 권을 새로 샀다.", False),
        ("나루전자의 2분기 매출은 3조 원입니다.", "나루전자의 2분기 영업이익은 3조원이다.", False),
        ("나루시는 책 2만 권을 들였습니다.", "나루시가 2만 권을 새로 샀다.", False),
        (
            "Naru told us that the rack holds seventy two chips and draws 120 kW.",
            "The Naru rack has 72 chips and draws 120 kW.",
            True,
        ),
    ],
)
def test_several_equal_values_need_little_of_the_model(said: str, web: str, agrees: bool):
    """Two numbers or times in common are hardly chance; one, one of another measure, or other nouns in their place may be."""
    told = row(said, web, UNSURE)
    assert (told is not None and told.stance is Stance.AGREE) is agrees


def test_the_same_sentence_agrees_whatever_the_model_says():
    """Two sentences that differ in particles and endings alone say the same; another adverb is another sentence."""
    said, web = "새울시는 내년부터 버스 요금을 받지 않기로 했습니다.", "새울시가 내년부터 버스 요금을 받지 않기로 했다."
    told, other = row(said, web, DENIED), row(said, web.replace("않기로", "거의 않기로"), DENIED)
    assert told is not None
    assert told.stance is Stance.AGREE
    assert other is None or other.stance is not Stance.AGREE


CLAIM = "국제에너지기구에 따르면 2024년에 전 세계에 등록된 전기차는 1,400만 대입니다."


@pytest.mark.parametrize(("agency", "expected"), [("국제에너지기구", Stance.CONTRADICTS), ("자동차협회", None)])
def test_less_is_asked_of_a_denial_by_another_number_of_what_is_named(agency: str, expected: Stance | None):
    """In the words of the statement, and where the page names what it names."""
    told = row(
        CLAIM, f"{agency}는 2024년 세계에 등록된 전기차가 1,700만 대, 버스가 70만 대라고 밝혔다.", Entailment(0.1, 0.25, 0.65)
    )
    assert (told.stance if told is not None and told.judge is Judge.ENTAILMENT_MODEL else None) is expected


def test_a_name_may_stand_before_on_its_page():
    """What one sentence leaves out, the one before it has said; a page of another name agrees with nothing."""
    statement = "한내지방법원은 소각장 허가 취소가 위법하다고 판결했습니다."
    ruling = "재판부는 소각장 허가 취소가 위법하다고 판단했다."
    told = row(statement, f"한내지방법원이 3일 판결했다. {ruling}", Entailment(0.8, 0.1, 0.1))
    assert told is not None
    assert told.stance is Stance.AGREE
    other = row(statement, f"해담지방법원이 3일 판결했다. {ruling}", Entailment(0.8, 0.1, 0.1))
    assert other is None or other.stance is not Stance.AGREE


def test_a_silent_source_has_no_row_and_is_open():
    """It is not called an addition for sharing a subject; its windows are there for a language model."""
    found = judged(DEAR, "전고체 배터리는 고체 전해질을 쓴다.", SILENT)
    assert found.rows == ()
    assert [each.windows for each in found.open] == [("전고체 배터리는 고체 전해질을 쓴다.",)]


def test_what_the_model_decides_is_open_to_a_language_model_and_what_rules_decide_is_not():
    """A language model goes before the model of entailment; equal values need neither."""
    told = judged(DEAR, "값이 높아서 전고체 배터리를 쓰는 차는 드물다.", BORNE_OUT)
    assert [each.row.stance for each in told.open] == [Stance.AGREE]
    assert judged("전고체 배터리의 값은 300달러입니다.", "전고체 배터리의 값은 300달러다.", BORNE_OUT).open == ()


def test_without_the_model_values_decide_and_the_judgement_says_so():
    """Rules find equal and differing values; what is said in other words is left alone."""
    assert judged(DEAR, "값이 높아서 전고체 배터리를 쓰는 차는 드물다.", None).rows == ()
    priced = judged("전고체 배터리의 값은 300달러입니다.", "전고체 배터리의 값은 300달러다.", None)
    assert [(each.stance, each.judge) for each in priced.rows] == [(Stance.AGREE, Judge.RULES)]
    assert priced.by_rules_alone
    assert priced.with_decided(()).by_rules_alone
    assert not priced.with_decided(priced.rows).by_rules_alone  # a language model has read some of it


@pytest.mark.parametrize(
    ("said", "web", "stands"),
    [
        ("문어는 심장이 세 개입니다.", "문어는 심장을 셋이나 지녔다.", True),
        ("문어는 심장이 세 개입니다.", "문어는 심장을 둘이나 지녔다.", False),
        ("이 팀은 한 번도 지지 않았습니다.", "이 팀은 패배 없이 시즌을 마쳤다.", True),
        ("얼음이 가장 적은 달은 9월입니다.", "The ice shrinks to its smallest size of the year in September.", True),
        ("수출은 2025년 9월에 줄었습니다.", "수출은 2024년 9월에 줄었다.", False),
    ],
)
def test_a_reader_knows_numerals_and_months(said: str, web: str, stands: bool):
    """A numeral without its noun is its figure, "한 번도" is none, and a month without a year may be that of every year."""
    context = ComparisonContext(video_day=VIDEO_DAY.date(), web_day=VIDEO_DAY.replace(year=VIDEO_DAY.year - 1).date())
    read = (read_proposition(said, context.video_day), read_proposition(web, context.web_day))
    assert (guard(*read, Stance.AGREE, context) is not None) == stands
