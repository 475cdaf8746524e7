"""A run with everything in it, and one in which everything is hostile."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain.research import ResearchRun, ResearchStatus
from search_core.domain.result import Moment
from tests.search_core.models.llm.hostile_markdown import PAYLOADS as HOSTILE
from tests.search_core.research.report_material import PLAN, SOURCES, run, source, subtask

REPORT = """## 요약

한빛전자의 2025년 매출은 **66조원**이었어요 [1][2]. 새 메모리 양산은 *2026년 2월*에 시작했어요 [3].

### 자세한 내용

- 첫째 항목이에요 [1].
  - 안쪽 항목이에요.

1. 하나예요.
2. 둘이에요 [2].

> 옮겨 적은 글이에요.

| 해 | 매출 |
| --- | --- |
| 2025년 | 66조원 [1] |

```
표시 <b>그대로</b>
```

이 문장은 출처에 없어요 [3]."""
_LAST = "이 문장은 출처에 없어요 [3]."

PAYLOADS = (
    *HOSTILE.values(),
    '=HYPERLINK("http://evil.example")',
    "\u202e\u200b뒤집힌\x00글\x1b[31m",
    "| 표 | 깨기 |\n# 제목 깨기",
)
ADDRESSES = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "http://user:pass@evil.example/",
    "vbscript:x",
    "//evil.example/x",
    'http://ok.example/"><script>alert(1)</script>',
    "http://ok.example/a)(b%20c<d>'e",
)
LINKED = frozenset(
    {
        "http://ok.example/%22%3E%3Cscript%3Ealert%281%29%3C/script%3E",
        "http://ok.example/a%29%28b%20c%3Cd%3E%27e",
    }
)
"""Those of the addresses that are of the web, as they may be linked."""


def whole() -> ResearchRun:
    """Return a run with every kind of block, a moment of the video and a sentence without support."""
    place = REPORT.index(_LAST)
    read = tuple(
        source(
            each.number,
            each.title,
            each.snippet,
            publish_date=each.publish_date,
            read=[True, False, None][each.number - 1],
            moment=Moment(start_s=75, text="매출이 크게 늘었다고 합니다", similarity=0.8) if each.number == 1 else None,
        )
        for each in SOURCES
    )
    return run(
        REPORT, read, unsupported=((place, place + len(_LAST)),), plan=(*PLAN, subtask(3, "부채", failure="찾은 것이 없어요."))
    )


def hostile() -> ResearchRun:
    """Return a run whose every text is an attack and whose sources have hostile addresses."""
    addresses = [*ADDRESSES, *(f"https://site.example/{n}" for n in range(len(PAYLOADS) - len(ADDRESSES)))]
    sources = [
        source(n, payload, f"요약 {payload}", url=url, domain=payload, moment=Moment(start_s=1, text=payload, similarity=1))
        for n, (payload, url) in enumerate(zip(PAYLOADS, addresses, strict=True), start=1)
    ]
    report = "## 요약\n\n" + "\n\n".join(f"{payload} 끝 [{n}] [99]" for n, payload in enumerate(PAYLOADS, start=1))
    made = run(report, sources, coverage=PAYLOADS, plan=tuple(subtask(n, p) for n, p in enumerate(PAYLOADS[:5], start=1)))
    request = replace(made.request, question='../../etc/<script>alert(1)</script> "CON" ' + "긴 질문 " * 100)
    return replace(made, request=request, plan_note=PAYLOADS[1], report_note=PAYLOADS[0], status=ResearchStatus.STOPPED)
