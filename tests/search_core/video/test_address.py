"""Addresses of YouTube videos."""

from __future__ import annotations

import pytest

from search_core.video import youtube_video_id

ID = "abcDEF12_-3"


@pytest.mark.parametrize(
    "url",
    [
        f"https://www.youtube.com/watch?v={ID}&t=90s&list=PL1",
        f"https://www.youtube.com/watch?app=desktop&v={ID}#t=5",
        f"https://m.youtube.com/watch?v={ID}",
        f"https://youtu.be/{ID}?t=30&si=x",
        f"https://www.youtube.com/shorts/{ID}",
        f"https://www.youtube.com/live/{ID}?feature=share",
        f"https://www.youtube.com/embed/{ID}?start=4",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"youtube.com/watch?v={ID}",
        f"  https://YOUTU.BE/{ID}\n",
    ],
)
def test_the_id_is_found_in_every_form(url):
    """Watch pages, short links, shorts, lives and embeds tell the id, with or without a time."""
    assert youtube_video_id(url) == ID


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://www.youtube.com/@channel",
        "https://www.youtube.com/playlist?list=PL1",
        f"https://www.youtube.com/watch?v={ID}x",
        f"https://www.youtube.com.evil.example/watch?v={ID}",
        f"https://youtube.com@evil.example/watch?v={ID}",
        f"javascript://youtu.be/{ID}",
        "https://[::1",
        "https://youtu.be/../../etc",
    ],
)
def test_other_addresses_have_no_id(url):
    """Other pages, other hosts dressed up as YouTube and other schemes have none."""
    assert youtube_video_id(url) is None
