"""What a yt-dlp record tells about the captions beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search_core.domain.video import TranscriptOrigin, VideoContext
from search_core.errors import VideoReadError
from search_core.video import read_upload
from search_core.video.record import RecordedTracks

PEOPLE, AUTOMATIC = TranscriptOrigin.PEOPLE, TranscriptOrigin.AUTOMATIC
TRANSLATED, UNKNOWN = TranscriptOrigin.TRANSLATED, TranscriptOrigin.UNKNOWN
ADDRESS = "https://www.youtube.com/api/timedtext?v=abcDEF12_-3&kind=asr&lang=en"


def formats(address: str = "") -> list[dict]:
    return [{"ext": "vtt", "url": address} if address else {"ext": "vtt"}]


ENGLISH = {
    "id": "abcDEF12_-3",
    "title": "Memory talk",
    "language": "en",
    "subtitles": {"en": formats(), "ja": formats()},
    "automatic_captions": {code: formats() for code in ("ko", "en-orig", "en", "ja-en", "zh-Hans")},
    "extractor_key": "Youtube",
}
CASES = {
    "by people in the spoken language, beside what was heard": ("en", "en", False, PEOPLE),
    "heard, rolling, under the same code": ("en", "en", True, AUTOMATIC),
    "heard, by its code": ("en-orig", "en", False, AUTOMATIC),
    "translated from what was heard": ("ko", "ko", False, TRANSLATED),
    "translated from a track by people": ("ja-en", "ja", False, TRANSLATED),
    "by people in another language": ("ja", "ja", False, PEOPLE),
    "of no code, rolling in another language": ("", "ko", True, TRANSLATED),
}


@pytest.mark.parametrize("case", CASES)
def test_the_record_tells_where_captions_are_from(case: str):
    """Its lists, its codes and the way the lines roll tell people's captions, heard ones and translations apart."""
    code, language, rolling, origin = CASES[case]
    assert RecordedTracks.of(ENGLISH).origin(code, language, rolling=rolling) is origin


def test_what_a_record_does_not_tell_is_not_claimed():
    """Where people and machines both have captions in another language, nothing is said; ``tlang`` is a translation.

    A record without language still has addresses, of which ``kind=asr`` alone was heard.
    """
    record = {**ENGLISH, "subtitles": {"ko": formats()}}
    assert RecordedTracks.of(record).origin("ko", "ko", rolling=False) is UNKNOWN
    record = {"automatic_captions": {"ko": formats(f"{ADDRESS}&tlang=ko"), "en": formats(ADDRESS), "de": formats()}}
    tracks = RecordedTracks.of(record)
    assert [tracks.origin(code, code, rolling=False) for code in ("ko", "en", "de")] == [TRANSLATED, AUTOMATIC, UNKNOWN]
    dubbed = {"language": "ja-JP", "automatic_captions": {code: formats() for code in ("en-orig", "ja-orig", "ko")}}
    assert RecordedTracks.of(dubbed).spoken == "ja"


@pytest.mark.parametrize("odd", [None, "x", {"en": None}, {"": []}, {"en": [None, {"url": 5}]}])
def test_odd_lists_of_tracks_are_passed_over(odd: object):
    """Lists of another shape than yt-dlp's are no reason not to read the video."""
    video = read_upload(
        "a.info.json",
        json.dumps({"title": "a", "subtitles": odd, "automatic_captions": odd, "_type": "video"}).encode(),
        ("a.ko.srt", "1\n00:00:01,000 --> 00:00:02,000\n말이에요\n".encode()),
    )
    assert video.transcript_origin in set(TranscriptOrigin)
    assert len(video.transcript) == 1


def captions(folder: Path, *codes: str) -> None:
    for code in codes:
        (folder / f"talk.{code}.vtt").write_text(f"WEBVTT\n\n00:01.000 --> 00:02.000\n42 {code}\n")


@pytest.mark.parametrize(
    ("codes", "taken", "origin"),
    [
        (["ko", "ja", "en", "en-orig"], "en", PEOPLE),
        (["ko", "ja", "en-orig"], "en-orig", AUTOMATIC),
        (["ko", "ja"], "ja", PEOPLE),
        (["ko", "zh-Hans"], "ko", TRANSLATED),
    ],
)
def test_what_is_spoken_is_read_before_translations(tmp_path: Path, codes: list[str], taken: str, origin: TranscriptOrigin):
    """Beside an English record its English captions are read, then those heard, then people's translations, machines' last."""
    (tmp_path / "talk.info.json").write_text(json.dumps(ENGLISH))
    captions(tmp_path, *codes)
    video = VideoContext.from_file(tmp_path / "talk.info.json")
    assert (video.transcript[0].text, video.transcript_origin) == (f"42 {taken}", origin)


def test_a_broken_record_does_not_keep_from_choosing(tmp_path: Path):
    """The record's own failure is what is told, not one of the choice between the files beside it."""
    (tmp_path / "talk.info.json").write_text("[" * 100_000)
    captions(tmp_path, "ko", "en")
    with pytest.raises(VideoReadError):
        VideoContext.from_file(tmp_path / "talk.info.json")
