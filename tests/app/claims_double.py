"""Checks of claims that fit in one file: runs are scripts of events, published a few at each look or all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from search_core.checking.parts import CLAIMS
from search_core.domain.claim import (
    Claim,
    ClaimCheck,
    ClaimMoment,
    ClaimsBudget,
    ClaimsEnded,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsMetrics,
    ClaimSource,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
    ClaimUpdated,
    FoundClaims,
    Settlement,
)
from search_core.domain.run import RunFailed
from search_core.domain.stance import Stance, StanceRow
from search_core.domain.video import VideoContext
from search_core.errors import InputError, MaekrakError
from tests.app.chat_double import HOSTILE
from tests.app.runs_double import RunsDouble
from tests.search_core.scripted import stance_row

NOW = datetime.now(UTC)
TEXTS = (
    "HBM4 표준의 대역폭은 한 묶음에 초당 2테라바이트다.",
    "HBM4의 입출력 폭은 1024비트다.",
    "HBM을 만드는 회사는 두 곳이다.",
    "HBM4는 전력을 40% 덜 쓴다.",
    "첫 HBM 표준은 2014년에 나왔다.",
)
VERDICTS = (Stance.AGREE, Stance.CONTRADICTS, Stance.CHANGED, Stance.CANNOT_TELL, Stance.ADDS)
COVERAGE = ("주장 12개 중 12개를 확인했어요.", "Google 맞춤검색: 24번 · 0.2초")
AWAY = RunFailed(
    kind="Search failed",
    description="No search service could be asked.",
    korean="웹 검색 서비스에 하나도 물어보지 못했어요. 네트워크 연결을 확인하고 이어서 확인해 주세요.",
)
QUOTE = "그러니까 입출력 폭은 그대로 1024비트고요, 속도만 올린 거예요"


def found(count: int = 30) -> FoundClaims:
    """Return *count* claims over twenty minutes, the first with the highest score; the second is made twice."""
    claims = []
    for number in range(1, count + 1):
        start = 7.0 + (number - 1) * 1180 / count
        moments = [ClaimMoment(start, start + 6, QUOTE if number % 3 else TEXTS[(number - 1) % len(TEXTS)])]
        if number == 2:
            moments.append(ClaimMoment(900.0, 905.0, "다시 말하지만 1024비트예요"))
        text = TEXTS[(number - 1) % len(TEXTS)] if number <= len(TEXTS) else f"{number}번째 주장: {TEXTS[number % len(TEXTS)]}"
        claims.append(Claim(number=number, text=text, moments=tuple(moments), score=round(0.95 - number * 0.02, 2)))
    return FoundClaims(claims=tuple(claims), sentences=212)


def source(place: int, **more: object) -> ClaimSource:
    values = {
        "title": f"JEDEC, HBM4 표준을 발표하며 대역폭과 입출력 폭을 함께 밝힌 아주 긴 제목의 기사 {place}",
        "url": f"https://news{place}.example.com/hbm4?id={place}",
        "domain": f"news{place}.example.com",
        "publish_date": NOW - timedelta(days=10 * place),
        "read": True,
    }
    return ClaimSource(**(values | more))


def row(place: int, stance: Stance, *, after: bool | None = False, story: int | None = None, quote: str = "") -> StanceRow:
    return stance_row(
        moment_s=0.0,
        statement=QUOTE,
        stance=stance,
        source=place,
        quote=quote or "JEDEC은 HBM4의 입출력 폭을 2,048비트로 두 배 늘렸다고 밝혔다.",
        after_video=after,
        independent_of=place if story is None else story,
    )


def checked(claim: Claim, verdict: Stance) -> ClaimCheck:
    """Return a check of *claim* that came to *verdict*, with two sources, a copy and one of the speaker's own."""
    check = ClaimCheck(claim=claim, state=ClaimState.CHECKED, verdict=verdict, query=f"{claim.text} JEDEC")
    if verdict is Stance.CANNOT_TELL:
        why = "비교할 자료가 없어 맞는지 알 수 없어요."
        return replace(check, why=why, services=("위키백과: 0건 · 0.3초", "DuckDuckGo: 0건 · 0.6초"))
    sources = (source(1), source(2), source(3, read=None), source(4, speakers_own=True, domain="youtube.com"))
    after = verdict is Stance.CHANGED
    rows = (
        row(0, verdict, after=after),
        row(1, verdict, after=after, story=0),
        row(2, verdict, after=None),
        row(3, Stance.AGREE),
    )
    why = "서로 독립된 출처 두 곳이 같은 것을 말해요."
    return replace(check, rows=rows, sources=sources, independent=2, why=why)


