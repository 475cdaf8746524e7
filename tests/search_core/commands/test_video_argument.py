"""The video that a command is given by a path."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.commands.arguments import build_parser
from search_core.commands.video_argument import is_address, question_of, read_video, video_of
from search_core.core import SearchCore
from search_core.errors import InputError, VideoReadError
from search_core.settings import Settings


@pytest.fixture
def core(tmp_path: Path) -> Iterator[SearchCore]:
    with closing(SearchCore.from_settings(Settings(maekrak_data_dir=tmp_path / "data", embedding_model="kiwi"))) as core:
        yield core


def _given(*arguments: str) -> argparse.Namespace:
    return build_parser().parse_args(["search", "질문", *arguments])


def _type(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_sample_is_known_by_its_id(core: SearchCore):
    """It names the video as it does for agents; who mistypes it is told which there are, a date that is none before that."""
    assert video_of(_given("--video", "sample-hbm"), core) in core.samples()
    with pytest.raises(VideoReadError, match="no sample called sample-hmb; samples are sample-hbm, ") as refused:
        read_video("sample-hmb", core)
    assert "예시 영상: sample-hbm, " in refused.value.korean
    with pytest.raises(InputError, match="2026-11-24"):
        video_of(_given("--video", "not-there.srt", "--date", "gestern"), core)


@pytest.mark.parametrize(
    ("given", "is_one"),
    [("https://a.example/", True), ("youtu.be/dQw4w9WgXcQ", True), ("dQw4w9WgXcQ", True), ("talk.srt", False), ("강연", False)],
)
def test_an_address_needs_no_scheme(given: str, is_one: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An address of YouTube and a bare id name a video, where no file is called so."""
    monkeypatch.chdir(tmp_path)
    assert is_address(given) is is_one
    Path("dQw4w9WgXcQ").touch()
    assert not is_address("dQw4w9WgXcQ")


def test_a_question_is_asked_at_a_moment(core: SearchCore):
    """It is a time as players show it, or a number of seconds; without one it is not known."""
    for given, moment_s in {"1:02:07": 3727.0, "3727.5": 3727.5, "0": 0.0}.items():
        assert question_of(_given("--moment", given), core).moment_s == moment_s
    assert question_of(_given(), core).moment_s is None


def test_a_transcript_is_read_from_standard_input(core: SearchCore, monkeypatch: pytest.MonkeyPatch):
    """A dash reads a pasted text with what is told of it; subtitles keep their times, and the name of no file is a title."""
    _type(monkeypatch, "SK하이닉스는 2024년에 매출 66조 원을 기록했습니다.\n")
    video = video_of(_given("--video", "-", "--title", "실적 정리", "--channel", "경제 채널", "--date", "2025. 2. 1."), core)
    assert video is not None
    assert (video.title, video.channel, video.published_at) == ("실적 정리", "경제 채널", datetime(2025, 2, 1, tzinfo=UTC))
    assert video.transcript[0].text.startswith("SK하이닉스")
    _type(monkeypatch, "1\n00:00:01,000 --> 00:00:04,000\n첫 문장입니다.\n")
    timed = video_of(_given("--video", "-"), core)
    assert timed is not None
    assert (timed.title, timed.transcript[0].start_s) == ("", 1.0)
    _type(monkeypatch, " ")
    with pytest.raises(VideoReadError, match="empty"):
        video_of(_given("--video", "-"), core)
