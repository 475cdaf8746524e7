"""A video without subtitles in Chromium: dropped, listened to before the visitor's eyes, asked about."""

from __future__ import annotations

import io
import re
import threading
import wave
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import running_app, visible_buttons
from tests.loopback.language_model import Asked, LanguageModelServer, Whole, saying
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import RATE, Sentence, sentences, speak

pytestmark = pytest.mark.browser

ANSWER = "영상에서 여러 낱말을 차례로 말해요 [00:07]."


def wav(said: list[Sentence]) -> bytes:
    """Return forty seconds in which *said* is said as a file; one that was listened to before would be ready at once."""
    with io.BytesIO() as file:
        with wave.open(file, "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(speak(40.0, said).tobytes())
        return file.getvalue()


@dataclass
class Ears:
    """Listens when it is let."""

    free: threading.Event

    def __call__(self, asked: Asked) -> Whole:
        assert self.free.wait(60)
        return listening(asked)


@pytest.fixture(scope="module")
def ears() -> Ears:
    return Ears(threading.Event())


@pytest.fixture(scope="module")
def hearing(tmp_path_factory: pytest.TempPathFactory, ears: Ears) -> Iterator[str]:
    """Run the app with a recogniser on loopback."""
    with LanguageModelServer(saying(ANSWER), hear=ears) as endpoint:
        settings = {"OPENAI_BASE_URL": endpoint.url, "OPENAI_MODEL": "m", "OPENAI_API_KEY": "any"}
        settings |= {"OPENAI_TRANSCRIPTION_MODEL": "hears"}
        with running_app(tmp_path_factory.mktemp("hearing"), **settings) as address:
            yield address


def drop(page: Page, name: str, data: bytes) -> None:
    page.get_by_role("tab", name="파일").click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "", "buffer": data})


@pytest.mark.parametrize("width", [1440, 390])
def test_a_recording_is_dropped_watched_and_asked_about(hearing: str, ears: Ears, visitor, width: int):
    """Progress is in sight, a page loaded anew finds it again, and the finished transcript is searched and asked about."""
    ears.free.clear()
    said = sentences(40.0, first_s=width / 500)
    page = visitor(hearing, width=width)
    drop(page, f"낱말 {width}.wav", wav(said))
    expect(page.get_by_text("받아 적고 있어요").first).to_be_visible()
    expect(visible_buttons(page, "cancel-transcription").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]sound=[\w-]{20,}"))
    page.reload()
    expect(page.get_by_text("받아 적고 있어요").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
    ears.free.set()
    expect(page.get_by_text(f"낱말 {width}", exact=True).first).to_be_visible()
    if width < 600:
        page.locator("[class*='st-key-fold-'] summary:visible").first.click()
    expect(page.get_by_text("음성 인식(hears) · 한국어").first).to_be_visible()
    expect(visible_buttons(page, "line-").first).to_contain_text(said[0].text)
    assert violations(page) == []
    page.goto(page.url.replace(hearing, f"{hearing}/chat"))
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("무슨 말을 하나요?")
    box.press("Enter")
    expect(page.get_by_text("영상에서 여러 낱말을 차례로 말해요").first).to_be_visible()


def test_it_is_stopped_and_what_is_no_sound_is_told(hearing: str, ears: Ears, visitor):
    """The button stops the work at once; a broken file leaves one Korean sentence, and the next file is taken."""
    ears.free.clear()
    page = visitor(hearing)
    drop(page, "강연.wav", wav(sentences(40.0, first_s=5.0)))
    visible_buttons(page, "cancel-transcription").first.click()
    expect(page.get_by_text("받아 적기를 멈췄어요").first).to_be_visible()
    ears.free.set()
    drop(page, "깨진.mp4", b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 5000)
    expect(page.get_by_text("파일이 깨져 있어서 소리를 읽지 못했어요").first).to_be_visible()
    expect(page.locator(".st-key-cancel-transcription")).to_have_count(0)
    drop(page, "메모.txt", "메모리 대역폭을 설명할게요. 다음 장면이에요.".encode())
    expect(page.get_by_text("붙여 넣은 글 · 한국어").first).to_be_visible()
