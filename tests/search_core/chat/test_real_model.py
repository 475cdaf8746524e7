"""The chat with the real flow and the real client, against a language model on loopback."""

from __future__ import annotations

from pathlib import Path

from search_core import korean
from search_core.domain import AnswerOrigin, QuestionTranscribed
from search_core.llm import OpenAICompatible
from search_core.settings import Settings
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer, Stream
from tests.search_core.answering.asking import flow, hbm, searching
from tests.search_core.chat.scripted_chat import ME, SOON_S, open_chat, open_store
from tests.search_core.scripted import ScriptedProvider, finds, result

FOUND = result("오늘 환율", snippet="오늘 원달러 환율은 1,391원에 마감했습니다.", url="https://news.example/rate")


def a_model(endpoint: LanguageModelServer) -> OpenAICompatible:
    """Return the real client with all three models."""
    return OpenAICompatible(
        Settings(
            openai_base_url=endpoint.url,
            openai_api_key=play.KEY,
            openai_model="m",
            openai_transcription_model="hears",
            openai_speech_model="speaks",
            openai_speech_voice="voice",
        )
    )


def ignorant_of_the_video(asked: Asked) -> Stream:
    """Not know anything but what the web says."""
    if "1,391" in asked.prompt:
        return Stream(play.told("오늘 원달러 환율은 1,391원이에요 [1]."))
    return Stream(play.told("영상에서 언급되지 않았습니다."))


def test_a_spoken_question_goes_on_to_the_web(tmp_path: Path):
    """The transcript is asked of the video; where it says nothing the web answers, and the answer can be read aloud."""
    with LanguageModelServer(ignorant_of_the_video) as endpoint:
        endpoint.hear = play.heard("오늘 원달러 환율은 얼마야?")
        model = a_model(endpoint)
        korean.warm_up()
        answers = flow(model, searching(ScriptedProvider("brave", finds(FOUND))), search_timeout_s=SOON_S)
        with open_chat(tmp_path, answers, audio=model) as chat:
            entry = chat.new(ME, hbm())
            job = chat.ask_aloud(entry.id, ME, play.silence_wav(), "question.wav")
            assert job.wait(SOON_S)
            record = job.snapshot().record
            assert job.events()[0][1] == QuestionTranscribed(text="오늘 원달러 환율은 얼마야?")
            assert record is not None
            assert (record.web_text, record.web_origin) == ("오늘 원달러 환율은 1,391원이에요 [1].", AnswerOrigin.MODEL)
            assert record.fallback is not None
            assert record.fallback.triggered
            assert chat.speak(record.web_text) == play.silence_wav()
    spoken = [asked.body for asked in endpoint.asked if asked.path == "/v1/audio/speech"]
    assert [body["input"] for body in spoken] == ["오늘 원달러 환율은 1,391원이에요."]
    question, answer = open_store(tmp_path).load(entry.id, ME).messages
    assert (question.text, question.spoken, answer.record) == ("오늘 원달러 환율은 얼마야?", True, record)
