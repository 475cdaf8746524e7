"""What commands print: the events of a long run, its document at the end, and which scorer scored."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from search_core.core import SearchCore
from search_core.domain.claim import ClaimsEvent, ClaimsStatusChanged
from search_core.domain.research import ResearchEvent, StatusChanged
from search_core.domain.scorer import ScorerState
from search_core.language.json_line import as_line
from search_core.language.sentences import visible
from search_core.models.embedding.embedder import KiwiEmbedder

if TYPE_CHECKING:
    from search_core.checking.claims.service import ClaimsService
    from search_core.research.service import ResearchService

Export = Callable[[Any, Literal["markdown"]], bytes]


def follow(service: ResearchService | ClaimsService, run_id: str, export: Export, *, as_json: bool) -> int:
    """Print a run as JSON lines, or its progress and finally its *export*; return 0, 1 if it failed, 130 after an interrupt."""
    number = 0
    try:
        for number, event in service.events(run_id, ""):  # noqa: B007  an interrupt asks for the number
            _show(event, as_json=as_json)
    except KeyboardInterrupt:
        service.cancel(run_id, "")
        for _, event in service.events(run_id, "", number):
            _show(event, as_json=as_json)
    run = service.get(run_id, "")
    if not as_json:
        print(visible(export(run, "markdown").decode()), end="")
    return {"failed": 1, "stopped": 130}.get(run.status.value, 0)


def print_event(name: str, record: object) -> None:
    """Print *record* under a name as a line of JSON."""
    print(as_line({"event": name, "data": record}), flush=True)


def _show(event: ResearchEvent | ClaimsEvent, *, as_json: bool) -> None:
    if as_json:
        print_event(event.name, event)
    elif isinstance(event, (StatusChanged, ClaimsStatusChanged)):
        print(visible(f"· {event.message}"), file=sys.stderr, flush=True)


def tell_what_decided(core: SearchCore) -> ScorerState:
    """Return the scorer's state, and print on standard error if another scorer than the chosen one is in use."""
    state = core.scorer()
    if not state.as_chosen:
        print(f"{state.label}: {state.detail}", file=sys.stderr, flush=True)
    return state


def scored_by(scorer: str, state: ScorerState) -> str:
    """Return in Korean which *scorer* scored, with the reason in *state* if it was not the chosen one."""
    if scorer == "none":
        return "채점: 하지 못함"
    label = KiwiEmbedder.label if scorer == KiwiEmbedder.name else f"의미 분석 모델 {scorer}"
    return f"채점: {label}" if state.as_chosen or scorer != state.name else f"채점: {label} ({state.detail})"
