"""Results ordered by words come to better scores in place, and the page says so."""

from __future__ import annotations

from tests.app.core_double import Scorer

LOADING = Scorer(state="loading", detail="의미 분석 모델을 준비하는 동안 내장 방식으로 계산해요.")
READY = Scorer(name="e5", label="의미 분석 모델", state="ready")


def asked(visit, at_work: Scorer):
    here = visit()
    here.core.at_work = at_work
    here.open_sample()
    here.ask("대역폭이 왜 중요한가요?")
    return here


def test_results_are_scored_anew_when_the_model_is_ready(visit):
    """Until then the page says that words order them; then it says that the order has changed, and asks no service again."""
    here = asked(visit, LOADING)
    assert "지금은 단어로 정렬했어요" in here.texts()
    here.core.at_work = READY
    here.look()
    here.look()
    assert "더 정확한 채점으로 바꿨어요." in here.texts()
    assert "지금은 단어로 정렬했어요" not in here.texts()
    assert (here.core.rescored, len(here.core.searches)) == (1, 1)


def test_a_model_that_fails_again_leaves_the_order(visit):
    """It is tried once, and the page says that the order stays."""
    here = visit()
    here.core.rescored_by = "kiwi"
    here.core.at_work = READY
    here.open_sample()
    here.ask("대역폭이 왜 중요한가요?")
    here.look()
    here.look()
    assert "순서를 그대로 두었어요" in here.texts()
    assert here.core.rescored == 1


def test_a_new_search_says_nothing_of_the_one_before(visit):
    """What was said about earlier results goes with them."""
    here = asked(visit, READY)
    here.look()
    assert "더 정확한 채점으로 바꿨어요." in here.texts()
    here.core.at_work = Scorer()
    here.ask("한지우는 어떤 사람인가요?")
    assert "더 정확한 채점으로 바꿨어요." not in here.texts()


def test_a_model_that_cannot_be_used_is_said_to_be_so(visit):
    """The sidebar says in a sentence why words order the results."""
    here = asked(visit, Scorer(state="failed", detail="의미 분석 모델의 파일을 읽지 못했어요. 내장 방식으로 채점해요."))
    assert "의미 분석 모델의 파일을 읽지 못했어요" in here.texts()
    assert here.core.rescored == 0
