"""The sample videos that ship with the app."""

from __future__ import annotations

from itertools import pairwise

import pytest

from search_core.domain import TranscriptOrigin
from search_core.video import sample_questions, samples

SAMPLES = samples()


def test_there_are_four():
    """Four samples ship, three Korean and one English; the last says in all its texts that errors are planted in it."""
    assert [video.language for video in SAMPLES] == ["ko", "ko", "en", "ko"]
    assert {video.channel for video in SAMPLES} == {"맥락 샘플"}
    assert [video for video in SAMPLES if "틀린" in video.title] == [SAMPLES[-1]]
    words = " ".join(segment.text for segment in SAMPLES[-1].transcript)
    assert "일부러 틀리게" in SAMPLES[-1].description
    assert "일부러 틀리게" in words


@pytest.mark.parametrize("video", SAMPLES, ids=lambda video: video.video_id)
def test_each_is_complete(video):
    """A sample has people's captions, chapters, names that are said, four Korean questions, and reads without warnings."""
    assert video.sample
    assert video.warnings == ()
    assert 20 <= len(video.transcript) <= 80
    assert 110 <= video.duration_s <= 600
    assert all(before.end_s <= after.start_s for before, after in pairwise(video.transcript))
    assert len(video.chapters) >= 5
    assert video.organizations
    assert video.events
    assert video.key_terms
    assert video.published_at is not None
    assert video.transcript_origin is TranscriptOrigin.PEOPLE
    words = " ".join([video.title, video.description, *(segment.text for segment in video.transcript)])
    assert [name for name in (*video.organizations, *video.speakers) if name not in words] == []
    questions = sample_questions(video.video_id)
    assert len(set(questions)) == 4
    assert all(any("가" <= letter <= "힣" for letter in question) for question in questions)


def test_questions_are_those_of_one_sample(tmp_path):
    """A record without questions, an unknown id and a missing folder have none."""
    (tmp_path / "a.info.json").write_text('{"id": "a", "title": "A"}', encoding="utf-8")
    (tmp_path / "b.info.json").write_text('{"id": "b", "maekrak": {"questions": ["왜?"]}}', encoding="utf-8")
    assert [sample_questions(name, tmp_path) for name in ("a", "b", "c")] == [(), ("왜?",), ()]
    assert sample_questions("a", tmp_path / "none") == samples(tmp_path / "none") == ()
