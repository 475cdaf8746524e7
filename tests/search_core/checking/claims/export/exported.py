"""A check in which every verdict occurs, and one in which everything is hostile."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from search_core.domain.claim import (
    Claim,
    ClaimCheck,
    ClaimMoment,
    ClaimOrigin,
    ClaimsMetrics,
    ClaimSource,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimState,
)
from search_core.domain.run import RunFailed
from search_core.domain.stance import Judge, Stance, StanceRow
from search_core.domain.video import VideoContext
from tests.search_core.research.export.exported import ADDRESSES, PAYLOADS
from tests.search_core.scripted import stance_row

NOW = datetime(2026, 11, 20, tzinfo=UTC)
VIDEO = VideoContext(
    video_id="abcdefghijk",
    url="https://www.youtube.com/watch?v=abcdefghijk",
    title="HBM4 발표를 다시 보다",
    published_at=datetime(2025, 6, 1, tzinfo=UTC),
)
BANDWIDTH = Claim(
    number=1,
    text="HBM4의 대역폭은 초당 2테라바이트다.",
    moments=(ClaimMoment(75.0, 80.0, "대역폭은 2테라바이트예요"), ClaimMoment(400.2, 404.0, "2테라라고 했죠")),
)
WIDTH = Claim(number=2, text="HBM4의 입출력 폭은 1024비트다.", moments=(ClaimMoment(120.0, 125.0, "폭은 그대로 1024비트고요"),))
MAKERS = Claim(number=3, text="HBM4를 만드는 회사는 두 곳이다.", moments=(ClaimMoment(240.0, 244.0, "두 곳뿐이에요"),))
POWER = Claim(number=4, text="HBM4는 전력을 40% 덜 쓴다.", moments=(ClaimMoment(300.0, 305.0, "전력이 40% 줄었어요"),))
FIRST = Claim(number=5, text="첫 HBM 표준은 2014년에 나왔다.", moments=(ClaimMoment(330.0, 335.0, "2014년에 첫 표준이"),))
ADDED = Claim(number=6, text="HBM4의 값은 500달러다.", origin=ClaimOrigin.USER)


def source(name: str, published: str, **more: object) -> ClaimSource:
    date = datetime.fromisoformat(published).replace(tzinfo=UTC)
    values = {"title": f"{name} 기사", "url": f"https://{name}.example/1", "domain": f"{name}.example", "publish_date": date}
    return ClaimSource(**(values | more))


def row(place: int, stance: Stance, quote: str, *, after: bool | None = False, story: int = 0, **more: object) -> StanceRow:
    values = {"stance": stance, "source": place, "quote": quote, "after_video": after, "independent_of": story}
    return stance_row(**({"moment_s": 75.0, "statement": "대역폭은 2테라바이트예요"} | values | more))


def check(claim: Claim, verdict: Stance, why: str, **more: object) -> ClaimCheck:
    return ClaimCheck(claim=claim, state=ClaimState.CHECKED, verdict=verdict, why=why, **more)


HERE = source("jedec", "2025-04-16", read=True)
LATER = source("later", "2026-02-01")
CHECKS = (
    check(
        BANDWIDTH,
        Stance.AGREE,
        "서로 독립된 출처 두 곳이 같은 값을 말해요.",
        independent=2,
        query="HBM4 대역폭",
        judged_by_rules_alone=True,
        sources=(
            HERE,
            source("copy", "2025-04-17"),
            source("other", "2025-05-02", read=False, failure="blocked"),
            source("channel", "2025-06-01", speakers_own=True),
        ),
        rows=(
            row(0, Stance.AGREE, "대역폭은 초당 2테라바이트다.", story=0),
            row(1, Stance.AGREE, "대역폭은 초당 2테라바이트다.", story=0),
            row(2, Stance.AGREE, "한 묶음에 2TB/s를 낸다.", story=1, judge=Judge.ENTAILMENT_MODEL, probability=0.9),
            row(3, Stance.AGREE, "영상에서 2테라라고 했다.", story=2),
        ),
    ),
    check(
        WIDTH,
        Stance.CONTRADICTS,
        "출처는 2048비트라고 말해요.",
        independent=1,
        query="HBM4 입출력 폭",
        sources=(HERE,),
        rows=(row(0, Stance.CONTRADICTS, "입출력 폭은 2048비트다.", statement="폭은 그대로 1024비트고요"),),
    ),
    check(
        MAKERS,
        Stance.CHANGED,
        "영상이 나온 뒤에 세 곳이 되었어요.",
        independent=1,
        sources=(LATER,),
        rows=(row(0, Stance.CHANGED, "이제 세 곳이 만든다.", after=True, statement="두 곳뿐이에요"),),
    ),
    check(
        POWER,
        Stance.CANNOT_TELL,
        "전력을 말하는 출처를 찾지 못했어요.",
        query="HBM4 전력 40%",
        services=("Tavily: 0건 · 0.3초", "Brave: 0건 · 0.4초"),
    ),
    ClaimCheck(
        claim=FIRST,
        state=ClaimState.FAILED,
        own_verdict=Stance.CONTRADICTS,
        failure="웹 검색 서비스에 물어보지 못했어요.",
        sources=(source("sample", "2025-05-20", url="library:doc-1", domain="", collection="sample"),),
        rows=(row(0, Stance.CONTRADICTS, "첫 표준은 2013년 10월에 나왔다.", statement="2014년에 첫 표준이"),),
    ),
    ClaimCheck(claim=ADDED, state=ClaimState.LEFT_OUT),
)
NEAREST = check(POWER, Stance.CANNOT_TELL, "", sources=(LATER,), rows=(row(0, Stance.CANNOT_TELL, "전력은 아직 모른다."),))
COVERAGE = ("주장 6개 중 4개를 확인했어요.", "1개는 웹에 물어보지 못했고 1개는 확인하지 않았어요.")


def whole(**changes: object) -> ClaimsRun:
    """Return a run that was finished early, with a check of every kind."""
    run = ClaimsRun(
        id="run-1",
        request=ClaimsRequest(video=VIDEO, claims=tuple(check.claim for check in CHECKS)),
        status=ClaimsStatus.FINISHED_EARLY,
        checks=CHECKS,
        coverage=COVERAGE,
        metrics=ClaimsMetrics(total_ms=4200.0, searches=8, pages=3),
        created_at=NOW,
    )
    return replace(run, **changes)


def hostile() -> ClaimsRun:
    """Return a run whose every text is an attack and whose sources have hostile addresses."""
    checks = []
    for number, payload in enumerate(PAYLOADS, start=1):
        url = ADDRESSES[(number - 1) % len(ADDRESSES)]
        claim = Claim(number=number, text=payload, moments=(ClaimMoment(1.0, 2.0, payload),))
        sources = (ClaimSource(title=payload, url=url, domain=payload),)
        rows = (row(0, Stance.AGREE, payload, statement=payload),)
        checks.append(check(claim, Stance.AGREE, payload, independent=1, failure=payload, sources=sources, rows=rows))
        nothing = replace(claim, number=number + len(PAYLOADS))
        checks.append(ClaimCheck(claim=nothing, state=ClaimState.FAILED, query=payload, services=(payload,)))
    video = replace(VIDEO, title=f"../../{PAYLOADS[0]}", url=PAYLOADS[1])
    failures = (RunFailed(kind=PAYLOADS[2], description=PAYLOADS[2], korean=PAYLOADS[2]),)
    request = ClaimsRequest(video=video, claims=tuple(check.claim for check in checks))
    return whole(request=request, checks=tuple(checks), coverage=PAYLOADS, failures=failures, status=ClaimsStatus.STOPPED)
