"""What a page itself says is so or not: questions with their answers, and claims called false."""

from __future__ import annotations

import time

import pytest

from search_core.checking.verdicts.fact_checks import MAX_RULINGS, fact_checks_in
from tests.search_core.checking.verdicts.sample_sentences import stance

CLAIM = "한빛반도체는 지난해 평택 공장을 새로 지었습니다."


@pytest.mark.parametrize(
    ("text", "content", "holds"),
    [
        ("Did Hanbit Semiconductor build a plant in Pyeongtaek? No.", "Hanbit Semiconductor build a plant in Pyeongtaek", False),
        ("한빛반도체가 평택에 공장을 지었나요? 아니요.", "한빛반도체가 평택에 공장을 지었나요", False),
        ("The claim that Hanbit built a plant is completely false.", "Hanbit built a plant", False),
        ("한빛반도체가 평택에 공장을 지었다는 주장은 사실이 아니다.", "한빛반도체가 평택에 공장을 지었", False),
        ("Why did Hanbit build a plant in Pyeongtaek? No.", None, None),
        ("Has Hanbit not built a plant in Pyeongtaek? No.", None, None),
        ("한빛반도체는 평택에 공장을 지었다는 주장을 되풀이했다.", None, None),
        ("", None, None),
    ],
)
def test_a_page_says_what_is_so(text: str, content: str | None, holds: bool | None):
    """A question with its answer, and a claim called false, say what is so; why, denials and mere reports do not."""
    assert [(found.content, found.holds) for found in fact_checks_in(text)] == ([] if content is None else [(content, holds)])


@pytest.mark.parametrize(
    ("said", "web", "expected"),
    [
        (CLAIM, "한빛반도체가 평택 공장을 지었나요? 아니요. 아직 터만 닦았습니다.", "contradicts"),
        (CLAIM, "한빛반도체가 지난해 평택 공장을 새로 지었나요? 네, 맞습니다.", "agree"),
        (CLAIM, "가람전자가 평택 공장을 지었나요? 아니요.", "none"),
        (CLAIM, "한빛반도체가 평택 공장에서 여름 음악회와 불꽃놀이 구경을 열었나요? 아니요.", "cannot_tell"),
        ("한빛반도체는 평택 공장을 짓지 않았습니다.", "한빛반도체가 평택 공장을 지었나요? 아니요.", "agree"),
        ("Hanbit and Garam have not opened the Pyeongtaek plant.", "Has Hanbit opened the Pyeongtaek plant? No.", "cannot_tell"),
        ("President Dana Whitfield opened the plant in Ohio.", "Did Whitfield open the plant in Ohio? No.", "contradicts"),
    ],
)
def test_a_statement_is_compared_with_the_fact_check(said: str, web: str, expected: str):
    """Denied in part is denied as a whole, affirmed must be all of it, a denial turns both round, and a last name is enough."""
    assert stance(said, web) == expected


def test_long_and_odd_texts_are_read_in_time():
    """Texts without an end, full of question marks or of claims take no long time and give no more than is wanted."""
    odd = ["?" * 20_000, "가" * 20_000, "다는 주장은 " * 3000, "Did he? No. " * 2000, "no evidence that " * 1500]
    begun = time.process_time()
    assert all(len(fact_checks_in(text)) <= MAX_RULINGS for text in odd)
    assert time.process_time() - begun < 2
