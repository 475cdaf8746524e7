"""The sidebar names the scorer in use and has a named model fetched; scores in sight stay as they are."""

from __future__ import annotations

from dataclasses import replace

from pages.parts import results
from search_core.domain import DownloadState, DownloadStep
from tests.app.conftest import Visit
from tests.app.core_double import Scorer

ABSENT = "EMBEDDING_MODEL에 적힌 의미 분석 모델이 이 컴퓨터에 없어요. 내장 방식으로 채점해요."
LOADING = Scorer(state="loading", detail="의미 분석 모델을 준비하는 동안 내장 방식으로 계산해요.")
READY = Scorer(name="e5", label="의미 분석 모델", state="ready", detail="의미 분석 모델(e5)로 관련도를 계산해요.")
QUESTION = "대역폭이 왜 중요한가요?"


def absent(download: DownloadState | None) -> Scorer:
    """Return the scorer that is used where the chosen one is not on the disk."""
    return Scorer(detail=ABSENT, as_chosen=False, download=download)


def use(here: Visit, scorer: Scorer, *, looks: int = 1) -> None:
    here.core.at_work = scorer
    for _ in range(looks):
        here.look()


def set_download(here: Visit, **fields: object) -> None:
    use(here, replace(here.core.at_work, download=replace(here.core.at_work.download, **fields)))


def test_the_sidebar_names_the_scorer_in_use(visit):
    """A chosen one needs its name alone, one that failed or could be fetched its reason."""
    here = visit()
    use(here, READY)
    assert "채점: 의미 분석 모델 ✓" in here.texts()
    assert "관련도를 계산해요" not in here.texts()
    assert not here.has_button("model-fetch")
    use(here, Scorer(state="failed", detail="의미 분석 모델의 파일을 읽지 못했어요. 내장 방식으로 채점해요."))
    assert "의미 분석 모델의 파일을 읽지 못했어요" in here.texts()
    assert not here.has_button("model-fetch")
    use(here, absent(DownloadState(model="someone/model")))
    assert ABSENT in here.texts()


def test_a_model_is_fetched_by_a_click_alone(visit):
    """The page says how far it is; after a failure it says why, and it is tried again by a click."""
    here = visit()
    use(here, absent(DownloadState(model="someone/model")))
    assert here.core.models.wanted == 0
    here.click("model-fetch")
    set_download(here, share=0.43)
    assert [each.proto.text for each in here.at.get("progress")] == ["모델 내려받는 중 · 43%"]
    assert not here.has_button("model-fetch")
    set_download(here, step=DownloadStep.FAILED, problem="모델 저장소에 연결하지 못했어요.")
    assert "모델 저장소에 연결하지 못했어요." in here.texts()
    assert here.button("model-fetch").label == "다시 시도"
    here.click("model-fetch")
    assert here.core.models.wanted == 2


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
