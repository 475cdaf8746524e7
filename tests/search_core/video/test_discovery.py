"""What a video is about, found where its giver did not say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain.video import Chapter, TranscriptSegment, VideoContext
from search_core.video.discovery import chapters_in, discover, introduced_speakers, is_korean_name, stated_speakers, tellers
from search_core.video.readers import read_upload

CHAPTERS = (Chapter(0.0, "시작"), Chapter(90.0, "대역폭"), Chapter(3723.0, "정리"))


def spoken(*sentences):
    return tuple(TranscriptSegment(10.0 * i, 10.0 * i + 9, sentence) for i, sentence in enumerate(sentences))


TALK = VideoContext(
    title="엔비디아 GTC 2024 기조연설 정리",
    channel="메모리 채널",
    description="진행: 김하늘 기자\n삼성전자와 SK하이닉스의 HBM 소식도 전합니다.\n0:00 시작\n1:00 HBM\n2:00 정리\n구독 부탁드려요 https://example.com",
    transcript=spoken(
        "안녕하세요 저는 김하늘입니다",
        "엔비디아가 새 가속기를 발표했습니다",
        "대역폭이 두 배로 늘었습니다",
        "마이크론도 HBM을 만듭니다",
        "마이크론의 HBM 대역폭은 높습니다",
        "대역폭이 왜 중요할까요",
    ),
)


def test_names_are_found_in_title_description_and_words():
    """Speakers come from the label, organisations and events from title, description and what is said more than once."""
    video = discover(TALK)
    assert video.speakers == ("김하늘",)
    assert video.organizations[0] == "엔비디아"
    assert {"삼성전자", "SK하이닉스", "마이크론"} <= set(video.organizations)
    assert any("GTC" in event for event in video.events)
    assert "대역폭" in video.key_terms
    assert video.chapters == (Chapter(0.0, "시작"), Chapter(60.0, "HBM"), Chapter(120.0, "정리"))
    assert video.language == "ko"


def test_names_of_a_talk_of_days_are_found_in_all_of_it():
    """What is said at the end of a transcript of half a million characters counts like what is said at its beginning."""
    ends = [*TALK.transcript] * 900
    padding = spoken(*(f"이야기가 {number}번째로 이어집니다" for number in range(30_000)))
    video = discover(replace(TALK, title="", description="", transcript=(*padding, *ends)))
    assert "마이크론" in video.organizations


def test_what_is_given_stays():
    """Filled fields are never changed, fields to keep stay empty, as does a stated empty list of a JSON object."""
    video = discover(replace(TALK, speakers=("이바다",), language="en"), keep=("events", "chapters"))
    assert (video.speakers, video.language) == (("이바다",), "en")
    assert (video.events, video.chapters) == ((), ())
    assert video.organizations
    silent = VideoContext.from_mapping({"title": "엔비디아 GTC 2024", "events": []})
    assert (silent.events, "엔비디아" in silent.organizations) == ((), True)
    stated = read_upload("a.json", b'{"title": "GTC 2024", "maekrak": {"events": [], "organizations": ["JEDEC"]}}')
    assert (stated.events, stated.organizations) == ((), ("JEDEC",))
    voices = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v 김하늘>젠슨 황이 엔비디아를 소개합니다\n".encode()
    assert read_upload("a.vtt", voices).speakers == ("김하늘",)
    assert discover(VideoContext()) == VideoContext()


def test_the_speakers_of_an_english_talk():
    """In an English talk the guest of the title and the host who introduces herself are found."""
    talk = VideoContext(
        title="Interview with Jensen Huang, CEO of NVIDIA | CES 2025",
        transcript=spoken("Welcome, my name is Jane Doe.", "NVIDIA needs memory bandwidth.", "Memory bandwidth matters."),
    )
    video = discover(talk)
    assert video.speakers[:1] == ("Jensen Huang",)
    assert "Jane Doe" in video.speakers
    assert "NVIDIA" in video.organizations
    assert any("CES" in event for event in video.events)
    assert "memory bandwidth" in [term.lower() for term in video.key_terms]


@pytest.mark.parametrize(
    ("description", "chapters"),
    [
        ("0:00 시작\n1:30 대역폭\n1:02:03 정리", CHAPTERS),
        ("목차\n00:00 - 시작\n01:30 - 대역폭\n01:02:03 - 정리\n감사합니다", CHAPTERS),
        ("[00:00] 시작\n▶ 1:30 대역폭\n[1:02:03] 정리", CHAPTERS),
        ("0:00~1:30 시작\n1:30~1:02:03 대역폭\n1:02:03~2:00:00 정리", CHAPTERS),
        ("시작 (0:00)\n대역폭 (1:30)\n정리 (1:02:03)", CHAPTERS),
        ("방송 시간 21:30\n재방송 9:10\n비율은 16:9 예요", ()),
        ("0:00 하나\n1:00 둘", ()),
    ],
)
def test_stamps_are_read_in_each_layout(description: str, chapters: tuple[Chapter, ...]):
    """Stamps before or after the title, bare, in brackets or as ranges are chapters from three rising ones on."""
    assert chapters_in(description) == chapters


@pytest.mark.parametrize(
    ("title", "description", "speakers"),
    [
        ("", "출연: 김하늘 교수(한국대), 이바다", ("김하늘", "이바다")),
        ("", "강연자: 정우주 박사 (천문연구원)\n장소: 서울", ("정우주",)),
        ("", "Speakers: Dr. Jane Doe and John Q. Public", ("Jane Doe", "John Q. Public")),
        ("Interview with Jane Doe about memory", "", ("Jane Doe",)),
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
        ("안녕하세요, 빵집 하는 한소라입니다.", ("한소라",)),
        ("네 잘 들었습니다 다음은 양양입니다. 저희 발효종은 이름이 봄이이고요", ()),
        ("서윤덕 기자입니다. 이어서 도래재에서 손은혜가 전해드립니다.", ("서윤덕", "손은혜")),
        ("Hello, my name is Jane Doe and this is memory.", ("Jane Doe",)),
        ("I'd like to invite my colleague up, Jane Doe, to tell us more.", ("Jane Doe",)),
        ("저는 변호사입니다. 저는 학생입니다. 저는 괜찮아요.", ()),
    ],
)
def test_introductions_in_what_is_said(words, speakers):
    """People who introduce themselves are speakers; occupations are not people."""
    assert introduced_speakers(words) == speakers


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("YTN 김대근입니다.", ("YTN", "김대근")),
        ("새벽 뉴스 김하늘입니다.", ("새벽", "김하늘", "새벽뉴스")),
        ("안녕하세요, 도시 농업 이야기의 한서윤입니다.", ("한서윤",)),
        ("네 박영숙 위원입니다 과장님 이게 언제부터죠", ("박영숙",)),
        ("오늘의 주제는 AI 반도체입니다.", ()),
        ("네 그건 사실입니다", ()),
    ],
)
def test_who_tells_and_for_which_programme(words: str, names: tuple[str, ...]):
    """Who speaks up behind a greeting or signs off tells what is said; what a sentence is about does not."""
    assert tellers(words) == names


def test_everyday_words_are_no_names():
    """Words that merely open with a surname are no names."""
    assert [word for word in ("변호사", "선생님", "학생", "문제", "방송", "가", "김하늘보리차") if is_korean_name(word)] == []
