"""All settings of Maekrak, in one place: name, default, unit and meaning.

Values come, first match wins, from a mapping handed in (the pages hand in ``st.secrets``), the environment, a ``.env`` file
and the defaults below. Nothing else in the project reads the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from search_core.errors import SettingsError


class Settings(BaseSettings):
    """Holds what a deployer can change; frozen, secrets masked when printed."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True, case_sensitive=False, env_ignore_empty=True
    )

    maekrak_data_dir: Path = Field(Path("data"), description="Folder for cache, library and vectors.")
    maekrak_log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Least severe level written to the log."
    )

    web_search_timeout: float = Field(10.0, gt=0, le=120, description="Seconds one request to one search service may take.")
    web_search_deadline: float = Field(
        15.0, gt=0, le=300, description="Seconds a whole search may take before partial results are shown."
    )
    web_search_cache_ttl: int = Field(
        86_400, ge=0, description="Seconds an identical query is answered from the cache; 0 turns the cache off."
    )
    web_search_max_results: int = Field(
        10, ge=1, le=50, description="Results asked of each search service, and shown by default."
    )
    search_providers: str = Field(
        "library,wikipedia,searxng,duckduckgo",
        description="Search services by name: a comma joins services asked at the same time, a semicolon starts the next tier.",
    )

    library_samples: bool = Field(True, description="Keep the sample documents that ship with the app in the library.")

    searxng_url: str = Field("", description="Address of your SearXNG instance; empty turns it off.")
    duckduckgo_backend: str = Field(
        "duckduckgo", description="Backend of the ddgs package that is asked; only this one receives the query."
    )
    duckduckgo_region: str = Field("kr-kr", pattern=r"^[a-z]{2}-[a-z]{2}$", description="DuckDuckGo region, country-language.")
    ddgs_proxy: str = Field("", description="Proxy for DuckDuckGo requests (http, https or socks5 address).")
    ddgs_ca_file: str = Field("", description="PEM file of extra certificate authorities for that proxy.")
    wikipedia_base_url: str = Field(
        "https://{language}.wikipedia.org", description="Wikipedia address; {language} is replaced by ko, en, …."
    )
    wikipedia_languages: str = Field("ko,en", description="Wikipedia languages asked, best first.")
    wikipedia_contact: str = Field(
        "",
        description="Contact address Wikimedia requires in the User-Agent of automated clients; empty says so in the User-Agent.",
    )

    youtube_api_key: SecretStr = Field(
        SecretStr(""), description="YouTube Data API key; optional, adds description and publish date."
    )
    youtube_data_base_url: str = Field("https://www.googleapis.com/youtube/v3", description="Address of the YouTube Data API.")
    youtube_oembed_url: str = Field("https://www.youtube.com/oembed", description="Address of the YouTube oEmbed service.")
    youtube_proxy: str = Field("", description="Proxy for transcripts and yt-dlp; YouTube blocks most cloud addresses.")
    youtube_ca_file: str = Field("", description="PEM file of extra certificate authorities for that proxy.")

    openai_api_key: SecretStr = Field(
        SecretStr(""), description="Key of an OpenAI-compatible endpoint; any text for local servers."
    )
    openai_base_url: str = Field(
        "", description="Address of the endpoint, ending in /v1; empty means api.openai.com when a key is set."
    )
    openai_model: str = Field("", description="Model that writes Korean summaries; empty turns model summaries off.")
    openai_timeout: float = Field(20.0, gt=0, le=600, description="Seconds one model request may take.")

    embedding_model: str = Field(
        "intfloat/multilingual-e5-small",
        description="sentence-transformers model name or folder; `kiwi` uses the embedded scorer only.",
    )
    embedding_allow_download: bool = Field(False, description="Allow downloading the model when it is not on this machine.")

    relevance_threshold: float = Field(0.35, ge=0, le=1, description="Default threshold below which results are hidden.")

    @field_validator("searxng_url", "openai_base_url", "wikipedia_base_url", "youtube_data_base_url", "youtube_oembed_url")
    @classmethod
    def _is_web_address(cls, value: str) -> str:
        value = value.strip().rstrip("/")
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value

    @classmethod
    def from_env(cls, secrets: Mapping[str, Any] | None = None) -> Self:
        """Return the settings of this process, *secrets* first.

        Raises SettingsError naming each setting that cannot be used.
        """
        known = set(cls.model_fields)
        given = {key.lower(): value for key, value in (secrets or {}).items() if key.lower() in known}
        try:
            return cls(**given)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(str(part) for part in problem['loc']).upper()}: {problem['msg']}"
                for problem in error.errors(include_input=False)
            )
            raise SettingsError(
                f"Settings that cannot be used: {problems}", korean=f"사용할 수 없는 설정이 있어요: {problems}"
            ) from None

    @property
    def provider_tiers(self) -> tuple[tuple[str, ...], ...]:
        """Return the provider names tier by tier, as SEARCH_PROVIDERS has them."""
        tiers = (tuple(name.strip() for name in tier.split(",") if name.strip()) for tier in self.search_providers.split(";"))
        return tuple(tier for tier in tiers if tier)
