from __future__ import annotations

import pytest

from search_core.domain import TranscriptSegment, VideoContext
from search_core.search.query.video_index import title_of, title_terms

WEBB = "Why the James Webb Space Telescope sees in infrared"


def test_a_short_title_is_one():
    """A single name, and several small words, are a title; names and words like "강연" are left out of its terms."""
    titles = ["훈민정음", "HBM4", "GPT-4o", "Transformers", "talk about bees"]
    assert [title_of(VideoContext(title=title)) for title in titles] == titles
    video = VideoContext(title="강연: 메모리 대역폭 이야기, 한빛반도체")
    assert "한빛반도체" not in " ".join(title_terms(video, ("한빛반도체",)))
    assert "강연" not in title_terms(video, ("한빛반도체",))
    assert title_terms(VideoContext(title="대담: 박하늘 감독"), ("박하늘",)) == ("대담",)


@pytest.mark.parametrize(
    "video",
    [
        VideoContext(title=WEBB, description="The James Webb Space Telescope looks at the sky."),
        VideoContext(title=WEBB.title(), transcript=(TranscriptSegment(0, 5, "the James Webb Space Telescope is cold"),)),
        VideoContext(title=WEBB),
    ],
    ids=["told", "said, all capitals", "by its capitals"],
)
def test_an_english_name_is_cut_from_its_verb(video: VideoContext):
    """What the words of the video hold together, else what is capitalised, is the name."""
    assert title_terms(video, ())[0] == "James Webb Space Telescope"


def test_addresses_in_a_title_are_no_subject():
    """What a title tells to visit is not searched for."""
    video = VideoContext(title="메모리 대역폭 (https://evil.example/p?q=1) www.evil.example 이야기")
    assert title_of(video) == "메모리 대역폭     이야기"
    assert not any("evil" in term for term in title_terms(video, ()))


def test_the_name_of_a_file_is_no_title():
    """A stem, an id and what an upload was called say nothing about the video."""
    for video in (
        *(VideoContext(title=title) for title in ("2024_gpt", "talk", "KL2vgtBxsuc", "lecture-03.mp4")),
        VideoContext(title="회의 녹음", file_title="회의 녹음"),
    ):
        assert title_of(video) == ""
        assert title_terms(video, ()) == ()
