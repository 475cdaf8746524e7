"""Frozen nouns as JSON that a database takes, read again by versions that know more or fewer fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from search_core.domain import TranscriptSegment, VideoContext
from search_core.text.json_slices import SLICE, read_json, slices, write_json

T = TypeVar("T")
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_SEGMENTS = TypeAdapter(tuple[TranscriptSegment, ...])
_TO_VIDEO = ("video", "request")
"""Fields by which a run or a request leads to its video."""


class JsonCodec(Generic[T]):
    """Writes and reads one kind of dataclass; fields without a default are known when it is read.

    A long transcript is written and read in slices: pydantic holds Python's lock, and with it every thread, to its end.
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def write(self, value: T) -> Any:
        """Return *value* as plain JSON values; letters that no database keeps become U+FFFD."""
        said: list[tuple[TranscriptSegment, ...]] = []
        bare = _change_video(value, lambda video: _without_transcript(video, said))
        written = self._adapter.dump_python(bare, mode="json")
        if said:
            segments = [each for part in slices(said[0]) for each in _SEGMENTS.dump_python(tuple(part), mode="json")]
            written = _change_mapping(written, lambda video: {**video, "transcript": segments})
        return _storable(written)

    def read(self, stored: Any, **known: Any) -> tuple[T, bool]:
        """Return what ``write`` wrote, and whether all of it could be read.

        Unknown fields are passed over, missing ones and those that cannot be read are as *known*, or have their defaults.
        """
        said: list[tuple[TranscriptSegment, ...]] = []
        try:
            bare = _change_mapping(stored, lambda video: _without_segments(video, said))
            value = self._adapter.validate_python(bare)
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors(include_url=False, include_input=False) if problem["loc"]}
        else:
            return (_change_video(value, lambda video: replace(video, transcript=said[0])) if said else value), True
        readable = {name: value for name, value in stored.items() if name not in wrong} if isinstance(stored, Mapping) else {}
        return self._adapter.validate_python(known | readable), False

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        return TypeAdapter(self._kind)


def storable_text(text: str) -> str:
    """Return *text* with U+FFFD for NUL and for halves of letters, which neither PostgreSQL nor SQLite takes."""
    try:
        text.encode()
    except UnicodeEncodeError:  # two halves side by side become the letter they are of
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", _REPLACED)


def json_text(value: Any) -> str:
    """Return *value* as the JSON text that is stored."""
    return write_json(value)


def json_value(text: str) -> Any:
    """Return what JSON *text* says; text that is no JSON comes back as it is, so that one row does not hide the others."""
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        return text


def _change_video(value: Any, change: Callable[[VideoContext], VideoContext]) -> Any:
    """Return *value* with its video as *change* makes it, or *value* itself where it leads to none."""
    if isinstance(value, VideoContext):
        return change(value)
    for name in _TO_VIDEO:
        if (inner := getattr(value, name, None)) is not None:
            return replace(value, **{name: _change_video(inner, change)})
    return value


def _change_mapping(written: Any, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Any:
    """Do the same to what is written of it."""
    if not isinstance(written, Mapping):
        return written
    if "transcript" in written:
        return change(written)
    for name in _TO_VIDEO:
        if isinstance(inner := written.get(name), Mapping):
            return {**written, name: _change_mapping(inner, change)}
    return written


def _without_transcript(video: VideoContext, said: list[tuple[TranscriptSegment, ...]]) -> VideoContext:
    """Return *video* without a long transcript, which is put into *said*."""
    if len(video.transcript) <= SLICE:
        return video
    said.append(video.transcript)
    return replace(video, transcript=())


def _without_segments(video: Mapping[str, Any], said: list[tuple[TranscriptSegment, ...]]) -> Mapping[str, Any]:
    """Do the same to what is written of it, unless its segments cannot be read."""
    written = video["transcript"]
    if not isinstance(written, list) or len(written) <= SLICE:
        return video
    try:
        said.append(tuple(segment for part in slices(written) for segment in _SEGMENTS.validate_python(part)))
    except ValidationError:
        return video
    return {**video, "transcript": []}


def _storable(value: Any) -> Any:
    match value:
        case str():
            return storable_text(value)
        case dict():
            return {name: _storable(each) for name, each in value.items()}
        case list():
            return [_storable(each) for each in value]
        case float() if not math.isfinite(value):
            return str(value)  # JSON has no word for it; pydantic reads the text as the number again
        case _:
            return value
