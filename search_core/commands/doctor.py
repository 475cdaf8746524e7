"""``doctor``: the configuration, the reachable services, and the recent searches."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing

from search_core.commands.arguments import MODEL_WAIT_S
from search_core.core import SearchCore
from search_core.domain.reply import ProviderReply
from search_core.domain.transcription import RecogniserKind
from search_core.search.presenting.health_text import health_text
from search_core.search.presenting.ledger import ledger
from search_core.search.presenting.wording import library_line
from search_core.settings import Settings
from search_core.storage.sqlite_file import database_files, find_damage

_PLACES = {RecogniserKind.ENDPOINT: "소리를 언어 모델 서버로 보내요", RecogniserKind.LOCAL: "이 컴퓨터에서 받아 적어요"}
_REMEDY = "앱을 끄고 다른 곳으로 옮기거나, 백업한 사본을 그 자리에 넣어 주세요."


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the state of every part; return 0 if a web service answers, or the library if only that is set up.

    With --offline no service is asked, and it is enough that one is set up.
    """
    with closing(SearchCore.from_settings(settings)) as core:
        print(f"자료 폴더: {settings.maekrak_data_dir}")
        for korean in core.storage_problems().values():
            print(f"저장소: {korean}")
        for path in database_files(settings.maekrak_data_dir):
            if damage := find_damage(path):
                name = path.relative_to(settings.maekrak_data_dir)
                print(f"저장소: {name} 파일이 손상되었어요. {_REMEDY} ({damage})")
        replies = None if args.offline else core.probe()
        if replies is not None:
            print("지금 점검:", *(f"- {line.checked}" for line in ledger(replies, core.provider_labels())), "", sep="\n")
        report = core.health()
        print(health_text(report, report.until))
        scorer = core.scorer(wait_s=MODEL_WAIT_S)
        works = scorer.as_chosen and scorer.state == "ready"
        print(f"채점: {scorer.label}" if works else f"채점: {scorer.label} — {scorer.detail}")
        if line := library_line(core.own_documents.look()):
            print(line)
        recogniser = core.transcription.recogniser
        heard_by = core.transcription.missing if recogniser is None else f"{recogniser.model} · {_PLACES[recogniser.kind]}"
        print(f"받아 적기: {heard_by}")
        return _verdict(core, replies)


def _verdict(core: SearchCore, replies: Sequence[ProviderReply] | None) -> int:
    """Print which services can be asked, and return the exit code."""
    infos = core.providers()
    counted = [info for info in infos if info.web] or list(infos)
    kind = "웹 검색 서비스" if counted[0].web else "내 자료"
    on = [info for info in counted if info.available]
    answered = {info.name for info in on} if replies is None else {reply.provider for reply in replies if reply.status.answered}
    good = [info for info in on if info.name in answered]
    names = ", ".join(info.label for info in good or on)
    if not on:
        said = f"켜진 {kind}가 없어요."
    elif replies is None:
        said = f"{kind} {len(counted)}곳 중 {len(on)}곳이 켜져 있어요 ({names})."
    else:
        said = f"켜진 {kind} {len(on)}곳 중 {f'{len(good)}곳이 답했어요' if good else '답한 곳이 없어요'} ({names})."
    if not good and any(info.available for info in infos if info not in counted):
        said += " 내 자료는 답하더라도 웹을 대신하지 않아요."
    print(f"결과: {said}")
    return 0 if good else 1