def from_own(claim: Claim) -> ClaimCheck:
    """Return a check of *claim* for which the web could not be asked, and a sample document spoke."""
    own = source(5, url="library:doc-1", domain="", collection="sample", title="HBM의 세대", read=None)
    failure = "웹 검색을 사용할 수 없어 확인하지 못했어요."
    rows = (row(0, Stance.CONTRADICTS),)
    return ClaimCheck(
        claim=claim, state=ClaimState.FAILED, own_verdict=Stance.CONTRADICTS, sources=(own,), rows=rows, failure=failure
    )


def hostile(claim: Claim) -> ClaimCheck:
    bad = source(1, title=HOSTILE, url="javascript:alert(1)", domain=HOSTILE)
    said = replace(row(0, Stance.AGREE, quote=HOSTILE), statement=HOSTILE)
    texts = {"why": HOSTILE, "query": HOSTILE, "services": (HOSTILE,)}
    return replace(checked(claim, Stance.AGREE), sources=(bad,), rows=(said,), **texts)


def script(request: ClaimsRequest, story: str) -> list[ClaimsEvent]:
    """Return the events of a run of *request*, which never ends by itself with a claim that says so."""
    events: list[ClaimsEvent] = [ClaimsStatusChanged(status=ClaimsStatus.CHECKING, message="주장을 하나씩 확인하고 있어요.")]
    for place, claim in enumerate(request.claims):
        events.append(ClaimUpdated(check=ClaimCheck(claim=claim, state=ClaimState.SEARCHING)))
        if "(held)" in claim.text:
            continue
        if story == "away":
            events.append(ClaimUpdated(check=from_own(claim)))
        elif story == "hostile":
            events.append(ClaimUpdated(check=hostile(claim)))
        else:
            verdict = VERDICTS[place % len(VERDICTS)]
            events.append(ClaimUpdated(check=replace(checked(claim, verdict), state=ClaimState.READING, verdict=None, rows=())))
            events.append(ClaimUpdated(check=replace(checked(claim, verdict), judged_by_rules_alone=story == "rules")))
    if any("(held)" in claim.text for claim in request.claims):
        return events
    if story == "away":
        events.append(AWAY)
    return [*events, ended(ClaimsStatus.FAILED if story == "away" else ClaimsStatus.COMPLETE)]


def ended(status: ClaimsStatus) -> ClaimsEnded:
    metrics = ClaimsMetrics(total_ms=9100, searches=24, pages=31)
    return ClaimsEnded(status=status, metrics=metrics, coverage=COVERAGE, at=datetime.now(UTC))


class ClaimsDouble(RunsDouble):
    """Finds and checks claims as its ``story`` says."""

    kind = CLAIMS

    def __init__(self, story: str = "good") -> None:
        super().__init__(story)
        self.lingers = False
        """Whether a run that is to finish has work under way."""
        self.count, self.most = 30, 60
        self.unreadable: MaekrakError | None = None

    def find(self, video: VideoContext) -> FoundClaims:
        if self.unreadable is not None:
            raise self.unreadable
        return found(self.count)

    def budget(self, claims: Sequence[Claim]) -> ClaimsBudget:
        if len(claims) > self.most:
            raise InputError("too many", korean=f"한 번에 {self.most}개까지 확인할 수 있어요.")
        least = 0 if self.story == "away" else len(claims)
        return ClaimsBudget(claims=len(claims), searches=2 * least, paid=0, pages=5 * len(claims))

    def start(self, request: ClaimsRequest) -> ClaimsRun:
        return self.begin(request, script(request, self.story))

    def cancel(self, run_id: str, owner: str) -> None:
        self._end(run_id, owner, ClaimsStatus.STOPPED)

    def finish(self, run_id: str, owner: str) -> None:
        self._end(run_id, owner, ClaimsStatus.FINISHED_EARLY, at_once=not self.lingers)

    def _end(self, run_id: str, owner: str, status: ClaimsStatus, *, at_once: bool = True) -> None:
        scripted = self.scripted(run_id, owner)
        scripted.script = [ended(status)]
        if at_once:
            scripted.advance()

    def resume(self, run_id: str, owner: str) -> ClaimsRun:
        run = self.scripted(run_id, owner).run
        return self.begin(run.request, script(run.request, self.story), again=run)

    def settle(self, run_id: str, owner: str, number: int, settled: Settlement | None) -> None:
        scripted = self.scripted(run_id, owner)
        known = {check.claim.number: check.settled for check in scripted.run.checks if check.settled is not None}
        changed = {**known, number: settled}
        scripted.run = scripted.run.with_settled({each: said for each, said in changed.items() if said is not None})

    def list(self, owner: str) -> tuple[ClaimsEntry, ...]:
        return self.entries(ClaimsEntry, owner, title=lambda run: run.request.video.title, claims=lambda run: len(run.checks))
