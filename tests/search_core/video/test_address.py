"""Addresses of YouTube videos."""

from __future__ import annotations

import pytest

from search_core.video.address import FoundVideo, find_video, youtube_video_id

ID = "abcDEF12_-3"


@pytest.mark.parametrize(
    ("url", "video_id"),
    [
        (f"https://www.youtube.com/watch?v={ID}&t=90s&list=PL1", ID),
        (f"https://youtu.be/{ID}?t=30&si=x", ID),
        (f"https://www.youtube.com/shorts/{ID}", ID),
        (f"youtube.com/watch?v={ID}", ID),
        (f"  https://YOUTU.BE/{ID}\n", ID),
        (f"https://www.youtube.com/watch?v={ID} 이 영상 봐줘", ID),
        (f"[강연](https://youtu.be/{ID})", ID),
        (f"영상https://youtu.be/{ID}를 봐줘", ID),
        (f"https://www.youtube.com/watch?v={ID}\u200b", ID),
        (f"https://www.youtube.com/watch%3Fv%3D{ID}", ID),
        (f"https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D{ID}", ID),
        (f"https://www.google.com/url?q=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D{ID}&sa=D", ID),
        (f"https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D{ID}%26feature%3Dshare", ID),
        (f"https://youtu.be/{ID} 또는 https://youtu.be/{ID}?t=3", ID),
        (f"https://youtu.be/{ID} https://youtu.be/aaaaaaaaaaa", None),
        (f"https://example.com/?u=https://youtu.be/{ID}", None),
        (f"https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fwatch%3Fv%3D{ID}", None),
        ("youtube.com 은 왜 느릴까?", None),
        ("", None),
        ("https://www.youtube.com/playlist?list=PL1", None),
        (f"https://www.youtube.com/watch?v={ID}x", None),
        (f"https://www.youtube.com.evil.example/watch?v={ID}", None),
        (f"https://youtube.com@evil.example/watch?v={ID}", None),
        (f"javascript://youtu.be/{ID}", None),
    ],
)
def test_the_id_is_found_in_every_form(url, video_id):
    """Watch pages, short links, shorts, lives and embeds tell the id, also within a text and coded; other pages have none."""
    assert youtube_video_id(url) == video_id


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"이 영상 https://youtu.be/{ID}?si=a 맞아?", "이 영상 맞아?"),
        (f"강연 제목\n<https://youtu.be/{ID}>", "강연 제목"),
        (f"[강연](https://youtu.be/{ID}) 요약해줘", "강연 요약해줘"),
        (f"https%3A%2F%2Fyoutu.be%2F{ID}\u200b 왜?", "왜?"),
    ],
)
def test_the_rest_of_a_text_is_kept(text, rest):
    """What stands around the address is the question that goes with it."""
    assert find_video(text) == FoundVideo(ID, rest)
