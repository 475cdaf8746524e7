"""The sidebar says which scorer is at work, and has the named model fetched by clicks alone."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain import DownloadState, DownloadStep
from tests.app.core_double import Scorer

ABSENT = "EMBEDDING_MODEL에 적힌 의미 분석 모델이 이 컴퓨터에 없어요. 함께 들어 있는 의미 분석 모델로 채점해요."
OFFERED = DownloadState(model="someone/model", step=DownloadStep.OFFERED, total_bytes=470_400_000, free_bytes=75_000_000_000)


def standing_in(download: DownloadState | None) -> Scorer:
    return Scorer(name="e5-q4", label="의미 분석 모델", state="ready", detail=ABSENT, as_chosen=False, download=download)


def opened(visit, download: DownloadState | None):
    here = visit()
    here.core.at_work = standing_in(download)
    here.look()
    return here


def set_download(here, **fields: object) -> None:
    here.core.at_work = replace(here.core.at_work, download=replace(here.core.at_work.download, **fields))
    here.look()


def test_the_scorer_that_was_chosen_needs_no_words(visit):
    """Where all is as the settings say, the name of the scorer is enough."""
    here = visit()
    here.core.at_work = Scorer(name="e5", label="의미 분석 모델", state="ready", detail="의미 분석 모델(e5)로 관련도를 계산해요.")
    here.look()
    assert "채점: 의미 분석 모델 ✓" in here.texts()
    assert "관련도를 계산해요" not in here.texts()
    assert not here.has_button("model-look-up")


def test_a_scorer_that_stands_in_says_for_what(visit):
    """Nothing is asked of anybody, and what could help is a button."""
    here = opened(visit, DownloadState(model="someone/model"))
    assert ABSENT in here.texts()
    assert "모델 크기 알아보기" in here.texts()
    assert here.core.models.wanted == []


def test_where_fetching_does_not_help_nothing_is_offered(visit):
    """A folder that is not there cannot be fetched."""
    here = opened(visit, None)
    assert ABSENT in here.texts()
    assert not here.has_button("model-look-up")


def test_its_size_stands_on_the_button_that_fetches_it(visit):
    """First a click for the size, then one for the files: 470.4 MB are said as 471."""
    here = opened(visit, DownloadState(model="someone/model"))
    here.click("model-look-up")
    assert "크기를 묻고 있어요" in here.texts()
    set_download(here, **{name: getattr(OFFERED, name) for name in ("step", "total_bytes", "free_bytes")})
    assert "someone/model · 471MB · 디스크에 남은 공간 75.0GB" in here.texts()
    assert "내려받기 (471MB)" in here.texts()
    assert here.core.models.wanted == ["look up"]
    here.click("model-fetch")
    assert here.core.models.wanted == ["look up", "fetch"]


def test_a_download_shows_how_far_it_is_and_can_be_cancelled(visit):
    """What was fetched is kept, so that the button then names what is missing."""
    here = opened(visit, OFFERED)
    here.click("model-fetch")
    set_download(here, here_bytes=120_000_000)
    here.click("model-cancel")
    here.look()
    assert here.core.models.wanted == ["fetch", "cancel"]
    assert "471MB 가운데 120MB를 받아 두었어요" in here.texts()
    assert "내려받기 (351MB)" in here.texts()


def test_what_went_wrong_is_a_sentence_with_a_button(visit):
    """A failure is said and can be tried again: the size where it is not known, the files where it is."""
    here = opened(visit, DownloadState(model="m", step=DownloadStep.FAILED, problem="모델 저장소에 연결하지 못했어요."))
    assert "모델 저장소에 연결하지 못했어요." in here.texts()
    here.click("model-look-up")
    set_download(here, step=DownloadStep.FAILED, problem="내려받기가 도중에 멈췄어요.", total_bytes=9_000_000)
    assert "내려받기가 도중에 멈췄어요." in here.texts()
    here.click("model-fetch")
    assert here.core.models.wanted == ["look up", "fetch"]


def test_results_are_scored_anew_by_the_model_that_was_fetched(visit):
    """Results of the stand-in are said to be its own while the other loads, and are scored anew once it is ready."""
    here = visit()
    here.core.at_work = standing_in(OFFERED)
    here.core.rescored_by = "e5-q4"
    here.open_sample()
    here.ask("대역폭이 왜 중요한가요?")
    here.look()
    here.look()
    assert "더 정확한 채점으로 바꿨어요." in here.texts()
    here.core.at_work = Scorer(name="e5-q4", label="의미 분석 모델", state="loading", awaited="someone/model")
    here.core.rescored_by = "someone/model"
    here.look()
    assert "함께 들어 있는 의미 모델로 채점했어요" in here.texts()
    here.core.at_work = Scorer(name="someone/model", label="의미 분석 모델", state="ready")
    here.look()
    here.look()
    assert "지금 쓰는 의미 모델로 다시 채점했어요." in here.texts()
    assert here.core.rescored == 2
