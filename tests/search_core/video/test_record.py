"""What a yt-dlp record tells about the captions beside it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from search_core.domain.video import TranscriptOrigin, VideoContext

ENGLISH = {"id": "abcDEF12_-3", "title": "Memory talk", "language": "en-US", "extractor_key": "Youtube"}


ROLLING = "\n\n".join(
    f"00:0{second}.000 --> 00:0{second + 1}.000\n{before}\n{words}"
    for second, (before, words) in enumerate(pairwise(["", "a word", "two words", "three words", "four words", "five words"]))
)


def captions(folder: Path, *codes: str, cues: str = "00:01.000 --> 00:02.000\n42 {code}") -> None:
    for code in codes:
        (folder / f"talk.{code}.vtt").write_text("WEBVTT\n\n" + cues.replace("{code}", code) + "\n")


@pytest.mark.parametrize(
    ("codes", "taken"),
    [
        (["ko", "ja", "en-orig"], "en-orig"),
        (["ja", "ko"], "ko"),
        (["de", "zh-Hans"], "de"),
    ],
)
def test_what_is_spoken_is_read_before_translations(tmp_path: Path, codes: list[str], taken: str):
    """What was heard is read, then Korean captions, then any."""
    (tmp_path / "talk.info.json").write_text(json.dumps(ENGLISH))
    captions(tmp_path, *codes)
    assert VideoContext.from_file(tmp_path / "talk.info.json").transcript[0].text == f"42 {taken}"


@pytest.mark.parametrize(("code", "origin"), [("en", TranscriptOrigin.AUTOMATIC), ("ko", TranscriptOrigin.TRANSLATED)])
def test_rolling_captions_in_another_language_are_a_translation(tmp_path: Path, code: str, origin: TranscriptOrigin):
    """What a machine translated is never taken for what it heard."""
    (tmp_path / "talk.info.json").write_text(json.dumps(ENGLISH))
    captions(tmp_path, code, cues=ROLLING)
    assert VideoContext.from_file(tmp_path / "talk.info.json").transcript_origin is origin
