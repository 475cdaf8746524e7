"""Who speaks, by cue."""

from __future__ import annotations

import pytest

from search_core.video.speaker_cues import introduced_speakers, is_korean_name, stated_speakers


@pytest.mark.parametrize(
    ("title", "description", "speakers"),
    [
        ("", "출연: 김하늘 교수(한국대), 이바다", ("김하늘", "이바다")),
        ("", "■ 진행 : 박산들 아나운서", ("박산들",)),
        ("", "강연자: 정우주 박사 (천문연구원)\n장소: 서울", ("정우주",)),
        ("", "Speakers: Dr. Jane Doe and John Q. Public", ("Jane Doe", "John Q. Public")),
        ("Interview with Jane Doe about memory", "", ("Jane Doe",)),
        ("Memory walls feat. John Public", "", ("John Public",)),
        ("정우주 박사가 말하는 우주", "", ("정우주",)),
        ("", "진행: 매주 월요일 저녁\n문의: help@example.com", ()),
        ("How to work with React Native", "기자 간담회 안내", ()),
    ],
)
def test_cues_in_title_and_description(title, description, speakers):
    """Labels, roles and ``with`` name the speakers; dates, places and products after a label do not."""
    assert stated_speakers(title, description) == speakers


@pytest.mark.parametrize(
    ("words", "speakers"),
    [
        ("안녕하세요 저는 메모리 연구실의 김하늘입니다", ("김하늘",)),
        ("서윤덕 기자입니다. 이어서 손은혜 기자가 보도합니다.", ("서윤덕", "손은혜")),
        ("Hello, my name is Jane Doe and this is memory.", ("Jane Doe",)),
        ("I'd like to invite my colleague up, Jane Doe, to tell us more.", ("Jane Doe",)),
        ("Now I'll hand it over to Jane Doe.", ("Jane Doe",)),
        ("Welcome to San Francisco. Welcome, What's New follows.", ()),
        ("경제부 기자입니다. 취재 기자 연결합니다.", ()),
        ("저는 변호사입니다. 저는 학생입니다. 저는 괜찮아요.", ()),
        ("I'm Vice President of something. I'm very happy.", ()),
    ],
)
def test_introductions_in_what_is_said(words, speakers):
    """People who introduce themselves are speakers; occupations are not people."""
    assert introduced_speakers(words) == speakers


def test_everyday_words_are_no_names():
    """Words that merely open with a surname are no names."""
    assert [word for word in ("변호사", "선생님", "학생", "문제", "방송", "가", "김하늘보리차") if is_korean_name(word)] == []
