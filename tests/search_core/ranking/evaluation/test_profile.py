"""Settings of the order under a name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from search_core.domain import RankingOptions, RankingWeights
from search_core.errors import InputError
from search_core.ranking.evaluation.profile import MAX_PROFILE_BYTES, Profile, profile_json, read_profile

PROFILE = Profile(name="뉴스", ranking=RankingOptions(threshold=0.42, entity_first=False, weights=RankingWeights(recency=0.5)))


def changed(**changes: Any) -> bytes:
    body = json.loads(profile_json(PROFILE))
    body["ranking"].update(changes)
    return json.dumps(body).encode()


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"", "JSON"), (b"{}", "form"), (changed(threshold=35), "ranking.threshold"), (changed(colour="red"), "ranking.colour")],
)
def test_a_file_that_is_no_profile_is_named(data: bytes, place: str):
    """What is wrong is said with its place, in English and Korean."""
    with pytest.raises(InputError, match=place) as caught:
        read_profile(data)
    assert "프로필 파일이 아니에요" in caught.value.korean


def test_a_profile_comes_back_as_it_went():
    """An exported profile is imported unchanged; a file or a name beyond its limit is refused with the limit."""
    assert read_profile(profile_json(PROFILE).encode()) == PROFILE
    with pytest.raises(InputError, match=str(MAX_PROFILE_BYTES)):
        read_profile(b" " * (MAX_PROFILE_BYTES + 1))
    with pytest.raises(InputError, match=r"profile\.name has 61 characters; at most 60"):
        read_profile(profile_json(replace(PROFILE, name="a" * 61)).encode())
