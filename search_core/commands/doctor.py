"""``doctor``: the configuration, the reachable services, and the recent searches."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing

from search_core.commands.arguments import MODEL_WAIT_S
from search_core.core import SearchCore
from search_core.domain.reply import ProviderReply
from search_core.domain.scorer import ScorerState
from search_core.domain.transcription import RecogniserKind
from search_core.health import ProviderFacts
from search_core.search.presenting import health_text, ledger, library_line
from search_core.settings import Settings
from search_core.storage.sqlite_file import database_files, find_damage

_PLACES = {RecogniserKind.ENDPOINT: "소리를 언어 모델 서버로 보내요", RecogniserKind.LOCAL: "이 컴퓨터에서 받아 적어요"}
_REMEDY = "앱을 끄고 다른 곳으로 옮기거나, 백업한 사본을 그 자리에 넣어 주세요."


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the state of every part; return 0 if a search would be answered.

    That requires a web service or, if SEARCH_PROVIDERS only names the library, the library. With --offline it need only be set
    up.
    """
    with closing(SearchCore.from_settings(settings)) as core:
        print(f"자료 폴더: {settings.maekrak_data_dir}")
        _print_damage(settings, core.storage_problems())
        replies = None if args.offline else core.probe()
        if replies is not None:
            _print_probe(core, replies)
        report = core.health()
        print(health_text(report, report.until))
        print(f"채점: {_scorer(core.scorer(wait_s=MODEL_WAIT_S))}")
        if line := library_line(core.own_documents.look()):
            print(line)
        print(f"받아 적기: {_transcription(core)}")
        return _verdict(core, replies)


def _print_damage(settings: Settings, problems: Mapping[str, str]) -> None:
    """Print the damage found in any page of the database files."""
    for korean in problems.values():
        print(f"저장소: {korean}")
    for path in database_files(settings.maekrak_data_dir):
        if damage := find_damage(path):
            name = path.relative_to(settings.maekrak_data_dir)
            print(f"저장소: {name} 파일이 손상되었어요. {_REMEDY} ({damage})")


def _transcription(core: SearchCore) -> str:
    """Return which recogniser transcribes videos without subtitles."""
    service = core.transcription
    if service.recogniser is None:
        return service.missing
    return f"{service.recogniser.model} · {_PLACES[service.recogniser.kind]}"


def _verdict(core: SearchCore, replies: Sequence[ProviderReply] | None) -> int:
    """Print which services can be asked, and return the exit code."""
    infos = core.providers()
    counted = [info for info in infos if info.web] or list(infos)
    kind = "웹 검색 서비스" if counted[0].web else "내 자료"
    on = [info for info in counted if info.available]
    answered = None if replies is None else {reply.provider for reply in replies if reply.status.answered}
    good = [info for info in on if answered is None or info.name in answered]
    names = ", ".join(info.label for info in good)
    of_all = f"{kind} {len(counted)}곳 중" if answered is None else f"켜진 {kind} {len(on)}곳 중"
    did = "켜져 있어요" if answered is None else "답했어요"
    if good:
        print(f"결과: {of_all} {len(good)}곳이 {did} ({names}).")
        return 0
    if on:
        print(f"결과: 켜진 {kind} {len(on)}곳 중 답한 곳이 없어요 ({', '.join(info.label for info in on)}).{_own_aside(infos)}")
    else:
        print(f"결과: 켜진 {kind}가 없어요.{_own_aside(infos)}")
    return 1


def _own_aside(infos: Sequence[ProviderFacts]) -> str:
    own = any(info.available and not info.web for info in infos) and any(info.web for info in infos)
    return " 내 자료는 답하더라도 웹을 대신하지 않아요." if own else ""


def _print_probe(core: SearchCore, replies: Sequence[ProviderReply]) -> None:
    print("지금 점검:")
    for line in ledger(replies, core.provider_labels()):
        print(f"- {line.checked}")
    print()


def _scorer(state: ScorerState) -> str:
    return state.label if state.as_chosen and state.state == "ready" else f"{state.label} — {state.detail}"
