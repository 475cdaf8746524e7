"""The pairs that are made by machine say what their label says."""

from __future__ import annotations

import random

import pytest

from tests.quality.entailment_pairs import (
    BEARS_OUT,
    DENIES,
    SILENT,
    changed_sentence,
    made_of_passages,
    made_of_translations,
    shortened,
)


@pytest.mark.parametrize(
    ("sentence", "shorter"),
    [
        ("천사장(archangel)은 수석 천사를 뜻한다.", "천사장은 수석 천사를 뜻한다."),
        ("1989년 2월 15일, 여의도에서 시위가 열렸다.", "여의도에서 시위가 열렸다."),
        ("여의도에서 시위가 열렸다.", None),
    ],
)
def test_an_aside_or_the_first_part_is_left_out(sentence, shorter):
    """What stays is said by the whole sentence."""
    assert shortened(sentence) == shorter


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("참가자는 열 명 이상.", "참가자는 열 명 이하."),
        ("회의를 시작했다.", "회의를 시작하지 않았다."),
        ("The museum is open.", "The museum is not open."),
        ("아무 데도 갈 곳이 남지 않은 밤", None),
    ],
)
def test_a_bound_or_a_verb_is_turned(sentence, changed):
    """A sentence in which nothing can be turned gives none."""
    assert changed_sentence(sentence, random.Random(1)) == changed


def test_one_digit_of_a_figure_is_another():
    """The figure has as many digits as before, and the rest of the sentence stays."""
    changed = [changed_sentence("매출은 1,250억 원", random.Random(number)) for number in range(30)]
    assert {sum(a != b for a, b in zip(each, "매출은 1,250억 원", strict=True)) for each in changed} == {1}
    assert all("," in each and each.endswith("억 원") for each in changed)


def test_pairs_of_passages_have_each_label():
    """The next sentence and another subject are silent; a turned one denies; what stands in the window is borne out."""
    text = "가람은 2001년에 회사(주식회사)를 세웠다. 그 회사는 배를 만든다고 알려졌다."
    passages = [{"title": "가람", "text": text}, {"title": "나래", "text": "나래는 길고 조용한 강을 따라 걸었다."}]
    made = [pair for number in range(20) for pair in made_of_passages(passages, random.Random(number))]
    said, following = "가람은 2001년에 회사(주식회사)를 세웠다.", "그 회사는 배를 만든다고 알려졌다."
    assert {pair.statement for pair in made if pair.label == BEARS_OUT} == {"가람은 2001년에 회사를 세웠다."}
    assert {pair.statement for pair in made if pair.label == SILENT} == {following, said.replace("가람", "나래")}
    assert not any(pair.window == pair.statement for pair in made if pair.label == DENIES)


def test_pairs_of_translations_stand_in_two_languages():
    """A sentence and its translation are borne out, its turned translation is denied, that of another is not told about."""
    rows = [{"ko": f"{number}번 방은 아주 조용했다.", "en": f"Room {number} was very quiet."} for number in range(5)]
    made = list(made_of_translations(rows, random.Random(2)))
    assert all(("Room" in pair.window) != ("Room" in pair.statement) for pair in made)
    number = {pair: ("".join(filter(str.isdigit, pair.window)), "".join(filter(str.isdigit, pair.statement))) for pair in made}
    assert all(here == there for pair, (here, there) in number.items() if pair.label == BEARS_OUT)
    assert any(here != there for pair, (here, there) in number.items() if pair.label == SILENT)
    alike = [pair for pair, (here, there) in number.items() if pair.label == SILENT and here == there]
    assert all(pair.window not in {row[language] for row in rows for language in row} for pair in alike)
    assert {pair.label for pair in made} == {BEARS_OUT, SILENT, DENIES}
