"""``research QUESTION`` and ``claims --video FILE|URL``: a report on a question, claims of a video and checks of them."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from search_core.checking.claims.export import export_claims
from search_core.checking.claims.service import claims_by_id, top_claims
from search_core.commands.arguments import MODEL_WAIT_S
from search_core.commands.output import follow, print_event, tell_what_decided
from search_core.commands.video_argument import question_of, video_of
from search_core.core import SearchCore
from search_core.domain.claim import Claim, ClaimsRequest, FoundClaims
from search_core.domain.research import ResearchRequest
from search_core.domain.video import VideoContext
from search_core.language.dates import clock
from search_core.language.sentences import visible
from search_core.search.presenting.claim_text import budget_text, heard_badly
from search_core.search.presenting.wording import UNCERTAIN
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.checking.claims.service import ClaimsService

_HOW_TO_CHECK = "· 확인하려면: claims --video … --claims {id} (여러 개는 쉼표로), 또는 --check 12"


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Research a question, list claims or check them; return 0 when done, 1 on failure, 130 after an interrupt."""
    return (_research if args.command == "research" else _claims)(args, settings)


def _research(args: argparse.Namespace, settings: Settings) -> int:
    from search_core.research.export import export_run  # a list of claims needs nothing of it

    with closing(SearchCore.from_settings(settings)) as core:
        question = question_of(args, core)  # first, so that a refusal need not wait for the rest
        service = core.work_on_runs().research
        request = ResearchRequest(
            question=question.text, video=question.video, memory=question.memory, moment_s=question.moment_s
        )
        return follow(service, service.start(request).id, export_run, as_json=args.json)


def _claims(args: argparse.Namespace, settings: Settings) -> int:
    checks = bool(args.check or args.claims)
    with closing(SearchCore.from_settings(settings, once=not checks)) as core:
        if not checks:
            core.models.load_on_demand(MODEL_WAIT_S)
        video = video_of(args, core)
        assert video is not None  # the argument is required
        if checks:
            core.warm_up()
        listing = core.find_claims(video)
        tell_what_decided(core)
        chosen = claims_by_id(listing, args.claims) or top_claims(listing.claims, args.check)
        _show_found(listing, video, as_json=args.json)
        return _check(core.work_on_runs().claims, video, chosen, as_json=args.json) if chosen else 0


def _check(service: ClaimsService, video: VideoContext, claims: tuple[Claim, ...], *, as_json: bool) -> int:
    budget = service.budget(claims)
    if as_json:
        print_event("budget", budget)
    else:
        print(f"\n주장 {budget.claims}개 확인 · {budget_text(budget)}\n", flush=True)
    started = service.start(ClaimsRequest(video=video, claims=claims))
    return follow(service, started.id, export_claims, as_json=as_json)


def _show_found(listing: FoundClaims, video: VideoContext, *, as_json: bool) -> None:
    if as_json:
        print_event("found", listing)
        return
    print(f"· 문장 {listing.sentences}개에서 주장 {len(listing.claims)}개를 찾았어요.")
    lines = (*(f"· {note}" for note in listing.notes), *(_claim_line(claim, video) for claim in listing.claims))
    print(visible("\n".join(lines)))
    if listing.claims:
        print(_HOW_TO_CHECK.format(id=listing.claims[0].id), flush=True)


def _claim_line(claim: Claim, video: VideoContext) -> str:
    moments = ", ".join(clock(moment.start_s) for moment in claim.places)
    doubt = f" · {UNCERTAIN}" if heard_badly(claim.moments, video) else ""
    return f"  {claim.id} [{moments or '시각 없음'}] {claim.text} ({claim.score:.2f}){doubt}"
