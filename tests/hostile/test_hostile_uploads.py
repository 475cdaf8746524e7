"""Handed-in files that once held readers up: each ends in time, read or with a typed error.

``make hostile`` takes larger files and more examples (HOSTILE_BYTES, HOSTILE_EXAMPLES).
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from search_core.domain import VideoContext
from search_core.errors import DocumentReadError, MaekrakError, PageReadError, VideoReadError
from search_core.reading import FoundFile, parse_documents, read_documents
from search_core.reading.document_reading import LIMIT_S as DOCUMENT_LIMIT_S
from search_core.reading.public_address import AddressRule
from search_core.video import GivenFile, read_upload, youtube_video_id
from search_core.video.file_reading import LIMIT_S
from search_core.video.upload import parse_file
from search_core.web_address import web_address
from tests.hostile.hostile_uploads import ASS_HEAD, HOSTILE_DOCUMENTS, HOSTILE_FILES, TTML_HEAD, ttml

BYTES = int(os.environ.get("HOSTILE_BYTES", "100000"))
EXAMPLES = int(os.environ.get("HOSTILE_EXAMPLES", "60"))
START_S = 60.0
"""Room for the start of a process."""
SMALL_BYTES = 1_000_000
"""Files up to this size are read well within the limit of time; larger ones may be refused for it."""

VIDEO_ENDINGS = (".srt", ".vtt", ".smi", ".sami", ".ass", ".ssa", ".ttml", ".json", ".info.json", ".txt", ".bin", "")
DOCUMENT_ENDINGS = (".txt", ".md", ".html", ".srt", ".vtt", ".json", ".jsonl", ".pdf")
PIECES = (
    *(
        "WEBVTT\n\n",
        "00:00:01,000 --> 00:00:02,000\n",
        "1\n",
        "--> ",
        "가나 말해요",
        "\n\n",
        "\n",
        "<v Kim>",
        "<v ",
        "{\\i1}",
        "{",
        "}",
    ),
    *("<SAMI>", "<SYNC Start=", "1000>", "x>", "<P Class=KRCC>", "<!--", "-->", "<![", "</BODY>", "&amp;", "&#", "&#1114112;"),
    *(ASS_HEAD, "[Events]\n", "Dialogue: ", "0,0:00:01.00,", ",", TTML_HEAD, '<p begin="x" end="10f">', "<p", "</p>", "<br/>"),
    *(
        '{"',
        '":',
        "{}",
        "[]",
        "[",
        "]",
        '"',
        '{"_type": {}}',
        '{"title": "가", "_type": []}',
        "null",
        "1e999",
        "-1",
        "NaN",
        "\\ud800",
    ),
    *(
        "%PDF-1.7\n",
        "---\ntitle: a\n---\n",
        "# 제목",
        "<html>",
        "<p>",
        "김하나 00:12\n",
        "0:05 ",
        "\x00",
        "\ufeff",
        "\u3000",
        "\u202e",
    ),
)
structured = st.lists(st.sampled_from(PIECES), max_size=40).map(lambda pieces: "".join(pieces).encode("utf-8", "surrogatepass"))
contents = structured | st.binary(max_size=400) | structured.map(lambda data: data.decode("utf-8", "replace").encode("utf-16"))
bounded = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def check_sentence(error: MaekrakError) -> None:
    assert str(error)
    assert error.korean.endswith("요.")


@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_no_file_holds_a_reader(name: str):
    """A file of each hostile class is read, or refused with what is wrong with it; small ones never for their time."""
    ending, make = HOSTILE_FILES[name]
    data = make(BYTES).encode()
    begun = time.monotonic()
    outcome: VideoContext | VideoReadError
    try:
        outcome = read_upload(f"file{ending}", data)
    except VideoReadError as error:
        outcome = error
    assert time.monotonic() - begun < LIMIT_S + START_S
    if isinstance(outcome, VideoReadError):
        assert outcome.korean.endswith("요.")
        assert "broke the program" not in str(outcome)
        if BYTES <= SMALL_BYTES:
            assert "to read" not in str(outcome)


@pytest.mark.parametrize("name", HOSTILE_DOCUMENTS)
def test_no_document_holds_a_reader(name: str, tmp_path: Path):
    """A document of each hostile class is read, or refused with what is wrong with it; small ones never for their time."""
    ending, make = HOSTILE_DOCUMENTS[name]
    path = tmp_path / f"file{ending}"
    path.write_text(make(BYTES), encoding="utf-8")
    begun = time.monotonic()
    outcome: object
    try:
        outcome = read_documents(FoundFile(path, "library:file"))
    except DocumentReadError as error:
        outcome = error
    assert time.monotonic() - begun < DOCUMENT_LIMIT_S + START_S
    if isinstance(outcome, DocumentReadError):
        check_sentence(outcome)
        assert "broke the program" not in str(outcome)
        if BYTES <= SMALL_BYTES:
            assert "to read" not in str(outcome)


@bounded
@given(st.sampled_from(VIDEO_ENDINGS), contents, st.none() | st.tuples(st.sampled_from(["a.srt", "a.info.json"]), contents))
def test_any_bytes_are_a_video_or_a_typed_error(ending: str, data: bytes, companion: tuple[str, bytes] | None):
    """Whatever a file with a known ending holds, it is a video, or VideoReadError with a Korean sentence."""
    try:
        assert isinstance(parse_file(GivenFile(f"file{ending}", data, companion)), VideoContext)
    except VideoReadError as error:
        check_sentence(error)


@bounded
@given(ending=st.sampled_from(DOCUMENT_ENDINGS), data=contents)
def test_any_bytes_are_documents_or_a_typed_error(tmp_path_factory: pytest.TempPathFactory, ending: str, data: bytes):
    """Whatever a document holds, it has a text, or DocumentReadError says in Korean why not."""
    path = _scratch(tmp_path_factory) / f"file{ending}"
    path.write_bytes(data)
    try:
        assert all(document.text for document in parse_documents(FoundFile(path, "library:file")))
    except DocumentReadError as error:
        check_sentence(error)


def _scratch(factory: pytest.TempPathFactory) -> Path:
    return factory.getbasetemp()


HOSTS = st.lists(
    st.sampled_from(
        ["-", "x", "xn--", "xn--zca", ".", "ab--c", "ß", "a" * 64, "١", "%", "[", "]", "@", ":", "80", "한글", "‮", "\x00"]
    ),
    max_size=8,
).map("".join)
addresses = st.builds(
    lambda scheme, host, path: f"{scheme}{host}{path}",
    st.sampled_from(["http://", "https://", "//", ""]),
    HOSTS,
    st.text(max_size=8),
)


@settings(bounded, max_examples=10 * EXAMPLES)
@given(addresses | st.text(max_size=60))
def test_any_text_is_an_address_or_a_typed_error(text: str):
    """Whatever stands as an address is one, whose host can be told, or PageReadError; the others say that it is none."""
    try:
        checked = AddressRule().check_url(text)
    except PageReadError as error:
        check_sentence(error)
    else:
        assert isinstance(checked, httpx2.URL)
        assert checked.host
    web_address(text)
    youtube_video_id(text)


@pytest.mark.parametrize("host", ["-x.xn--zca", "x-.xn--zca", "ab--c.xn--zca", "a" * 300, "a." * 150 + "com"])
def test_a_host_that_cannot_be_is_refused(host: str):
    """Names whose parts are decoded late, and names longer than the DNS has, are refused by the check itself."""
    with pytest.raises(PageReadError):
        AddressRule().check_url(f"http://{host}/")


@pytest.mark.parametrize("time_text", ["x", "10f", "", "99999999999h", "1:2:3:4"])
def test_a_time_that_cannot_be_read_is_put_right(time_text: str):
    """A TTML paragraph whose times nobody can read is kept, and a warning says so."""
    video = parse_file(GivenFile("a.ttml", ttml("말이 있어요", time_text, time_text).encode()))
    assert [segment.text for segment in video.transcript] == ["말이 있어요"]
    assert all(segment.start_s >= 0 for segment in video.transcript)


@pytest.mark.parametrize("kind", [{}, [], 1, None, "playlist"])
def test_a_record_of_any_type_is_read(kind: object):
    """What stands in a record's ``_type`` never stops the reading."""
    assert parse_file(GivenFile("a.info.json", json.dumps({"_type": kind, "title": "강연"}).encode())).title == "강연"
