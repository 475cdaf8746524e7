"""What deep research brings to be a long run."""

from __future__ import annotations

from typing import get_args

from search_core.domain import (
    ResearchEnded,
    ResearchEntry,
    ResearchEvent,
    ResearchFailed,
    ResearchMetrics,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    StatusChanged,
)
from search_core.durable_runs.run_kind import RunKind, StoredRun

StoredResearch = StoredRun[ResearchRequest, ResearchRun]
RESEARCH: RunKind[ResearchRequest, ResearchRun, ResearchEvent] = RunKind(
    name="research",
    called="A research run",
    extent=lambda run: f"{len(run.sources)} sources",
    request=ResearchRequest,
    run=ResearchRun,
    entry=ResearchEntry,
    statuses=ResearchStatus,
    events=get_args(ResearchEvent),
    status_event=StatusChanged,
    failed_event=ResearchFailed,
    end_event=ResearchEnded,
    metrics=ResearchMetrics,
    missing=("There is no such research run.", "조사를 찾을 수 없어요. 지워졌거나 다른 사람의 조사일 수 있어요."),
    unavailable="심층 조사를 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    undeletable="진행 중인 조사예요. 멈춘 뒤에 지워 주세요.",
    unreadable="저장된 조사의 일부를 읽지 못했어요. 같은 질문을 다시 조사해 주세요.",
    given_up="조사가 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 찾은 자료에서 다시 시작해요.",
    stopped_unsaved="저장소에 쓸 수 없는 동안 조사를 멈췄어요. 여기까지 찾은 내용은 다시 쓸 수 있게 되면 저장해요.",
    unexpected=(
        "The report could not be written because of an unexpected error.",
        "보고서를 쓰다가 예상하지 못한 문제가 생겼어요. 이어서 조사하면 여기까지 찾은 자료로 다시 쓸 수 있어요.",
    ),
)
