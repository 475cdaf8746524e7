"""A claim whose sources only a language model can read: what it decides, what it costs, and what its failure leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from search_core.checking.parts import CheckOutcome
from search_core.domain.result import SearchResult
from search_core.domain.stance import Judge, JudgingCost, Stance
from search_core.domain.video import VideoContext
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.settings import Settings
from tests.loopback import language_model as play
from tests.loopback.language_model import AskedRow, LanguageModelServer, judging
from tests.search_core.answers.asking import hbm
from tests.search_core.checking.claim_checkers import checker, outcome_of, page

IN_OTHER_WORDS = "HBM4 표준을 보면 묶음 하나의 대역폭이 최대 2TB, 곧 1초에 영화 400편이다."
BESIDE = "HBM4 규격을 정한 곳은 JEDEC이고 회원사는 300곳이 넘는다."


@pytest.fixture
def checked(model: LanguageModelServer) -> Any:
    """Return what checks the claim against pages, with a model that answers as it is told."""
    model.asked.clear()

    def check(answer: play.Personality, *found: SearchResult, video: VideoContext | None = None) -> CheckOutcome:
        model.answer = answer
        client = OpenAICompatible(Settings(openai_base_url=model.url, openai_model="m"))
        return outcome_of(checker(*found, judge=client), video=video)

    return check


def right(row: AskedRow) -> list[dict[str, str]]:
    """Judge as a reader would."""
    text = row.texts[0]
    return [{"stance": "bears_out" if "2TB" in text else "silent", "source_quote": text[:20], "video_quote": row.statement[:12]}]


def test_a_model_decides_what_rules_leave_open(checked: Any, model: LanguageModelServer):
    """One request for each open source; the rows name their judge, the verdict counts them, and a silent source has none."""
    outcome = checked(judging(right), page("a.example", IN_OTHER_WORDS), page("b.example", BESIDE))
    check = outcome.check
    assert (check.verdict, check.independent) == (Stance.AGREE, 1)
    decided = [(check.sources[row.source].domain, row.quote) for row in check.rows if row.judge is Judge.LANGUAGE_MODEL]
    assert decided == [("a.example", IN_OTHER_WORDS)]
    assert (outcome.judging.requests, outcome.judging.dropped, len(model.asked)) == (1, 0, 1)
    assert outcome.judging.tokens > 500


def test_what_is_decided_is_not_asked(checked: Any, model: LanguageModelServer):
    """Where rules decide every source, and where the only source is the speaker's own, nobody is asked and nothing is taken."""
    outcome = checked(judging(right), page("a.example"))
    assert (outcome.check.verdict, outcome.judging, model.asked) == (Stance.AGREE, JudgingCost(), [])
    outcome = checked(judging(right), page("hanbit.com", IN_OTHER_WORDS), video=replace(hbm(), channel="Hanbit"))
    assert (outcome.judging, model.asked) == (JudgingCost(), [])


def test_a_model_that_fails_is_told_beside_the_services(checked: Any):
    """The claim is checked as it is without a model, and one sentence says why the model could not judge."""
    outcome = checked(play.REFUSALS["quota"], page("a.example", IN_OTHER_WORDS))
    assert outcome.check.verdict is Stance.CANNOT_TELL
    assert outcome.check.services[-1].endswith("규칙과 의미 모델의 판단대로 두었어요.")
    assert len(outcome.check.services) == 2
    assert outcome.judging.requests == 1
