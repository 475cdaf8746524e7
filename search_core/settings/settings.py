"""All settings of Maekrak, in one place: name, default, unit and meaning.

Values come, first match wins, from a mapping handed in (the pages hand in ``st.secrets``), the environment, a ``.env`` file and
the defaults below. Nothing else in the project reads the environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from search_core.errors import SettingsError
from search_core.settings.lists import (
    HostList,
    HostNames,
    Key,
    PostgresAddress,
    Rate,
    TokenList,
    WebAddress,
    hosts_with_ports,
    is_private_host,
    named_tokens,
    split_domains,
)

_LOGIN = re.compile(r"://[^/?#\s]*@")
_ENVIRONMENT_ONLY = frozenset({"reading_allow_private"})
"""Settings that open the operator's network are read from the environment alone, never from a mapping that a page passes."""


class Settings(BaseSettings):
    """Holds all settings of a deployment; frozen, secrets masked when printed."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True, case_sensitive=False, env_ignore_empty=True
    )

    maekrak_data_dir: Path = Field(Path("data"), description="Folder for cache, library and vectors.")

    web_search_timeout: float = Field(10.0, gt=0, le=120, description="Seconds one request to one search service may take.")
    web_search_deadline: float = Field(
        15.0,
        gt=0,
        le=300,
        description="Seconds until a search goes on with what has come; never less than `browser` may take, and a second.",
    )
    web_search_cache_ttl: int = Field(
        86_400, ge=0, description="Seconds an identical query is answered from the cache; 0 turns the cache off."
    )
    web_search_max_results: int = Field(
        10, ge=1, le=50, description="Results asked of each search service, and shown by default."
    )
    web_search_exclude_domains: str = Field("", description="Leave out results of these domains (comma between them).")
    web_search_fallback_enabled: bool = Field(
        True, description="Search the web when an answer about a video says that it is none."
    )
    search_providers: str = Field(
        "library,wikipedia,tavily,brave,naver,searxng,duckduckgo;google;browser",
        description="Search services by name: a comma joins services asked at the same time, a semicolon starts the next tier.",
    )
    web_scraper_timeout: float = Field(10.0, gt=0, le=120, description="Seconds fetching one web page to read may take.")
    reading_allow_private: HostList = Field(
        "",
        description="Hosts outside the public address space that pages may be read from, each with its port "
        "(intranet.example:8080, comma between them); only from the environment or `.env`.",
    )
    redis_url: SecretStr = Field(
        SecretStr(""), description="Redis for kept answers and search events (redis://host:6379/0); empty keeps both on disk."
    )
    operators: str = Field("", description="Verified addresses of users who see everybody's queries (comma between them).")

    database_url: PostgresAddress = Field(
        SecretStr(""),
        description="PostgreSQL database for conversations, research and the library (postgresql://user:password@host/name); "
        "empty keeps them in files of the data folder.",
    )
    max_search_results: int = Field(10, ge=1, le=50, description="Sources a research run takes from the searches of one subtask.")
    research_runs_at_once: int = Field(3, ge=1, le=100, description="Research runs one process works on at the same time.")
    research_works_here: bool = Field(
        True,
        description="Research and check videos in the process of the pages; false leaves that to workers (`make worker`).",
    )

    allowed_hosts: HostNames = Field(
        "",
        description="Names the pages are served under, for a proxy in front of them (comma between them, `*.example.com` for all "
        "below); this machine's own and plain addresses always count.",
    )
    api_tokens: TokenList = Field(
        SecretStr(""),
        description="Bearer tokens of the HTTP API, each name:token (comma between them); empty answers callers on this machine "
        "only.",
    )
    api_rate_limit: Rate = Field(
        "60/minute",
        description="Requests one caller of the HTTP API may make of one process, as in 60/minute or 5/second; none sets no "
        "limit.",
    )

    library_samples: bool = Field(True, description="Keep the sample documents that ship with the app in the library.")

    tavily_api_key: Key = Field(SecretStr(""), description="Tavily key (tvly-…).")
    tavily_base_url: WebAddress = Field("https://api.tavily.com", description="Address of the Tavily API.")
    brave_search_api_key: Key = Field(SecretStr(""), description="Brave Search API key.")
    brave_base_url: WebAddress = Field("https://api.search.brave.com", description="Address of the Brave Search API.")
    naver_client_id: Key = Field(SecretStr(""), description="Naver client ID, of NAVER API HUB.")
    naver_client_secret: Key = Field(SecretStr(""), description="Naver client secret.")
    naver_base_url: WebAddress = Field("https://naverapihub.apigw.ntruss.com", description="Address of the Naver search API.")
    google_custom_search_api_key: Key = Field(
        SecretStr(""), description="Google Custom Search key; closed to new customers, ends 2027-01-01."
    )
    google_custom_search_engine_id: str = Field("", description="Google Programmable Search Engine ID (cx).")
    google_custom_search_base_url: WebAddress = Field(
        "https://customsearch.googleapis.com", description="Address of the Google Custom Search API."
    )
    playwright_timeout: int = Field(
        10_000, ge=1_000, le=120_000, description="Milliseconds one search in the browser may take; 15000 allows 15 seconds."
    )
    playwright_search_url: str = Field("https://html.duckduckgo.com/html/", description="Search page the browser opens.")

    searxng_url: WebAddress = Field("", description="Address of your SearXNG instance; empty turns it off.")
    ddgs_proxy: str = Field("", description="Proxy for DuckDuckGo requests (http, https or socks5 address).")
    wikipedia_base_url: WebAddress = Field(
        "https://{language}.wikipedia.org", description="Wikipedia address; {language} is replaced by ko, en, …."
    )
    wikipedia_contact: str = Field(
        "",
        description="Contact address Wikimedia requires in the User-Agent of automated clients; empty says so in the User-Agent.",
    )

    youtube_oembed_url: WebAddress = Field("https://www.youtube.com/oembed", description="Address of the YouTube oEmbed service.")
    youtube_proxy: str = Field("", description="Proxy for whatever YouTube is asked; it blocks most cloud addresses.")
    proxy_ca_file: str = Field(
        "", description="PEM file of extra certificate authorities for DDGS_PROXY and YOUTUBE_PROXY, or a proxy nobody names."
    )

    embedding_model: str = Field(
        "intfloat/multilingual-e5-small",
        description="Model name or folder; the default ships with the app, others are of sentence-transformers "
        "(`make models EMBEDDING_MODEL=name`). `kiwi` uses the embedded scorer only.",
    )

    entailment_model: str = Field(
        "",
        description="Name or folder of a cross-encoder of sentence-transformers that reads whether sources bear statements out "
        "(`make models ENTAILMENT_MODEL=name`); empty uses the one that ships.",
    )

    relevance_threshold: float = Field(0.05, ge=0, le=1, description="Default threshold below which results are hidden.")
    search_history: bool = Field(True, description="Keep searches with the labels of their results.")

    openai_api_key: Key = Field(SecretStr(""), description="Key of an OpenAI-compatible endpoint; any text for local servers.")
    openai_base_url: WebAddress = Field(
        "", description="Address of the endpoint, ending in /v1; empty means api.openai.com when a key is set."
    )
    openai_model: str = Field(
        "",
        description="Model that answers about videos and writes Korean summaries; empty answers and summarises by quoting.",
    )
    openai_timeout: float = Field(
        90.0,
        gt=0,
        le=600,
        description="Seconds until a model's answer begins, or comes whole; one that is being written may pause for a third of "
        "that and take six times that.",
    )
    local_models: Literal["ask", "never"] = Field(
        "ask",
        description="Whether model servers on this machine (Ollama, LM Studio, llama.cpp, vLLM at their usual ports) are looked "
        "for at start and offered on the page: ask, or never; only where no endpoint is set.",
    )
    openai_writes_queries: bool = Field(
        True, description="Have the model of OPENAI_MODEL write one more search query from the question and its video."
    )
    openai_own_documents: Literal["auto", "always", "never"] = Field(
        "auto",
        description="Whether documents of the library may be sent to that endpoint: always, never, or auto, which sends them to "
        "an endpoint on this machine or in a private network only.",
    )
    openai_transcription_model: str = Field(
        "",
        description="Model that turns the speech of videos and recordings into text at the same endpoint; empty turns it off.",
    )

    whisper_model: str = Field(
        "",
        description="Model of faster-whisper (`make whisper`) that transcribes where no endpoint does: a name that was "
        "downloaded, or a folder; empty turns it off.",
    )

    @classmethod
    def from_env(cls, secrets: Mapping[str, Any] | None = None) -> Self:
        """Return the settings of this process, *secrets* first; raises SettingsError naming each that cannot be used."""
        fields = cls.model_fields.keys() - _ENVIRONMENT_ONLY
        given: dict[str, Any] = {key.lower(): value for key, value in (secrets or {}).items() if key.lower() in fields}
        try:
            return cls(**given)
        except UnicodeDecodeError:
            path = cls.model_config["env_file"]
            korean = f"설정 파일 {path}의 글자를 읽을 수 없어요. UTF-8로 저장해 주세요."
            raise SettingsError(f"{path} is not UTF-8.", korean=korean) from None
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(str(part) for part in problem['loc']).upper()}: {problem['msg']}"
                for problem in error.errors(include_input=False)
            )
            raise SettingsError(
                f"Settings that cannot be used: {problems}", korean=f"사용할 수 없는 설정이 있어요: {problems}"
            ) from None

    def __repr_args__(self) -> Iterator[tuple[str | None, object]]:
        """Yield the printed fields: keys are masked, and addresses lack their login."""
        for name, value in super().__repr_args__():
            yield name, _LOGIN.sub("://***@", value) if isinstance(value, str) else value

    def text_of(self, name: str) -> str:
        """Return the value of the setting *name*, in any case, as plain text, secrets included."""
        value = getattr(self, name.lower())
        return str(value.get_secret_value() if isinstance(value, SecretStr) else value).strip()

    @property
    def exclude_domains(self) -> tuple[str, ...]:
        """Return the domains of WEB_SEARCH_EXCLUDE_DOMAINS, in lower case."""
        return split_domains(self.web_search_exclude_domains)

    @property
    def local_model_file(self) -> Path:
        """Return the file that stores a visitor's choice of a local model."""
        return self.maekrak_data_dir / "local_model.json"

    @property
    def may_send_own_documents(self) -> bool:
        """Return whether texts of the library may be sent to the language model (OPENAI_OWN_DOCUMENTS)."""
        if self.openai_own_documents == "auto":
            return is_private_host(self.openai_base_url)
        return self.openai_own_documents == "always"

    @property
    def private_hosts(self) -> frozenset[tuple[str, int]]:
        """Return the hosts and ports of READING_ALLOW_PRIVATE, hosts in lower case, IPv6 addresses without brackets."""
        return hosts_with_ports(self.reading_allow_private)

    @property
    def tokens(self) -> Mapping[str, str]:
        """Return the names of API_TOKENS by their tokens."""
        return named_tokens(self.api_tokens)

    @property
    def provider_tiers(self) -> tuple[tuple[str, ...], ...]:
        """Return the provider names by tier from SEARCH_PROVIDERS; without Bing, whose API v7 ended on 2025-08-11."""
        tiers = (tuple(name.strip() for name in tier.split(",") if name.strip()) for tier in self.search_providers.split(";"))
        return tuple(tier for tier in tiers if tier)
