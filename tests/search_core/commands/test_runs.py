"""``claims``: the claims of a video listed, and checked against the web."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from search_core.checking.claims.service import ClaimsService
from search_core.commands import main
from search_core.commands.runs import _check, _show_found
from search_core.domain.claim import FoundClaims
from search_core.domain.video import TranscriptSegment
from tests.loopback.world import World
from tests.search_core.checking.claims.acting import CLAIMS, VIDEO, ClaimActors, open_claims
from tests.search_core.commands.conftest import Settings, in_order


def test_claims_are_listed_with_moments_and_scores(capsys: pytest.CaptureFixture[str]):
    """One line each, and what was in the way before them; controls do nothing, and less certain claims are not listed."""
    found = FoundClaims(claims=CLAIMS[:2], less_certain=CLAIMS[2:3], sentences=40, notes=("자동 자막이에요.\x1b[2J",))
    heard = replace(VIDEO, transcript=(TranscriptSegment(19, 21, "수요가 50%", uncertain=True),))
    _show_found(found, heard, as_json=False)
    printed = capsys.readouterr().out
    first, second = (claim.id for claim in CLAIMS[:2])
    assert printed.splitlines()[0] == "· 문장 40개에서 주장 2개를 찾았어요."
    assert printed.splitlines()[2:] == [
        f"  {first} [00:10] 메모리 반도체 가격이 15% 올랐다. (1.00)",
        f"  {second} [00:20] 메모리 반도체 수요가 50% 늘었다. (1.00) · 음성 인식 불확실",
        f"· 확인하려면: claims --video … --claims {first} (여러 개는 쉼표로), 또는 --check 12",
    ]
    assert "\x1b" not in printed
    _show_found(found, heard, as_json=True)
    assert "less_certain" not in capsys.readouterr().out


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ClaimsService]:
    with open_claims(tmp_path / "maekrak.sqlite", ClaimActors()) as service:
        yield service


def test_a_check_is_printed_in_words_or_as_lines_of_json(service: ClaimsService, capsys: pytest.CaptureFixture[str]):
    """The budget comes first, then the document with verdicts and coverage; JSON lines have the names of the HTTP API."""
    assert _check(service, VIDEO, CLAIMS[:2], as_json=False) == 0
    printed = capsys.readouterr().out
    assert in_order(
        printed,
        "주장 2개 확인 · 검색 최대 4회 · 유료 검색 없음",
        "# 영상 확인:",
        "**일치** · ",
        "**상충** · ",
        "주장 2개 중 2개를 웹과 비교했어요.",
    )
    assert _check(service, VIDEO, CLAIMS[:2], as_json=True) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (events[0]["data"]["claims"], events[0]["data"]["searches"], events[0]["data"]["judging"]["tokens"]) == (2, 4, 0)
    assert [*dict.fromkeys(event["event"] for event in events)] == ["budget", "status", "claim", "claims_complete"]
    assert events[-1]["data"]["status"] == "complete"


SPOKEN = (
    "안녕하세요, 오늘은 메모리 이야기를 해 보겠습니다.",
    "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트입니다.",
    "2025년 메모리 반도체 수출은 1,200억 달러로 사상 최대였습니다.",
    "구독과 좋아요 부탁드립니다.",
)


@pytest.fixture
def talk(world: World, tmp_path: Path, settings: Settings) -> Path:
    """Return a subtitle file, under settings that ask one played service alone."""
    world.reset()
    settings(**world.settings(), search_providers="searxng")
    lines = (f"{n}\n00:00:{n * 5:02},000 --> 00:00:{n * 5 + 4:02},000\n{text}\n" for n, text in enumerate(SPOKEN, start=1))
    talk = tmp_path / "talk.srt"
    talk.write_text("\n".join(lines), encoding="utf-8")
    return talk


def printed_events(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    """Return the lines of JSON that were printed."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_claims_of_a_file_are_found_and_checked_by_their_ids(talk: Path, world: World, capsys: pytest.CaptureFixture[str]):
    """A subtitle file goes in, its claims come out; an id names the same claim in the next run, an unknown one asks nobody."""
    assert main(["claims", "--video", str(talk), "--json"]) == 0
    (listed,) = printed_events(capsys)
    claims = {claim["moments"][0]["quote"]: claim for claim in listed["data"]["claims"]}
    assert {quote: claim["moments"][0]["start_s"] for quote, claim in claims.items()} == {SPOKEN[1]: 10.0, SPOKEN[2]: 15.0}
    chosen = claims[SPOKEN[1]]["id"]
    assert main(["claims", "--video", str(talk), "--claims", f"{chosen},", "--json"]) == 0
    found, budget, *events = printed_events(capsys)
    assert (found["event"], budget["event"], budget["data"]["claims"]) == ("found", "budget", 1)
    assert {event["data"]["check"]["claim"]["id"] for event in events if event["event"] == "claim"} == {chosen}
    assert (events[-1]["event"], events[-1]["data"]["status"]) == ("claims_complete", "complete")
    asked = len(world.asked)
    for unknown in ("c222222", "13"):
        assert main(["claims", "--video", str(talk), "--claims", f"{chosen},{unknown}"]) == 1
        assert f"the id {unknown};" in capsys.readouterr().err
    assert len(world.asked) == asked
