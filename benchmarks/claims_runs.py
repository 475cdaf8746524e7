"""Checks of a whole video in a played world: twelve claims against their critical path, and twenty such runs at once."""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from benchmarks.reference import note, note_time
from benchmarks.research_runs import core_in
from benchmarks.research_world import FOUND_BY_OTHERS, PAGE_S, PARTS, SEARCH_S, SOURCES, PlayedWorld, played_world
from benchmarks.texts import captions_without_stops, video
from search_core.checking.claims.service import ClaimsService
from search_core.core import SearchCore
from search_core.domain.claim import Claim, ClaimMoment, ClaimsRequest, ClaimsRun, ClaimsStatus, ClaimState
from search_core.settings import Settings

CLAIMS = 12
ROUNDS = 5
THREE_HOURS_S = 3 * 3600.0
RUNS = 20
ABOUT = video()
FOUND = PARTS[: SOURCES // FOUND_BY_OTHERS]
"""Words for which the world has pages."""


def critical_path_s(at_once: int) -> float:
    """Return the seconds that must pass when *at_once* claims are checked together: a search and a page for each turn."""
    return math.ceil(CLAIMS / at_once) * (SEARCH_S + PAGE_S)


def shortest_path_s(at_once: int) -> float:
    """Return the seconds that must pass when the next claims are searched for while the pages of the last are read."""
    return math.ceil(CLAIMS / at_once) * SEARCH_S + PAGE_S


def request(number: int) -> ClaimsRequest:
    """Return a check of twelve claims; those of each *number* are other ones, so that no search is like another."""
    claims = tuple(
        Claim(
            number=place,
            text=f"메모리 반도체 {FOUND[place % len(FOUND)]} 전망이 {number * CLAIMS + place}% 달라졌다.",
            moments=(ClaimMoment(place * 100.0, place * 100.0 + 5, "달라졌습니다"),),
        )
        for place in range(1, CLAIMS + 1)
    )
    return ClaimsRequest(video=ABOUT, claims=claims)


def followed(service: ClaimsService, number: int) -> tuple[float, ClaimsRun, int]:
    """Return the seconds a new run took, the run, and the number of its events."""
    began = time.perf_counter()
    run = service.start(request(number))
    count = sum(1 for _ in service.events(run.id, ""))
    return time.perf_counter() - began, service.get(run.id, ""), count


def whole(run: ClaimsRun) -> bool:
    """Tell whether every claim was checked and pages were read for each."""
    read = all(any(source.read for source in check.sources) for check in run.checks)
    return run.status is ClaimsStatus.COMPLETE and {check.state for check in run.checks} == {ClaimState.CHECKED} and read


def walked_s(world: PlayedWorld, turns: int) -> float:
    """Return the seconds a bare client takes for the critical path: a search and a page in each turn, and nothing else."""
    page = f"http://{world.settings['reading_allow_private'].split(',')[0]}/0"
    with httpx.Client(timeout=60) as client:
        began = time.perf_counter()
        for _ in range(turns):
            client.get(f"{world.settings['searxng_url']}/search", params={"q": FOUND[0]}).raise_for_status()
            client.get(page).raise_for_status()
        return time.perf_counter() - began


@contextmanager
def _core(world: PlayedWorld, **changes: object) -> Iterator[SearchCore]:
    with core_in(world, openai_model="", relevance_threshold=0.0, **changes) as core:
        yield core


def claims() -> None:
    """Print the wall time of checking twelve claims against its critical path."""
    with played_world() as world, _core(world) as core:
        at_once = core.claims.parts.limits.claims_at_once
        path_s = critical_path_s(at_once)
        followed(core.claims, 0)  # what the first run of a process brings is measured for research
        rounds, bare, spent = [], [], []
        for number in range(1, ROUNDS + 1):  # in turn, so that a busy machine slows both
            computing_s = time.process_time()
            rounds.append(followed(core.claims, number))
            spent.append(time.process_time() - computing_s)
            bare.append(walked_s(world, math.ceil(CLAIMS / at_once)))
        asked = world.counts()
    walls = [wall for wall, _, _ in rounds]
    good = sum(whole(run) for _, run, _ in rounds)
    wall_s, walked = statistics.median(walls), statistics.median(bare)
    print(f"{CLAIMS} claims, {at_once} at once: critical path {path_s:.2f} s; a bare client walks it in {walked:.2f} s")
    note("claims / critical path", wall_s / path_s)
    print(f"claims: {good} of {ROUNDS} whole, p50 {wall_s:.2f} s, max {max(walls):.2f} s = {wall_s / path_s:.3f} of it; bar 1.25")
    shortest_s = shortest_path_s(at_once)
    print(f"searching beside reading, which it does, takes {shortest_s:.2f} s at least: {wall_s / shortest_s:.3f} of that")
    print(f"computing in this process: {statistics.median(spent):.2f} s a run")
    print(f"{rounds[0][2]} events a run; asked in {ROUNDS + 1} runs: {asked}")


def claims_of_three_hours() -> None:
    """Print how soon the first claims of three hours of captions without full stops are there, and how soon all are."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(SearchCore.from_settings(Settings(maekrak_data_dir=Path(folder)))) as core,
    ):
        core.wait_until_warm()
        core.find_claims(captions_without_stops(60.0, korean=True))
        for language in ("Korean", "English"):
            video = captions_without_stops(THREE_HOURS_S, korean=language == "Korean")
            for what, quickly, bar_s in (("first", True, 3.0), ("all", False, 10.0), ("again", False, 0.1)):
                began = time.perf_counter()
                found = core.find_claims(video, quickly=quickly)
                wall_s = time.perf_counter() - began
                read = f"{found.sentences} sentences, {found.by_meaning:.0%} by meaning, {len(found.claims)} claims"
                note_time(f"claims of three hours, {language}, {what}", wall_s)
                print(f"{language}, {what}: {wall_s:.2f} s (bar {bar_s} s); {read}")


def claims_at_once() -> None:
    """Print twenty checks asked for at once of one process, which works on a few at a time."""
    with played_world() as world, _core(world) as core:
        followed(core.claims, 0)
        with ThreadPoolExecutor(RUNS) as followers:
            began = time.perf_counter()
            ended = list(followers.map(lambda number: followed(core.claims, number), range(1, RUNS + 1)))
            wall_s = time.perf_counter() - began
        limits = core.claims.parts.limits
        path_s = critical_path_s(limits.claims_at_once) * math.ceil(RUNS / limits.runs_at_once)
    good, events = sum(whole(run) for _, run, _ in ended), sum(count for _, _, count in ended)
    print(
        f"{RUNS} runs of {CLAIMS} claims, {limits.runs_at_once} at a time: {good} whole, {wall_s:.1f} s = {wall_s / path_s:.2f} of {path_s:.1f} s"
    )
    print(f"{events} events = {events / wall_s:.0f} a second, each kept and read by a follower")
