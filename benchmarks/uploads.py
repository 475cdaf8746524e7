"""How long files are read, by format and size, in the process that reads them, its answer included."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import perf_counter

from search_core.errors import VideoReadError
from search_core.video import read_upload

SIZES = (100_000, 1_000_000, 5_000_000, 19_000_000)
ROUNDS = 3
WORDS = "메모리 대역폭은 한 번에 옮길 수 있는 양을 정합니다 그래서 HBM 을 여러 층으로 쌓아 올립니다"
"""Some 120 bytes, what is said in eight seconds."""


def uploads() -> None:
    """Print the time and the time per megabyte of transcripts of each format, from minutes to days."""
    read_upload("first.txt", WORDS.encode())  # starts the process
    print(f"{'format':8}" + "".join(f"{size / 1e6:>7.1f} MB (ms / MB)" for size in SIZES) + "   outcome of the largest")
    for ending, make in FORMATS.items():
        cells, outcome = [], ""
        for size in SIZES:
            data = make(size).encode()
            seconds, outcome = min(_read(ending, data) for _ in range(ROUNDS))
            cells.append(f"{seconds * 1000:8.0f} ({seconds * 1e9 / len(data):6.0f})")
        print(f"{ending:8}" + "".join(f"{cell:>20}" for cell in cells) + f"   {outcome}", flush=True)
    hours = cues(20_000, ".", "\n\n", "WEBVTT\n\n").encode()
    seconds, outcome = min(_read(".vtt", hours) for _ in range(ROUNDS))
    print(f"a transcript of twelve hours, 20,000 captions, {len(hours) / 1e6:.1f} MB: {seconds:.2f} s, {outcome}")


def _read(ending: str, data: bytes) -> tuple[float, str]:
    begun = perf_counter()
    try:
        outcome = f"{len(read_upload(f'talk{ending}', data).transcript)} segments"
    except VideoReadError as error:
        outcome = str(error)
    return perf_counter() - begun, outcome


def _clock(second: int, point: str) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}{point}000"


def cues(count: int, point: str, between: str, head: str = "") -> str:
    return head + "".join(
        f"{_clock(2 * n, point)} --> {_clock(2 * n + 2, point)}\n{WORDS[:36]} {n}{between}" for n in range(count)
    )


def _fill(size: int, head: str, piece: Callable[[int], str], tail: str = "") -> str:
    return head + "".join(_pieces(size, piece)) + tail


def _pieces(size: int, piece: Callable[[int], str]) -> Iterator[str]:
    taken = number = 0
    while taken < size:
        text = piece(number)
        yield text
        taken, number = taken + len(text.encode()), number + 1


def _srt(point: str) -> Callable[[int], str]:
    return lambda n: f"{n}\n{_clock(8 * n, point)} --> {_clock(8 * n + 8, point)}\n{WORDS} {n}\n\n"


def _ass_clock(second: int) -> str:
    return f"{second // 3600}:{second // 60 % 60:02}:{second % 60:02}.00"


FORMATS: dict[str, Callable[[int], str]] = {
    ".srt": lambda size: _fill(size, "", _srt(",")),
    ".vtt": lambda size: _fill(size, "WEBVTT\n\n", _srt(".")),
    ".smi": lambda size: _fill(
        size, "<SAMI><BODY>\n", lambda n: f"<SYNC Start={8000 * n}><P Class=KRCC>{WORDS}<br>{n}\n", "</BODY></SAMI>"
    ),
    ".ass": lambda size: _fill(
        size,
        "[Events]\n",
        lambda n: f"Dialogue: 0,{_ass_clock(8 * n)},{_ass_clock(8 * n + 8)},Default,,0,0,0,,{{\\i1}}{WORDS}{{\\i0}} {n}\n",
    ),
    ".ttml": lambda size: _fill(
        size,
        '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>',
        lambda n: f'<p begin="{8 * n}s" end="{8 * n + 8}s">{WORDS}<br/>{n}</p>',
        "</div></body></tt>",
    ),
    ".json": lambda size: json.dumps(
        {"title": "강연", "transcript": [[8 * n, 8 * n + 8, f"{WORDS} {n}"] for n in range(size // 165)]}, ensure_ascii=False
    ),
    ".txt": lambda size: _fill(size, "", lambda n: f"{WORDS} {n}.\n"),
}
