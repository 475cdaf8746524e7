"""Checks of claims over HTTP; what all kinds of runs share is tested with research."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from search_core.api.streams import event_body
from search_core.checking.claims.service import MAX_CLAIMS, ClaimsService
from search_core.domain.claim import ClaimsStatus, FoundClaims
from search_core.video.upload import samples
from tests.search_core.api.served import ME, TOKENS, Served, served, whole
from tests.search_core.checking.claims.acting import CLAIMS, ClaimActors, open_claims
from tests.search_core.research.acting import ended

SAMPLE = samples()[0]
BODY: dict[str, Any] = {"video_id": SAMPLE.video_id}
AS_JSON = {"Accept": "application/json"}


@pytest.fixture(scope="module")
def actors() -> ClaimActors:
    return ClaimActors()


@pytest.fixture(scope="module")
def service(actors: ClaimActors, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClaimsService]:
    with open_claims(tmp_path_factory.mktemp("claims") / "maekrak.sqlite", actors) as service:
        yield service


@pytest.fixture(scope="module")
def server(service: ClaimsService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("api")
    with served(folder, claims=service, api_tokens=TOKENS, api_rate_limit="") as server:
        yield server


@pytest.fixture
def client(server: Served, actors: ClaimActors) -> Iterator[httpx.Client]:
    actors.reset()
    server.core.find_claims = lambda _: FoundClaims(claims=CLAIMS)
    with server.client(ME) as client:
        yield client
    actors.release(*actors.holds)
    server.wait_idle()


def test_a_run_is_told_from_its_name_to_its_end(client: httpx.Client, service: ClaimsService):
    """Its events are those of the service, and what they add up to is kept until it is deleted."""
    run, *events = whole(client.post("/api/claims", json={**BODY, "claim_ids": [claim.id for claim in CLAIMS[:2]]}))
    run_id = run.body["id"]
    assert [*dict.fromkeys(event.name for event in events)] == ["status", "claim", "claims_complete"]
    assert [event.body for event in events] == [event_body(event) for _, event in service.events(run_id, "minsu")]
    kept = client.get(f"/api/claims/{run_id}").json()
    assert (kept["status"], kept["video"]["video_id"]) == ("complete", SAMPLE.video_id)
    assert [check["verdict"] for check in kept["checks"]] == ["agree", "contradicts"]
    entry = client.get("/api/claims").json()["runs"][0]
    assert (entry["id"], entry["title"], entry["claims"]) == (run_id, SAMPLE.title, 2)
    assert client.delete(f"/api/claims/{run_id}").status_code == 204


def test_a_run_is_stopped(client: httpx.Client, actors: ClaimActors, service: ClaimsService):
    """Its owner ends it while claims are checked."""
    actors.holds = {"search 1"}
    address = client.post("/api/claims", json=BODY, headers=AS_JSON).headers["location"]
    actors.wait_held("search 1")
    run = client.post(f"{address}/stop")
    assert run.status_code == 202
    assert ended(service, run.json()["id"], "minsu").status is ClaimsStatus.STOPPED


def test_the_claims_of_the_highest_scores_are_chosen(client: httpx.Client, server: Served, service: ClaimsService):
    """They are as many as the body says, with their moments; notes are passed on."""
    scores = (0.1, 0.9, 0.3, 0.8, 0.2, 0.7)
    claims = tuple(replace(claim, score=score) for claim, score in zip(CLAIMS, scores, strict=True))
    server.core.find_claims = lambda video: FoundClaims(
        claims=claims, less_certain=(replace(CLAIMS[0], number=7),), sentences=40, notes=(f"{video.title}의 자막이에요.",)
    )
    body = {"video_id": SAMPLE.video_id, "check": 3}
    told = client.post("/api/claims", json={**body, "dry_run": True}).json()
    assert [claim["number"] for claim in told["claims"]] == [2, 4, 6]
    assert (told["sentences"], told["notes"], told["budget"]["searches"]) == (40, [f"{SAMPLE.title}의 자막이에요."], 6)
    run_id = client.post("/api/claims", json=body, headers=AS_JSON).json()["id"]
    assert ended(service, run_id, "minsu").status is ClaimsStatus.COMPLETE
    assert tuple(check.claim for check in service.get(run_id, "minsu").checks) == (claims[1], claims[3], claims[5])
    server.core.find_claims = lambda _: FoundClaims(notes=("자막이 없어요.",))
    refused = client.post("/api/claims", json=body)
    assert (refused.status_code, refused.json()["error"]["type"]) == (400, "bad_input")


REFUSED: tuple[tuple[dict[str, Any], int, str], ...] = (
    ({**BODY, "claim_ids": []}, 400, "bad_value"),
    ({"check": 2}, 400, "one_video"),
    ({**BODY, "video": {"title": "제목"}}, 400, "two_videos"),
    ({**BODY, "video_id": "unknown"}, 404, "unknown_video"),
    ({**BODY, "claim_ids": [CLAIMS[0].id] * (MAX_CLAIMS + 1)}, 400, "too_long"),
    ({**BODY, "claim_ids": ["c222222"]}, 400, "bad_input"),
    ({**BODY, "check": 0}, 400, "bad_value"),
    ({**BODY, "surprise": 1}, 400, "unknown_field"),
)


def test_what_cannot_be_checked_is_refused(client: httpx.Client):
    """Each body that cannot be used is a typed error, and nothing is begun."""
    before = client.get("/api/claims").json()
    for body, status, kind in REFUSED:
        answer = client.post("/api/claims", json=body)
        assert (answer.status_code, answer.json()["error"]["type"]) == (status, kind), body
    assert client.get("/api/claims").json() == before
