"""Transcripts of every tool, a small file each: what it is taken for, and what is read of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search_core.errors import VideoReadError
from search_core.video.forms import FORMS, JSON_FORMS, UNREAD_FORMS
from search_core.video.timed_text import NO_TIMES
from search_core.video.upload import VideoUpload, parse_file

FOLDER = Path(__file__).with_name("forms")
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
"""By the name of a file, worked out by hand; ``refused`` is what somebody is told who hands in a form that is not read."""


def parse(name: str):
    return parse_file(VideoUpload(name, (FOLDER / name).read_bytes()))


@pytest.mark.parametrize("name", [name for name, told in EXPECTED.items() if "refused" not in told])
def test_a_file_is_read_for_what_it_is(name: str):
    """Times, words, speakers, and what head and foot tell are those of the file, whichever tool wrote it."""
    expected, video = EXPECTED[name], parse(name)
    assert [[each.start_s, each.end_s, each.text] for each in video.transcript] == expected["captions"]
    assert video.read_as == expected["read_as"]
    assert (NO_TIMES in video.warnings) is video.read_as.startswith("글 ·")
    assert list(video.speakers) == expected.get("speakers", [])
    assert ("" if video.title_is_file_name else video.title) == expected.get("title", "")
    assert [[each.start_s, each.title] for each in video.chapters] == expected.get("chapters", [])
    assert (video.published_at.date().isoformat() if video.published_at else "") == expected.get("day", "")
    assert video.duration_s == expected.get("length", max((each.end_s for each in video.transcript), default=None))


@pytest.mark.parametrize("name", [name for name, told in EXPECTED.items() if "refused" in told])
def test_a_form_that_is_not_read_is_named(name: str):
    """It is no prose: the sentence names it and says what to do."""
    with pytest.raises(VideoReadError) as refused:
        parse(name)
    assert refused.value.korean == EXPECTED[name]["refused"]


def test_every_form_has_a_file():
    """A new entry of the table comes with a small file that is taken for it."""
    taken = {told.get("read_as", told.get("refused", "")) for told in EXPECTED.values()}
    missing = [
        form.name for form in (*FORMS, *UNREAD_FORMS, *JSON_FORMS) if not any(told.startswith(form.name) for told in taken)
    ]
    assert missing == []


def test_one_of_two_languages_is_read_and_the_page_says_so():
    """Nothing is said twice, and nobody wonders where the other language went."""
    assert parse("bilingual.one-sync.smi").warnings == ("자막에 언어가 2가지 있어서 한국어 자막만 읽었어요.",)
    assert parse("one-language-classes.smi").warnings == ()


def test_a_record_without_words_says_that_it_has_none():
    """A title alone opens, and a sentence says what is missing."""
    video = parse_file(VideoUpload("a.json", b'{"title": "talk"}'))
    assert (video.title, video.transcript) == ("talk", ())
    assert video.warnings == (
        "자막이 없어서 제목과 설명만 읽었어요. 자막 파일(SRT, VTT)을 함께 올리면 영상에서 한 말까지 살펴봐요.",
    )
