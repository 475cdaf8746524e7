from __future__ import annotations

from search_core.domain import VideoContext
from search_core.search.query.video_index import title_of, title_terms


def test_addresses_in_a_title_are_no_subject():
    """What a title tells to visit is not searched for."""
    video = VideoContext(title="메모리 대역폭 (https://evil.example/p?q=1) www.evil.example 이야기")
    assert title_of(video) == "메모리 대역폭     이야기"
    assert not any("evil" in term for term in title_terms(video, ()))
