"""Settings of the order under a name, as a small file that is exported and imported."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from search_core.domain import RankingOptions, RankingWeights
from search_core.domain.text_limits import PROFILE_NAME
from search_core.errors import InputError, check_length

MAX_PROFILE_BYTES = 16_384
_FORM = "maekrak-ranking-profile"
_Weight = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Holds settings of the order under a name."""

    name: str
    """Of one character at least."""
    ranking: RankingOptions


class _Weights(BaseModel):
    model_config = ConfigDict(extra="forbid")

    semantic_video: _Weight
    semantic_question: _Weight
    lexical: _Weight
    entity: _Weight
    recency: _Weight
    agreement: _Weight


class _Ranking(BaseModel):
    model_config = ConfigDict(extra="forbid")

    threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    entity_first: bool
    max_results: Annotated[int, Field(ge=1, le=50)]
    weights: _Weights


class _File(BaseModel):
    form: Annotated[str, Field(pattern=f"^{_FORM}$")]
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    ranking: _Ranking


def profile_json(profile: Profile) -> str:
    """Return *profile* as the text of a file."""
    body = {"form": _FORM, "name": profile.name, "ranking": asdict(profile.ranking)}
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def read_profile(data: bytes) -> Profile:
    """Return the profile in a file; raises InputError where it is none, naming the first thing that is wrong."""
    if len(data) > MAX_PROFILE_BYTES:
        raise InputError(
            f"The profile is larger than {MAX_PROFILE_BYTES} bytes.", korean="프로필 파일이 너무 커요. 16KB까지 읽을 수 있어요."
        )
    try:
        file = _File.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "JSON"
        raise InputError(
            f"The file is no profile: '{place}': {first['msg']}.", korean=f"프로필 파일이 아니에요. '{place}' 값을 확인해 주세요."
        ) from None
    check_length(PROFILE_NAME, file.name)
    weights = RankingWeights(**file.ranking.weights.model_dump())
    return Profile(
        name=file.name,
        ranking=RankingOptions(
            threshold=file.ranking.threshold,
            entity_first=file.ranking.entity_first,
            max_results=file.ranking.max_results,
            weights=weights,
        ),
    )
