"""Files as strangers make them, generated: each class that once held a reader up, at any size."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

CUE = "00:00:01,000 --> 00:00:02,000\n"
SAMI_HEAD = "<SAMI><BODY>\n<SYNC Start=1000><P Class=KRCC>"
ASS_HEAD = (
    "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)
DIALOGUE = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,"
TTML_HEAD = '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>'
TTML_TAIL = "</div></body></tt>"


def repeat(piece: str, size: int) -> str:
    """Return *piece* as often as it fits into *size* bytes."""
    return piece * (size // len(piece.encode()))


def webvtt(words: str) -> str:
    return f"WEBVTT\n\n00:01.000 --> 00:02.000\n{words}"


def srt(words: str) -> str:
    return f"1\n{CUE}{words}"


def ass(words: str) -> str:
    return f"{ASS_HEAD}{DIALOGUE}{words}\n"


def ttml(inside: str, begin: str = "0s", end: str = "2s") -> str:
    return f'{TTML_HEAD}<p begin="{begin}" end="{end}">{inside}</p>{TTML_TAIL}'


def record(**fields: object) -> str:
    return json.dumps({"_type": "video", "title": "강연", **fields}, ensure_ascii=False)


def nested_json(size: int) -> str:
    depth = size // 12
    return '{"a":' * depth + "1" + "}" * depth


def clock(second: int, point: str) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}{point}000"


def short_cues(size: int, point: str) -> str:
    """Return as many cues of one letter as fit, each beginning with the one before."""
    cue_bytes = 40
    return "".join(f"{clock(n % 90_000, point)} --> {clock(n % 90_000 + 1, point)}\n가{n}\n\n" for n in range(size // cue_bytes))


HOSTILE_FILES: dict[str, tuple[str, Callable[[int], str]]] = {
    "vtt open voices": (".vtt", lambda size: webvtt(repeat("<v a", size))),
    "vtt one line": (".vtt", lambda size: webvtt("가" * (size // 3))),
    "vtt short cues": (".vtt", lambda size: "WEBVTT\n\n" + short_cues(size, ".")),
    "vtt entities": (".vtt", lambda size: webvtt(repeat("&amp;", size))),
    "srt overrides": (".srt", lambda size: srt(repeat("{\\", size))),
    "srt newlines in a cue": (".srt", lambda size: srt("가" + "\n" * size + "나")),
    "srt speaker changes": (".srt", lambda size: srt(repeat("\n>>", size) + "가")),
    "srt short cues": (".srt", lambda size: short_cues(size, ",")),
    "srt overlapping cues": (".srt", lambda size: repeat("00:00:01,000 --> 99:00:00,000\n가\n\n", size)),
    "srt rolling": (".srt", lambda size: repeat(CUE + "가\n나\n\n", size)),
    "sami syncs": (".smi", lambda size: SAMI_HEAD + repeat("<SYNC Start=1>", size)),
    "sami one line": (".smi", lambda size: SAMI_HEAD + "가" * (size // 3)),
    "sami open tags": (".smi", lambda size: SAMI_HEAD + "<" * size),
    "sami open attribute": (".smi", lambda size: SAMI_HEAD + '<p a="' + "b" * size),
    "sami attributes": (".smi", lambda size: SAMI_HEAD + "<p " + repeat("a=1 ", size) + ">"),
    "sami comments": (".smi", lambda size: SAMI_HEAD + repeat("<!--", size)),
    "sami declarations": (".smi", lambda size: SAMI_HEAD + repeat("<![", size)),
    "ass overrides": (".ass", lambda size: ass(repeat("{\\i1}", size) + "가")),
    "ass drawings": (".ass", lambda size: ass(repeat("{\\p1}m 0 0 l 1 1{\\p0}", size) + "가")),
    "ass lines": (".ass", lambda size: ASS_HEAD + repeat(DIALOGUE + "가\n", size)),
    "ass commas": (".ass", lambda size: ASS_HEAD + "Dialogue: " + "," * size),
    "ass styles": (".ass", lambda size: "[V4+ Styles]\n" + repeat("Style: a,b\n", size) + ass("가")),
    "ttml breaks": (".ttml", lambda size: ttml("가" + repeat("<br/>", size))),
    "ttml spans": (".ttml", lambda size: ttml(repeat("<span>가</span>", size))),
    "ttml nested spans": (".ttml", lambda size: ttml(repeat("<span>", size // 2) + "가" + "</span>" * (size // 2 // 6))),
    "ttml laughs": (".ttml", lambda size: laughs() + ttml("&i;" * (size // 3))),
    "ttml cues": (".ttml", lambda size: TTML_HEAD + repeat('<p begin="1s" end="2s">가</p>', size) + TTML_TAIL),
    "json description": (".info.json", lambda size: record(description="가" * (size // 3))),
    "json speakers": (".info.json", lambda size: record(speakers=[str(n) for n in range(size // 10)])),
    "json speakers by comma": (".info.json", lambda size: record(speakers="가," * (size // 4))),
    "json chapters": (".info.json", lambda size: record(chapters=[[n, "가"] for n in range(size // 16)])),
    "json nested": (".info.json", nested_json),
    "json braces": (".json", lambda size: "{" * size),
    "json digits": (".json", lambda size: '{"title":"가","duration":' + "1" * size + "}"),
    "json transcript": (".json", lambda size: json.dumps({"transcript": [[1, 2, "가"]] * (size // 14)}, ensure_ascii=False)),
    "txt short sentences": (".txt", lambda size: repeat("A.", size)),
    "txt lines": (".txt", lambda size: repeat("가\n", size)),
    "txt stamps": (".txt", lambda size: repeat("0:01\n", size)),
    "txt turns": (".txt", lambda size: repeat("김하나 00:12\n네\n", size)),
    "txt brackets": (".txt", lambda size: repeat("[1", size)),
}
"""The ending of the file and what makes its text, by name."""

HOSTILE_DOCUMENTS: dict[str, tuple[str, Callable[[int], str]]] = {
    **{name: HOSTILE_FILES[name] for name in ("txt brackets", "json braces")},
    "md comments": (".md", lambda size: repeat("<!--", size)),
    "md stars": (".md", lambda size: repeat("***a ", size)),
    "md ticks": (".md", lambda size: repeat("`a``b", size)),
    "md heading of spaces": (".md", lambda size: "# a" + " " * size + "b"),
    "md images": (".md", lambda size: repeat("![", size)),
    "md links": (".md", lambda size: repeat("[a](", size)),
    "md front matter": (".md", lambda size: "---\n" + repeat("---a\n", size)),
    "md spaces": (".md", lambda size: " " * size + "a"),
    "html nested": (".html", lambda size: repeat("<div>", size) + "가"),
    "html attributes": (".html", lambda size: "<p " + repeat("a=1 ", size) + ">가"),
    "html rules": (".html", lambda size: f"<style>{repeat('.a{color:red}', size)}</style>" + repeat("<p class=a>가</p>", size)),
    "html entities": (".html", lambda size: repeat("&amp;", size) + "가"),
    "jsonl broken lines": (".jsonl", lambda size: '{"text":"가"}\n' + repeat("{\n", size)),
}
"""The same of documents for the library."""


def laughs() -> str:
    """Return a document type whose last entity would unfold to a thousand million characters."""
    entities = ['<!ENTITY a "가가가가가가가가가가">']
    names = "abcdefghi"
    for before, name in itertools.pairwise(names):
        entities.append(f'<!ENTITY {name} "{f"&{before};" * 10}">')
    return f"<!DOCTYPE tt [{''.join(entities)}]>"
