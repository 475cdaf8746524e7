"""``claims --video FILE|URL [--check N | --claims IDS]``: the claims of a video listed, and some held against the web."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from search_core.claims.parts import CLAIMS
from search_core.claims.service import check_claim_ids, claims_by_id, top_claims
from search_core.commands.run_events import RunPrinter
from search_core.commands.scoring import load_model_on_demand, tell_what_decided
from search_core.commands.video_argument import video_of
from search_core.core import SearchCore
from search_core.domain import (
    Claim,
    ClaimCheck,
    ClaimsBudget,
    ClaimsEnded,
    ClaimsEvent,
    ClaimsRequest,
    ClaimState,
    ClaimUpdated,
    FoundClaims,
    VideoContext,
)
from search_core.presenting import UNCERTAIN
from search_core.presenting.claim_text import RULES_ALONE, budget_text, heard_badly, independence_text, verdict_text
from search_core.presenting.dates import date_text
from search_core.settings import Settings
from search_core.text.video_time import clock

if TYPE_CHECKING:
    from search_core.claims.service import ClaimsService

_HOW_TO_CHECK = "· 확인하려면: claims --video … --claims {id} (여러 개는 쉼표로), 또는 --check 12\n"
_ENDED = (ClaimState.CHECKED, ClaimState.FAILED, ClaimState.LEFT_OUT)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """List claims, and check them as it goes on; 0 when that is done, 1 when it failed, 130 when an interrupt stopped it."""
    check_claim_ids(args.claims)
    checks = bool(args.check or args.claims)
    with closing(SearchCore.from_settings(settings, once=not checks)) as core:
        if not checks:
            load_model_on_demand(core, args.model_wait)
        video = video_of(args, core)
        assert video is not None  # the argument is required
        if checks:
            core.warm_up()
        found = core.find_claims(video, wait_s=args.model_wait)
        tell_what_decided(core)
        chosen = claims_by_id(found, args.claims) or top_claims(found.claims, args.check)
        printer = _Printer(as_json=args.json)
        printer.show_found(found, video)
        return _check(core.work_on_runs().claims, video, chosen, printer) if chosen else 0


def _check(service: ClaimsService, video: VideoContext, claims: tuple[Claim, ...], printer: _Printer) -> int:
    printer.show_budget(service.budget(claims))
    started = service.start(ClaimsRequest(video=video, claims=claims))
    return printer.follow(service, started.id)


class _Printer(RunPrinter):
    def __init__(self, *, as_json: bool) -> None:
        super().__init__(CLAIMS, as_json=as_json)
        self._rules_alone = False

    def show_found(self, found: FoundClaims, video: VideoContext) -> None:
        """Print the claims with their moments and how far they are worth checking."""
        if self.as_json:
            self.print_json("found", found)
            return
        self.print_text(f"· 문장 {found.sentences}개에서 주장 {len(found.claims)}개를 찾았어요.\n")
        self.print_text("".join(f"· {note}\n" for note in found.notes))
        self.print_text("".join(_claim_line(claim, video) for claim in found.claims))
        if found.claims:
            self.print_text(_HOW_TO_CHECK.format(id=found.claims[0].id))

    def show_budget(self, budget: ClaimsBudget) -> None:
        """Print what checking will take."""
        if self.as_json:
            self.print_json("budget", budget)
        else:
            line = f"주장 {budget.claims}개 확인 · {budget_text(budget)}"
            self.print_text(f"\n{line}\n\n")

    def text(self, event: ClaimsEvent) -> str:
        """Return what a terminal shows of *event*; mostly nothing."""
        match event:
            case ClaimUpdated(check=check):
                self._rules_alone |= check.judged_by_rules_alone
                return _check_text(check) if check.state in _ENDED else ""
            case ClaimsEnded() if self._rules_alone:
                return f"{RULES_ALONE}\n"
            case _:
                return ""


def _claim_line(claim: Claim, video: VideoContext) -> str:
    moments = ", ".join(clock(moment.start_s) for moment in claim.places)
    doubt = f" · {UNCERTAIN}" if heard_badly(claim.moments, video) else ""
    return f"  {claim.id} [{moments or '시각 없음'}] {claim.text} ({claim.score:.2f}){doubt}\n"


def _check_text(check: ClaimCheck) -> str:
    """Return what the check of a claim came to, with what each source says in its own words."""
    independent = independence_text(check)
    head = f"  {check.claim.id} {verdict_text(check)}{f' · {independent}' if independent else ''}: {check.claim.text}\n"
    why = "".join(f"     {line}\n" for line in (check.why, check.failure) if line)
    found = [(row, check.sources[row.source]) for row in check.rows if 0 <= row.source < len(check.sources)]
    quotes = "".join(
        f"     - {row.label} ({row.judged_by}): “{row.quote}” {source.title} ({date_text(row.date or source.publish_date)})"
        f" — {source.url}\n"
        for row, source in found
    )
    return f"{head}{why}{quotes}"
