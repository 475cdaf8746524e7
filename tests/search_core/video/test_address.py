"""Addresses of YouTube videos."""

from __future__ import annotations

import pytest

from search_core.video import youtube_video_id

ID = "abcDEF12_-3"


@pytest.mark.parametrize(
    ("url", "video_id"),
    [
        (f"https://www.youtube.com/watch?v={ID}&t=90s&list=PL1", ID),
        (f"https://www.youtube.com/watch?app=desktop&v={ID}#t=5", ID),
        (f"https://m.youtube.com/watch?v={ID}", ID),
        (f"https://youtu.be/{ID}?t=30&si=x", ID),
        (f"https://www.youtube.com/shorts/{ID}", ID),
        (f"https://www.youtube.com/live/{ID}?feature=share", ID),
        (f"https://www.youtube.com/embed/{ID}?start=4", ID),
        (f"https://www.youtube-nocookie.com/embed/{ID}", ID),
        (f"youtube.com/watch?v={ID}", ID),
        (f"  https://YOUTU.BE/{ID}\n", ID),
        ("", None),
        ("https://www.youtube.com/@channel", None),
        ("https://www.youtube.com/playlist?list=PL1", None),
        (f"https://www.youtube.com/watch?v={ID}x", None),
        (f"https://www.youtube.com.evil.example/watch?v={ID}", None),
        (f"https://youtube.com@evil.example/watch?v={ID}", None),
        (f"javascript://youtu.be/{ID}", None),
        ("https://[::1", None),
        ("https://youtu.be/../../etc", None),
    ],
)
def test_the_id_is_found_in_every_form(url, video_id):
    """Watch pages, short links, shorts, lives and embeds tell the id; other pages, hosts and schemes have none."""
    assert youtube_video_id(url) == video_id
