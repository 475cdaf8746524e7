"""The sidebar names the scorer in use; scores in sight stay as they are."""

from __future__ import annotations

from pages.parts import results
from tests.app.conftest import Visit
from tests.app.core_double import Scorer

ABSENT = "EMBEDDING_MODEL에 적힌 의미 분석 모델이 이 컴퓨터에 없어요. 내장 방식으로 채점해요."
LOADING = Scorer(state="loading", detail="의미 분석 모델을 준비하는 동안 내장 방식으로 계산해요.")
READY = Scorer(name="e5", label="의미 분석 모델", state="ready", detail="의미 분석 모델(e5)로 관련도를 계산해요.")
QUESTION = "대역폭이 왜 중요한가요?"


def use(here: Visit, scorer: Scorer, *, looks: int = 1) -> None:
    here.core.at_work = scorer
    for _ in range(looks):
        here.look()


def test_the_sidebar_names_the_scorer_in_use(visit):
    """A chosen one needs its name alone, one in the place of another the reason."""
    here = visit()
    here.fold("tuning")
    use(here, READY)
    assert "채점: 의미 분석 모델 ✓" in here.texts()
    assert "관련도를 계산해요" not in here.texts()
    use(here, Scorer(state="failed", detail="의미 분석 모델의 파일을 읽지 못했어요. 내장 방식으로 채점해요.", as_chosen=False))
    assert "의미 분석 모델의 파일을 읽지 못했어요" in here.texts()
    use(here, Scorer(detail=ABSENT, as_chosen=False))
    assert ABSENT in here.texts()


def test_scores_in_sight_stay_when_a_better_model_is_ready(visit):
    """A list scored by words says that the next search has the model; scored by the model, it says nothing."""
    here = visit(video=True)
    here.core.at_work = LOADING
    here.ask(QUESTION)
    assert results.SCORED_BY_WORDS in here.texts()
    before = here.session.report
    use(here, READY, looks=2)
    assert results.SCORED_BY_WORDS in here.texts()
    assert here.session.report is before
    use(here, Scorer())
    assert results.SCORED_BY_WORDS not in here.texts()
