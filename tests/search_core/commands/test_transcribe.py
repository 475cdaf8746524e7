"""Videos without subtitles on the command line, over an endpoint that transcribes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.video.readers import read_upload
from tests.loopback.language_model import LanguageModelServer, saying
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import sentences, speak
from tests.search_core.commands.conftest import Settings
from tests.search_core.speech.media import write

SAID = sentences(40.0)


@pytest.fixture
def talk(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    """Return a recording; an endpoint listens, and answers with words that are said."""
    with LanguageModelServer(saying("저녁 보물과 두부 아침을 말해요 [00:01]."), hear=listening) as endpoint:
        settings(openai_base_url=endpoint.url, openai_api_key="any", openai_model="m", openai_transcription_model="hears")
        yield write(tmp_path / "강연.m4a", speak(40.0, SAID))


def test_speech_becomes_subtitles(talk: Path, capsys: pytest.CaptureFixture[str]):
    """Sentences have their moments within a second and the model, which is named beside them."""
    assert main(["transcribe", str(talk)]) == 0
    printed, told = capsys.readouterr()
    assert "음성 인식(hears) · 한국어" in told
    video = read_upload("강연.vtt", printed.encode())
    assert [segment.text for segment in video.transcript] == [sentence.text for sentence in SAID]
    assert max(abs(a.start_s - b.start_s) for a, b in zip(video.transcript, SAID, strict=True)) < 1
    assert video.transcript_model == "hears"


def test_a_recording_can_be_asked_about(talk: Path, capsys: pytest.CaptureFixture[str]):
    """``--video`` takes a recording where it takes a subtitle file."""
    assert main(["ask", "무슨 말을 하나요?", "--video", str(talk)]) == 0
    assert "두부 아침을 말해요" in capsys.readouterr().out


def test_doctor_names_the_recogniser(talk: Path, settings: Settings, capsys: pytest.CaptureFixture[str]):
    """Doctor names the model and where the sound goes; without a model it and the command name the setting."""
    main(["doctor", "--offline"])
    assert "받아 적기: hears · 소리를 언어 모델 서버로 보내요" in capsys.readouterr().out
    settings(openai_transcription_model="")
    main(["doctor", "--offline"])
    assert "OPENAI_TRANSCRIPTION_MODEL" in capsys.readouterr().out.partition("받아 적기: ")[2]
    assert main(["transcribe", str(talk)]) == 1
    assert "OPENAI_TRANSCRIPTION_MODEL" in capsys.readouterr().err


def test_what_cannot_be_listened_to_is_named(talk: Path, capsys: pytest.CaptureFixture[str]):
    """A missing and a broken file are named, without a traceback."""
    broken = talk.with_name("broken.mp4")
    broken.write_bytes(b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 3000)
    for arguments, words in (
        (["search", "무엇인가요?", "--video", str(broken)], "동영상이나 소리 파일이 아니거나 깨진 파일이에요."),
        (["transcribe", str(talk.parent / "none.mp4")], "'none.mp4' 파일을 찾을 수 없어요."),
    ):
        assert main(arguments) == 1
        told = capsys.readouterr().err
        assert words in told
        assert "Traceback" not in told
