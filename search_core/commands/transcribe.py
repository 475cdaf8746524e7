"""``transcribe FILE [--out FILE.vtt]``: the speech of a video or a recording as subtitles."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from search_core.commands.video_argument import sound_file, transcribe
from search_core.core import SearchCore
from search_core.domain import VideoContext
from search_core.errors import InputError
from search_core.presenting import transcript_source
from search_core.settings import Settings
from search_core.text.visible import visible
from search_core.video.subtitles import write_srt, write_vtt

_WRITERS = {".vtt": write_vtt, ".srt": write_srt}


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Transcribe a recording, and write or print the subtitles; existing files are overwritten by force alone."""
    write = _writer(args.out, force=args.force)
    with closing(SearchCore.from_settings(settings)) as core:
        video = transcribe(core, sound_file(Path(args.source)))
    if args.out is None:
        print(visible(write(video)), end="")
        return 0
    try:
        with args.out.open("w" if args.force else "x", encoding="utf-8") as file:
            file.write(write(video))
    except OSError as error:
        raise _unwritable(args.out, error) from error
    print(f"{args.out}에 {len(video.transcript)}줄을 적었어요. {transcript_source(video)}")
    for warning in video.warnings:
        print(f"· {visible(warning)}")
    return 0


def _writer(out: Path | None, *, force: bool) -> Callable[[VideoContext], str]:
    """Return what writes files of the ending of *out*; raises InputError before anything is listened to in vain."""
    if out is None:
        return write_vtt
    if out.suffix.lower() not in _WRITERS:
        raise InputError(
            f"{out.name} is neither .vtt nor .srt.", korean="자막은 .vtt나 .srt 파일로 적어요. 파일 이름을 바꿔 주세요."
        )
    if out.exists() and not force:
        raise InputError(
            f"{out.name} is there already.",
            korean=f"'{out.name}' 파일이 이미 있어요. 다른 이름을 정하거나 --force로 덮어써 주세요.",
        )
    if not out.parent.is_dir():
        raise InputError(f"{out.parent} is no folder.", korean=f"'{out.parent}' 폴더가 없어요. 먼저 만들어 주세요.")
    return _WRITERS[out.suffix.lower()]


def _unwritable(out: Path, error: OSError) -> InputError:
    return InputError(
        f"{out.name} cannot be written: {error.strerror or error}.",
        korean=f"'{out.name}' 파일을 쓸 수 없어요. 폴더의 권한과 남은 용량을 확인해 주세요.",
    )
