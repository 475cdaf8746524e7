"""Handed-in files that once held readers up: each ends in time, read or with a typed error.

Small files are read here, large ones in a process of their own, as the app reads all of them. ``make hostile`` takes larger files
and more examples (HOSTILE_BYTES, HOSTILE_EXAMPLES).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from search_core.domain.video import VideoContext
from search_core.errors import DocumentReadError, MaekrakError, PageReadError, VideoReadError
from search_core.language.web_address import web_address
from search_core.reading.documents import LIMIT_S as DOCUMENT_LIMIT_S
from search_core.reading.documents import FoundFile, parse_document, read_document
from search_core.reading.public_address import AddressRule
from search_core.video.address import youtube_video_id
from search_core.video.readers import LIMIT_S, read_upload
from search_core.video.upload import VideoUpload, parse_file
from tests.hostile.hostile_uploads import ASS_HEAD, HOSTILE_DOCUMENTS, HOSTILE_FILES, TTML_HEAD, ttml

BYTES = int(os.environ.get("HOSTILE_BYTES", "100000"))
EXAMPLES = int(os.environ.get("HOSTILE_EXAMPLES", "60"))
START_S = 60.0
"""Room for the start of a process."""
SMALL_BYTES = 1_000_000
"""Files up to this size are read well within the limit of time; larger ones may be refused for it."""

VIDEO_ENDINGS = (".srt", ".vtt", ".smi", ".sami", ".ass", ".ssa", ".ttml", ".json", ".info.json", ".txt", ".bin", "")
DOCUMENT_ENDINGS = (".txt", ".md", ".html", ".pdf")
WORDS = (
    "1 --> {\\i1} { } <SAMI> 1000> x> <!-- --> <![ </BODY> &amp; &# &#1114112; [Events]\n 0,0:00:01.00, , <p </p> <br/> "
    '{" ": {} [] [ ] " null 1e999 -1 NaN \\ud800 <html> <p> \x00 \ufeff \u202e'
)
PIECES = (
    *WORDS.split(" "),
    *("WEBVTT\n\n", "00:00:01,000 --> 00:00:02,000\n", "가나 말해요", "\n\n", "\n", "<v Kim>", "<v ", "<SYNC Start=", "\u3000"),
    *(
        "<P Class=KRCC>",
        ASS_HEAD,
        "Dialogue: ",
        TTML_HEAD,
        '<p begin="x" end="10f">',
        '{"_type": {}}',
        '{"title": "가", "_type": []}',
    ),
    *("%PDF-1.7\n", "---\ntitle: a\n---\n", "# 제목", "김하나 00:12\n", "0:05 "),
)
structured = st.lists(st.sampled_from(PIECES), max_size=40).map(lambda pieces: "".join(pieces).encode("utf-8", "surrogatepass"))
contents = structured | st.binary(max_size=400) | structured.map(lambda data: data.decode("utf-8", "replace").encode("utf-16"))
bounded = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def check_sentence(error: MaekrakError) -> None:
    assert str(error)
    assert error.korean.endswith("요.")


def assert_read_in_time(read: Callable[[], object], limit_s: float) -> None:
    """Hold that *read* ends in time, read or refused with what is wrong; small files never for their time."""
    small = BYTES <= SMALL_BYTES
    clock = time.process_time if small else time.monotonic
    begun, refusal = clock(), None
    try:
        read()
    except MaekrakError as error:
        refusal = error
    assert clock() - begun < limit_s + (0 if small else START_S)
    if refusal is not None:
        check_sentence(refusal)
        assert "broke the program" not in str(refusal)
        assert not (small and "to read" in str(refusal))


@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_no_file_holds_a_reader(name: str):
    """A file of each hostile class is read, or refused with what is wrong with it, within the limit of its reader."""
    ending, make = HOSTILE_FILES[name]
    upload = VideoUpload(f"file{ending}", make(BYTES).encode())
    read = partial(read_upload, upload.name, upload.data) if BYTES > SMALL_BYTES else partial(parse_file, upload)
    assert_read_in_time(read, LIMIT_S)


@pytest.mark.parametrize("name", HOSTILE_DOCUMENTS)
def test_no_document_holds_a_reader(name: str, tmp_path: Path):
    """A document of each hostile class is read, or refused with what is wrong with it, within the limit of its reader."""
    ending, make = HOSTILE_DOCUMENTS[name]
    path = tmp_path / f"file{ending}"
    path.write_text(make(BYTES), encoding="utf-8")
    read = read_document if BYTES > SMALL_BYTES else parse_document
    assert_read_in_time(partial(read, FoundFile(path, "library:file")), DOCUMENT_LIMIT_S)


@bounded
@given(st.sampled_from(VIDEO_ENDINGS), contents, st.none() | st.tuples(st.sampled_from(["a.srt", "a.info.json"]), contents))
def test_any_bytes_are_a_video_or_a_typed_error(ending: str, data: bytes, companion: tuple[str, bytes] | None):
    """Whatever a file with a known ending holds, it is a video, or VideoReadError with a Korean sentence."""
    try:
        assert isinstance(parse_file(VideoUpload(f"file{ending}", data, companion)), VideoContext)
    except VideoReadError as error:
        check_sentence(error)


@bounded
@given(ending=st.sampled_from(DOCUMENT_ENDINGS), data=contents)
def test_any_bytes_are_documents_or_a_typed_error(tmp_path_factory: pytest.TempPathFactory, ending: str, data: bytes):
    """Whatever a document holds, it has a text, or DocumentReadError says in Korean why not."""
    path = tmp_path_factory.getbasetemp() / f"file{ending}"
    path.write_bytes(data)
    try:
        assert parse_document(FoundFile(path, "library:file")).text
    except DocumentReadError as error:
        check_sentence(error)


HOSTS = st.lists(st.sampled_from([*"-x.ß١%[]@:\u202e\x00", "xn--", "xn--zca", "ab--c", "a" * 64, "80", "한글"]), max_size=8).map(
    "".join
)
addresses = st.builds(
    lambda scheme, host, path: f"{scheme}{host}{path}",
    st.sampled_from(["http://", "https://", "//", ""]),
    HOSTS,
    st.text(max_size=8),
)


@settings(bounded, max_examples=10 * EXAMPLES)
@given(addresses | st.text(max_size=60))
def test_any_text_is_an_address_or_a_typed_error(text: str):
    """Whatever is given as an address is one with a host, or PageReadError; the others say that it is none."""
    try:
        checked = AddressRule().check_url(text)
    except PageReadError as error:
        check_sentence(error)
    else:
        assert isinstance(checked, httpx2.URL)
        assert checked.host
    web_address(text)
    youtube_video_id(text)


def test_a_time_that_cannot_be_read_is_put_right():
    """A TTML paragraph whose times cannot be read keeps its words."""
    for time_text in ("x", "", "99999999999h", "1:2:3:4"):
        video = parse_file(VideoUpload("a.ttml", ttml("말이 있어요", time_text, time_text).encode()))
        assert [(segment.text, segment.start_s >= 0) for segment in video.transcript] == [("말이 있어요", True)], time_text
