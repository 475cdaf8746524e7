"""Videos without subtitles on the page: a file is transcribed, watched, stopped, found again and opened."""

from __future__ import annotations

import tomllib
from pathlib import Path

from search_core.errors import TranscriptionError, TranscriptionFailure
from search_core.speech.sound import MAX_BYTES
from tests.app.conftest import Visit
from tests.app.core_double import HOSTILE
from tests.app.transcription_double import CANCELLED, HEARD, NO_SOUND, NOTHING, WHISPER

ROOT = Path(__file__).parents[2]
TALK = ("강연.mp4", b"sound")


def transcribing(visit, **params: str) -> Visit:
    here = visit(**params)
    here.core.transcription.recogniser = WHISPER
    here.core.settings.openai_transcription_model = WHISPER.model
    here.look()
    return here


def end(here: Visit, outcome: object) -> None:
    here.core.transcription.newest.end(outcome)
    here.look()


def test_without_a_recogniser_the_page_says_so_and_what_to_do(visit):
    """The box offers subtitles alone and says who can turn more on; a recording is refused with the same sentence."""
    here = visit()
    assert "관리자가 음성 인식을 켜면 쓸 수 있어요." in here.texts()
    here.core.settings.whisper_model = "small"
    here.core.transcription.missing = "받아 적을 모델이 정해져 있지 않아요."
    here.upload(("강연.mp4", b"\x00\x00\x00\x18ftyp"))
    assert "자막 파일은 SRT, VTT, JSON, TXT 등을 20MB까지" in here.texts()
    assert here.errors().endswith("받아 적을 모델이 정해져 있지 않아요.")
    assert here.core.transcription.received == []


def test_a_recording_becomes_the_video(visit):
    """Progress is shown in minutes; when it has ended, the video is open with its words, marks and source."""
    here = transcribing(visit)
    assert "영상·소리 파일(1GB, 6시간까지)은 음성 인식(whisper-1) 서버로 보내서 받아 적어요." in here.texts()
    here.upload(("강연.mp4", b"sound" * 1000))
    assert here.core.transcription.received == [("강연.mp4", b"sound" * 1000)]
    here.core.transcription.listen()
    here.look()
    assert [bar.proto.text for bar in here.at.get("progress")] == ["03:00 / 12:00"]
    end(here, HEARD)
    assert "**강연**" in here.texts()
    assert "음성 인식(whisper-1) · 한국어" in here.texts()
    assert "받아 적지 못한 곳이 있어요: 00:30–00:45" in here.texts()


def test_a_question_that_comes_with_a_recording_waits_for_its_words(visit):
    """It is asked once the recording is open, and back in the box where it was stopped."""
    here = transcribing(visit)
    here.upload(TALK, text="대역폭은요?")
    assert here.core.searches == []
    end(here, HEARD)
    assert here.core.searches[-1][0].text == "대역폭은요?"
    assert here.core.searches[-1][0].video.transcript[2].start_s == 600.0
    here.click("change-video")
    here.upload(TALK, text="전력은요?")
    here.click("cancel-transcription")
    assert (here.draft, len(here.core.searches)) == ("전력은요?", 1)
    assert "받아 적기를 멈췄어요." in here.texts()


def test_a_transcription_that_comes_to_nothing_says_why(visit):
    """A stop, a failure, silence, a full queue and a second file are a sentence each; a refused file is discarded."""
    here = transcribing(visit)
    here.upload(TALK)
    here.click("cancel-transcription")
    assert here.core.transcription.newest.error is CANCELLED
    assert "받아 적기를 멈췄어요." in here.texts()
    for outcome, words in ((NO_SOUND, "영상에 소리가 없어요."), (NOTHING, "소리에서 말을 찾지 못했어요.")):
        here.upload(TALK)
        assert here.has_button("cancel-transcription")
        end(here, outcome)
        assert words in here.texts()
        assert here.has_button("open-sample-0")
        assert not here.has_button("cancel-transcription")
    here.core.transcription.refusal = TranscriptionError(TranscriptionFailure.BUSY, "busy", korean="기다리는 영상이 너무 많아요.")
    here.upload(("a.mp4", b"a"))
    assert "기다리는 영상이 너무 많아요." in here.texts()
    here.core.transcription.refusal = None
    here.upload(("a.mp4", b"a"), ("b.wav", b"b"))
    assert "영상이나 소리 파일은 하나만 올려 주세요." in here.texts()
    here.upload((f"{HOSTILE}.mp4", b"a"))
    shown = [each.value for each in here.at.markdown if "alert" in each.value]
    assert shown
    assert all("![" not in value and "\\<script" in value for value in shown)
    here.upload(("b.wav", b"b"))
    assert "이미 받아 적고 있는 파일이 있어요." in here.texts()
    assert [sound.name for sound in here.core.transcription.discarded] == ["a.mp4"]


def test_a_transcription_is_found_again_by_its_address(visit):
    """A reloaded page goes on with it; one of an earlier server is named as gone."""
    first = transcribing(visit)
    first.upload(TALK)
    sound = first.core.transcription.newest.id
    assert first.param("sound") == sound
    again = Visit(first.core, {"sound": sound})
    assert again.has_button("cancel-transcription")
    end(again, HEARD)
    assert "**강연**" in again.texts()
    assert "sound" not in again.at.query_params
    gone = Visit(first.core, {"sound": "x" * 22})
    assert "파일을 다시 올리면 끝낸 데까지는 건너뛰고 이어서 해요." in gone.texts()


def test_what_is_in_sight_is_not_taken_away(visit):
    """Beside results or another video a transcription that has ended waits for a click."""
    here = transcribing(visit)
    here.upload(TALK)
    here.ask("HBM4")
    end(here, HEARD)
    assert "**9건** · 숨김 3" in here.texts()
    assert "**강연**" not in here.texts()
    here.click("open-transcribed")
    here.look()
    assert "**강연**" in here.texts()
    here.click("change-video")
    here.upload(("둘째.mp4", b"sound"))
    here.open_sample()
    assert here.has_button("cancel-transcription")
    end(here, HEARD)
    assert [each.value.replace("\\", "") for each in here.at.success] == ["“둘째.mp4” 받아 적기를 마쳤어요."]
    assert "**둘째**" not in here.texts()


def test_the_server_takes_in_what_is_transcribed():
    """Streamlit's limit of a file is the size of the largest recording."""
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] << 20 == MAX_BYTES
