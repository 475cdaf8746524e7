"""What checks of claims bring to be long runs."""

from __future__ import annotations

from typing import get_args

from search_core.domain import (
    ClaimsEnded,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsFailed,
    ClaimsMetrics,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
)
from search_core.durable_runs.run_kind import RunKind

CLAIMS: RunKind[ClaimsRequest, ClaimsRun, ClaimsEvent] = RunKind(
    name="claims",
    called="A check of claims",
    extent=lambda run: f"{len(run.checks)} claims",
    request=ClaimsRequest,
    run=ClaimsRun,
    entry=ClaimsEntry,
    statuses=ClaimsStatus,
    events=get_args(ClaimsEvent),
    status_event=ClaimsStatusChanged,
    failed_event=ClaimsFailed,
    end_event=ClaimsEnded,
    metrics=ClaimsMetrics,
    missing=("There is no such check of claims.", "영상 확인을 찾을 수 없어요. 지워졌거나 다른 사람의 것일 수 있어요."),
    unavailable="영상 확인을 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요.",
    undeletable="진행 중인 확인이에요. 멈춘 뒤에 지워 주세요.",
    unreadable="저장된 영상 확인의 일부를 읽지 못했어요. 같은 영상을 다시 확인해 주세요.",
    given_up="확인이 여러 번 중단되어서 더 이어 가지 않아요. ‘이어서’를 누르면 확인하지 못한 말부터 다시 시작해요.",
    stopped_unsaved="저장소에 쓸 수 없는 동안 확인을 멈췄어요. 여기까지 확인한 내용은 다시 쓸 수 있게 되면 저장해요.",
    unexpected=(
        "The claims could not be checked because of an unexpected error.",
        "확인하다가 예상하지 못한 문제가 생겼어요. 이어서 확인하면 아직 확인하지 못한 주장부터 다시 시작해요.",
    ),
)
