"""Settings of the endpoint of language models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

from search_core.settings.lists import Key, WebAddress


class LanguageModelSettings(BaseSettings):
    """Holds what a deployer can change about language models, speech among them; part of ``Settings``."""

    openai_api_key: Key = Field(SecretStr(""), description="Key of an OpenAI-compatible endpoint; any text for local servers.")
    openai_base_url: WebAddress = Field(
        "", description="Address of the endpoint, ending in /v1; empty means api.openai.com when a key is set."
    )
    openai_model: str = Field(
        "",
        description="Model that answers about videos and writes Korean summaries; empty answers and summarises by quoting.",
    )
    openai_timeout: float = Field(
        20.0,
        gt=0,
        le=600,
        description="Seconds one model request may take; a streamed answer may be silent for so long and take six times that.",
    )
    openai_own_documents: Literal["auto", "always", "never"] = Field(
        "auto",
        description="Whether documents of the library may be sent to that endpoint: always, never, or auto, which sends them to "
        "an endpoint on this machine or in a private network only.",
    )
    openai_judges_sources: bool = Field(
        True,
        description="Have that model judge, too, how sources stand to what is checked where rules and the model of meaning leave "
        "it open: one request more for a claim, up to four for an answer; false asks it for prose only.",
    )
    openai_transcription_model: str = Field(
        "",
        description="Model that turns speech into text at the same endpoint; empty turns spoken questions and transcripts off.",
    )
    openai_speech_model: str = Field("", description="Model that reads answers aloud at the same endpoint; empty turns it off.")
    openai_speech_voice: str = Field("", description="Voice of that model, as the endpoint names it; empty turns it off.")
