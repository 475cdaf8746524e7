"""Options of searches as the settings ask for them."""

from __future__ import annotations

from pathlib import Path

from search_core.domain import RankingOptions, SearchOptions
from search_core.errors import InputError, SettingsError
from search_core.evaluation.profile import Profile, read_profile
from search_core.settings import Settings


def default_options(settings: Settings) -> SearchOptions:
    """Return the options of a search as *settings* ask for them."""
    if settings.ranking_profile:
        return SearchOptions(ranking=_profile_of(settings).ranking)
    return SearchOptions(
        ranking=RankingOptions(threshold=settings.relevance_threshold, max_results=settings.web_search_max_results)
    )


def _profile_of(settings: Settings) -> Profile:
    """Return the profile that RANKING_PROFILE names; raises SettingsError where there is none."""
    try:
        return read_profile(Path(settings.ranking_profile).read_bytes())
    except (OSError, ValueError, InputError) as error:
        raise SettingsError(
            f"RANKING_PROFILE cannot be read: {error}",
            korean="RANKING_PROFILE에 적은 프로필 파일을 읽지 못했어요. 경로와 내용을 확인해 주세요.",
        ) from None
