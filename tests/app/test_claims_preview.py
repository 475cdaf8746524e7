"""Claims of the video under the question box, before anything is searched for."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain import FoundClaims
from search_core.errors import StorageError
from tests.app.claims_double import ClaimsDouble, found
from tests.app.core_double import CoreDouble
from tests.app.test_claims_page import CheckVisit


def _open(visit, core: CoreDouble) -> CheckVisit:
    """Open a sample video, whose visitor has not asked anything for a while."""
    here = visit(core=core, kind=CheckVisit, video=True)
    here.session.opened_s = 0.0
    here.look()
    if here.session.claims is not None:
        here.session.claims.exception(timeout=10)
    here.look()
    return here


def test_the_three_most_worth_a_check_lead_to_their_check(visit):
    """They stand with their moments; a click chooses that claim alone, and checks nothing by itself."""
    core = CoreDouble()
    core.claims = ClaimsDouble()
    asked = []
    claims = found(5).claims
    again = replace(claims[0], number=6, text=f"{claims[0].text} 또 한 번.")  # said in the same words
    core.find_claims = lambda *_, **how: asked.append(how) or FoundClaims(claims=(*claims, again))
    here = _open(visit, core)
    assert here.keys("claim-c") == [f"claim-{claim.id}" for claim in found(5).claims[:3]]
    assert here.button(f"claim-{found(5).claims[1].id}").label.startswith("`04:03` ")
    assert asked == [{"quickly": True, "worded": False}]
    here.click(f"claim-{found(5).claims[1].id}")
    assert here.chosen() == [2]
    assert core.claims.runs == {}


def test_a_claim_that_the_page_of_claims_words_otherwise_is_added(visit):
    """What was clicked is what is chosen, also where a language model has worded the list anew."""
    core = CoreDouble()
    core.claims = ClaimsDouble()
    anew = tuple(replace(claim, text=f"다른 말로: {claim.text}") for claim in found(3).claims)
    core.find_claims = lambda *_, worded=True, **__: replace(found(3), claims=anew) if worded else found(3)
    here = _open(visit, core)
    here.click(here.keys("claim-c")[0])
    (number,) = here.chosen()
    assert here.at.checkbox(key=f"pick-{here.serial}-{number}").label == found(3).claims[0].text


def test_nothing_stands_where_nothing_is_found_or_it_is_too_early(visit):
    """No claims, a failure, a model that is being loaded and a video just opened leave the way to the page of claims."""
    for outcome in (FoundClaims(), StorageError("broken", korean="고장")):
        core = CoreDouble()

        def find(*_, outcome=outcome, **__):
            if isinstance(outcome, StorageError):
                raise outcome
            return outcome

        core.find_claims = find
        here = _open(visit, core)
        assert "웹에서 확인해 볼 만한 말" not in here.texts()
    loading = CoreDouble()
    loading.at_work = replace(loading.at_work, state="loading")
    assert _open(visit, loading).session.claims is None
    here = visit(core=CoreDouble(), kind=CheckVisit, video=True)
    assert here.session.claims is None
    assert "웹에서 확인해 볼 만한 말을 찾고 있어요" in here.texts()
