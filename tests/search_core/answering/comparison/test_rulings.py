"""What a page itself says is so or not: questions with their answers, and claims called false."""

from __future__ import annotations

import time

import pytest

from search_core.answering.comparison.rulings import MAX_RULINGS, rulings_in
from tests.search_core.answering.comparison.sample_sentences import stance

CLAIM = "한빛반도체는 지난해 평택 공장을 새로 지었습니다."


@pytest.mark.parametrize(
    ("text", "content", "holds"),
    [
        ("Did Hanbit Semiconductor build a plant in Pyeongtaek? No.", "Hanbit Semiconductor build a plant in Pyeongtaek", False),
        ("Is the plant in Pyeongtaek open yet today? Yes, it is.", "the plant in Pyeongtaek open yet today", True),
        ("한빛반도체가 평택에 공장을 지었나요? 아니요.", "한빛반도체가 평택에 공장을 지었나요", False),
        ("한빛반도체가 평택에 공장을 지었나? 사실이 아닙니다.", "한빛반도체가 평택에 공장을 지었나", False),
        ("한빛반도체가 평택에 공장을 지었습니까?\n네, 맞습니다.", "한빛반도체가 평택에 공장을 지었습니까", True),
        ("There is no evidence that Hanbit built a plant.", "Hanbit built a plant", False),
        ("It is not true that Hanbit built a plant.", "Hanbit built a plant", False),
        ("The claim that Hanbit built a plant is completely false.", "Hanbit built a plant", False),
        ("한빛반도체가 평택에 공장을 지었다는 주장은 사실이 아니다.", "한빛반도체가 평택에 공장을 지었", False),
        ("한빛반도체가 평택에 공장을 지었다는 증거는 없다.", "한빛반도체가 평택에 공장을 지었", False),
    ],
)
def test_a_page_that_rules_is_heard(text: str, content: str, holds: bool):
    """A question with its answer, and a claim that is called false, say what is so and what is not."""
    [found] = rulings_in(text)
    assert (found.content, found.holds) == (content, holds)


@pytest.mark.parametrize(
    "text",
    [
        "Has Hanbit built a plant in Pyeongtaek? No answer could be found.",
        "Has Hanbit built a plant in Pyeongtaek? Nobody knows.",
        "Why did Hanbit build a plant in Pyeongtaek? No.",
        "한빛반도체는 왜 평택에 공장을 지었나요? 아니요.",
        "Has Hanbit not built a plant in Pyeongtaek? No.",
        "한빛반도체가 평택에 공장을 짓지 않았나요? 네.",
        "Really? Yes.",
        "한빛반도체는 평택에 공장을 지었다는 주장을 되풀이했다.",
        "",
    ],
)
def test_what_rules_on_nothing_is_left(text: str):
    """No answer, a question of why, one that denies, a bare word and a claim that is only reported rule on nothing."""
    assert rulings_in(text) == ()


@pytest.mark.parametrize(
    ("web", "told"),
    [
        ("한빛반도체가 평택 공장을 지었나요? 아니요. 아직 터만 닦았습니다.", "contradicts"),
        ("한빛반도체가 평택 공장을 지었다는 주장은 사실이 아니다.", "contradicts"),
        ("한빛반도체가 지난해 평택 공장을 새로 지었나요? 네, 맞습니다.", "agree"),
        ("한빛반도체가 평택 공장을 지었나요? 네, 맞습니다.", "cannot_tell"),
        ("한빛반도체가 이천 공장을 지었나요? 아니요.", "cannot_tell"),
        ("가람전자가 평택 공장을 지었나요? 아니요.", "none"),
        ("한빛반도체가 평택 공장을 모두 지었나요? 아니요.", "cannot_tell"),
    ],
)
def test_a_statement_is_held_against_what_is_ruled(web: str, told: str):
    """Denied in part is denied as a whole; affirmed must be all of it; another plant, company or amount rules on nothing."""
    assert stance(CLAIM, web) == told


@pytest.mark.parametrize(
    ("said", "web", "told"),
    [
        ("한빛반도체는 평택 공장을 짓지 않았습니다.", "한빛반도체가 평택 공장을 지었나요? 아니요.", "agree"),
        ("한빛반도체는 평택 공장을 짓지 않았습니다.", "한빛반도체가 평택 공장을 지었나요? 네, 맞습니다.", "contradicts"),
        ("Hanbit has not opened the Pyeongtaek plant.", "Has Hanbit opened the Pyeongtaek plant? No.", "agree"),
        ("Hanbit has not opened the Pyeongtaek plant.", "Has Hanbit opened the Pyeongtaek plant? Yes, in May.", "contradicts"),
        ("Hanbit and Garam have not opened the Pyeongtaek plant.", "Has Hanbit opened the Pyeongtaek plant? No.", "cannot_tell"),
        ("Hanbit failed to open the Pyeongtaek plant.", "Did Hanbit open the Pyeongtaek plant? No.", "cannot_tell"),
        ("Hanbit opened zero plants in Ohio last May.", "Has Hanbit opened plants in Ohio? Yes.", "cannot_tell"),
        ("Hanbit opened the Ohio plant for the first time.", "Did Hanbit open the Ohio plant? Yes.", "cannot_tell"),
    ],
)
def test_a_statement_that_denies_stands_the_other_way_round(said: str, web: str, told: str):
    """A page that denies what the statement denies agrees, one that affirms it contradicts; of several one settles nothing."""
    assert stance(said, web) == told


@pytest.mark.parametrize(
    ("said", "web", "told"),
    [
        ("President Dana Whitfield opened the plant in Ohio.", "Did Whitfield open the plant in Ohio? No.", "contradicts"),
        ("Whitfield opened the plant in Ohio.", "Did President Dana Whitfield open the plant in Ohio? Yes.", "agree"),
        ("Dana Whitfield opened the plant in Ohio.", "Did Paul Morrow open the plant in Ohio? No.", "cannot_tell"),
    ],
)
def test_a_person_may_go_by_the_last_name(said: str, web: str, told: str):
    """A title or a first name more is the same person; another person is not."""
    assert stance(said, web) == told


def test_long_and_odd_texts_are_read_in_time():
    """Texts without an end, full of question marks or of claims take no long time and give no more than is wanted."""
    odd = ["?" * 20_000, "가" * 20_000, "다는 주장은 " * 3000, "Did he? No. " * 2000, "no evidence that " * 1500]
    begun = time.process_time()
    assert all(len(rulings_in(text)) <= MAX_RULINGS for text in odd)
    assert time.process_time() - begun < 2
