"""The process that parses handed-in files: ``python -m search_core.video.file_worker``.

A request names the file, where its bytes end (``split``), and the companion behind them where it is ``paired`` with one.
"""

from __future__ import annotations

from typing import Any

from search_core.child_process import serve_files
from search_core.text import korean
from search_core.video.mapping import to_mapping
from search_core.video.upload import VideoUpload, parse_file

_MEMORY_BYTES = 3 << 30
"""Address space; the analyser of Korean maps half of it."""
_IDLE_S = 300.0
"""The analyser keeps half a gigabyte; who has not been asked for so long gives it back."""


def main() -> None:
    """Answer requests until the input ends."""
    korean.warm_up()  # its loading is no part of the time for a file
    serve_files(
        _answer,
        memory_bytes=_MEMORY_BYTES,
        idle_s=_IDLE_S,
        too_large="자막만 담긴 더 작은 파일을 올려 주세요.",
        unreadable="파일을 읽지 못했어요. SRT나 VTT로 바꿔서 올려 주세요.",
    )


def _answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    split = request["split"]
    companion = (request["companion"], data[split:]) if request["paired"] else None
    return {"video": to_mapping(parse_file(VideoUpload(request["name"], data[:split], companion)))}


if __name__ == "__main__":
    main()
