"""What the app asks of language models: summaries, answers as they are written, speech into text and text into speech."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.llm.failures import model_error, unreadable_answer
from search_core.llm.prompt import AnswerSchema, ChatMessage, Completion, messages
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.llm.endpoint import Endpoint

MAX_AUDIO_BYTES = 25_000_000
MAX_SPOKEN_CHARS = 4096
"""The API reads no more than this aloud."""
AUDIO_SUFFIXES = frozenset({".flac", ".mp3", ".mp4", ".mpeg", ".mpga", ".m4a", ".ogg", ".wav", ".webm"})

_MAX_TRANSCRIPT_BYTES = 1_000_000
_MAX_SPEECH_BYTES = 32 * 1024 * 1024
"""4096 characters are some five minutes, 15 MB even where they come unpacked."""


class OpenAICompatible:
    """Asks the models of one endpoint; holds no connection between requests, so it belongs to no event loop.

    Names of models are settings, never defaults here: the ones everybody used until now are shut down early in 2027.

    Every method raises LanguageModelError, with its kind, when there is no answer or none that can be used. Cancelling the task
    closes the connection at once. Nothing is asked a second time, except where no connection came about, or a schema was refused.
    The client, which takes a third of a second to import, is imported with the first request, or by ``get_ready``.
    """

    def __init__(self, settings: Settings) -> None:
        """Take address, key, models and timeout from *settings*; sends no request."""
        self._settings = settings
        self._reachable = bool(settings.openai_base_url or settings.openai_api_key.get_secret_value())
        self._model = settings.openai_model
        self._transcription_model = settings.openai_transcription_model
        self._speech_model = settings.openai_speech_model
        self._voice = settings.openai_speech_voice
        self._takes_schemas = True
        """False once the endpoint has refused a schema and answered without."""

    @cached_property
    def _endpoint(self) -> Endpoint:
        from search_core.llm.endpoint import Endpoint

        return Endpoint(self._settings)

    def get_ready(self) -> None:
        """Import what the first request would have to wait for; blocks."""
        for name in ("search_core.llm.chat", "openai.resources.chat"):
            import_module(name)

    def available(self) -> bool:
        """Return whether a model and an endpoint are set; does not ask it."""
        return bool(self._model and self._reachable)

    def can_transcribe(self) -> bool:
        """Return whether a model that turns speech into text is set; does not ask it."""
        return bool(self._transcription_model and self._reachable)

    def speaks(self) -> bool:
        """Return whether a model that reads aloud, and its voice, are set; does not ask it."""
        return bool(self._speech_model and self._voice and self._reachable)

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        """Return one or two Korean sentences on what a search result says."""
        if not self.available():
            raise model_error(Kind.NOT_SET, "No language model is set.", korean="요약할 모델이 설정되지 않았어요.")
        from search_core.llm.chat import check_summary, complete

        fence, asked = messages(result_title, snippet, source)
        answer = await complete(self._endpoint, self._model, asked)
        return check_summary(answer.text, f"{result_title} {snippet} {source}", fence)

    async def chat(self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None) -> AsyncGenerator[str]:
        """Yield the answer to *messages* piece by piece, without what the model thinks before it.

        An answer that breaks off ends in an error after all that came was yielded. The model may be silent for ``OPENAI_TIMEOUT``
        seconds, take six times as long in all and write 20 000 characters. Close the generator
        (``aclosing``) or cancel its task to end the request early.
        """
        if not self.available():
            raise model_error(Kind.NOT_SET, "No language model is set.", korean="답할 모델이 설정되지 않았어요.")
        from search_core.llm.chat import stream_chat

        async with aclosing(stream_chat(self._endpoint, self._model, messages, max_tokens)) as pieces:
            async for piece in pieces:
                yield piece

    async def complete(self, messages: Sequence[ChatMessage], schema: AnswerSchema, *, max_tokens: int) -> Completion:
        """Return the answer to *messages* in one piece, held to *schema* where the endpoint can do that; it may be no JSON.

        An endpoint that refuses the schema is asked once more without. The model may take six times ``OPENAI_TIMEOUT``.
        """
        if not self.available():
            raise model_error(Kind.NOT_SET, "No language model is set.", korean="답할 모델이 설정되지 않았어요.")

        from search_core.llm.chat import complete

        async def ask(form: AnswerSchema | None) -> Completion:
            seconds = self._endpoint.total_s
            return await complete(self._endpoint, self._model, messages, timeout_s=seconds, schema=form, max_tokens=max_tokens)

        if not self._takes_schemas:
            return await ask(None)
        try:
            return await ask(schema)
        except LanguageModelError as error:
            if error.kind is not Kind.REJECTED:
                raise
        answer = await ask(None)
        self._takes_schemas = False
        return replace(answer, requests=2)

    async def transcribe(self, name: str, data: bytes, language: str) -> str:
        """Return what is said in the audio file *data*, on one line; an empty text where nothing is said.

        The ending of *name* gives the format; the name is not sent. *data* is 25 MB at most. *language* is an ISO 639-1 code, or
        empty.
        """
        if not self.can_transcribe():
            raise model_error(Kind.NOT_SET, "No transcription model is set.", korean="음성을 받아 적을 모델이 설정되지 않았어요.")
        suffix = PurePath(name).suffix.lower()
        if suffix not in AUDIO_SUFFIXES:
            raise model_error(
                Kind.REJECTED, f"Audio of the kind {suffix!r} is not taken.", korean="이 형식의 음성은 받아 적을 수 없어요."
            )
        if not data:
            raise model_error(Kind.REJECTED, "The audio is empty.", korean="녹음된 소리가 없어요.")
        if len(data) > MAX_AUDIO_BYTES:
            raise model_error(
                Kind.REJECTED, "The audio is larger than 25 MB.", korean="음성이 25MB보다 커서 받아 적을 수 없어요."
            )
        import openai

        transcription: object = await self._endpoint.ask(
            lambda client: client.audio.transcriptions.create(
                file=(f"audio{suffix}", data),  # the user's own file name stays here
                model=self._transcription_model,
                language=language or openai.omit,
                response_format="json",
            ),
            max_bytes=_MAX_TRANSCRIPT_BYTES,
        )
        text = getattr(transcription, "text", None)
        if not isinstance(text, str):
            raise unreadable_answer("no text of the audio")
        return " ".join(text.split())

    async def speak(self, text: str) -> bytes:
        """Return *text*, 4096 characters at most, read aloud as MP3."""
        if not self.speaks():
            raise model_error(Kind.NOT_SET, "No speech model is set.", korean="소리로 읽을 모델이 설정되지 않았어요.")
        if not text.strip():
            raise model_error(Kind.REJECTED, "There is no text to read aloud.", korean="읽을 내용이 없어요.")
        if len(text) > MAX_SPOKEN_CHARS:
            raise model_error(
                Kind.REJECTED, "The text is too long to be read aloud.", korean="답이 너무 길어 소리로 읽을 수 없어요."
            )
        spoken = await self._endpoint.ask(
            lambda client: client.audio.speech.create(
                model=self._speech_model, voice=self._voice, input=text, response_format="mp3"
            ),
            max_bytes=_MAX_SPEECH_BYTES,
        )
        kind = spoken.response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not spoken.content or not (kind.startswith("audio/") or kind == "application/octet-stream"):
            raise unreadable_answer("no audio")
        return spoken.content
