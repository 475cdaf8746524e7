"""Videos of all kinds for properties, results that services give for them, and how often a property of the seed is tried."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import settings
from hypothesis import strategies as st

from search_core.domain.result import Moment, SearchResult
from search_core.domain.video import TranscriptSegment, VideoContext

SEED = settings(max_examples=300, deadline=None)
"""For each property that the product was asked to keep, in videos of all kinds."""
NOW = datetime(2026, 11, 20, tzinfo=UTC)
PERSONS = ("서도윤", "김하늬", "Maya Lindqvist", "박하늘", "O'Neill", "젠슨 황", "남궁 별", "Zoë Müller")
ORGANIZATIONS = ("한빛반도체", "별빛컴퓨팅", "Aurora Robotics", "엔비디아", "AT&T", "3M", "한국은행", "SK하이닉스", "C3.ai")
EVENTS = ("2026 반도체 대전", "Robotics Week 2026", "부산국제영화제", "CES 2026", "제3회 메모리 포럼")

TOPICS = ("메모리 대역폭", "전고체 배터리", "HBM4", "torque sensor", "기준금리", "RISC-V", "C++", "GPT-4o", "소버린 AI")
TITLES = ("{} 강연", "{}: 무엇이 달라지나", "Inside {}", "[단독] {} 해설!!", "{} | 경제한입", "★{}★")
names = st.one_of(st.sampled_from(PERSONS), st.text(st.characters(categories=("Lu", "Ll", "Lo")), min_size=2, max_size=12))


@st.composite
def videos(draw: st.DrawFn) -> VideoContext:
    """Return a video with at least one name or a title that says something; names may be odd."""
    speakers = draw(st.lists(names, max_size=2, unique=True))
    organizations = draw(st.lists(st.sampled_from(ORGANIZATIONS), max_size=3, unique=True))
    events = draw(st.lists(st.sampled_from(EVENTS), max_size=2, unique=True))
    topics = draw(st.lists(st.sampled_from(TOPICS), min_size=1, max_size=3, unique=True))
    title = draw(st.sampled_from(TITLES)).format(topics[0])
    said = draw(st.lists(st.sampled_from((*speakers, *organizations, *events, *topics, "그렇습니다", "okay")), max_size=12))
    return VideoContext(
        title=title,
        speakers=tuple(speakers),
        organizations=tuple(organizations),
        events=tuple(events),
        key_terms=tuple(topics[1:]),
        transcript=tuple(TranscriptSegment(i * 4.0, i * 4.0 + 4, text) for i, text in enumerate(said)),
    )


def names_of(video: VideoContext) -> tuple[str, ...]:
    """Return whom and what a video names."""
    return (*video.speakers, *video.organizations, *video.events)


@st.composite
def results_for(draw: st.DrawFn, video: VideoContext, *, scored: bool = True, **fields: st.SearchStrategy) -> SearchResult:
    """Return a result for *video*: it may name what the video names, bear on a moment of it, and be of any day and score."""
    word = st.sampled_from((*names_of(video), *TOPICS, "날씨", "chip", "2026", "…", "<b>", "는", ""))
    text = st.lists(word, max_size=6).map(" ".join) | st.text(max_size=30)
    day = st.none() | st.datetimes(NOW.replace(year=2000, tzinfo=None), NOW.replace(tzinfo=None), timezones=st.just(UTC))
    said = draw(st.none() | st.sampled_from(video.transcript)) if video.transcript else None
    values = {
        "title": text,
        "url": st.integers(0, 99).map("https://example.org/{}".format),
        "snippet": text,
        "source": st.just("example.org"),
        "publish_date": day,
        **({"relevance_score": st.floats(0, 1), "entity_matches": st.just(names_of(video)[:2]) | st.just(())} if scored else {}),
        **fields,
    }
    moment = Moment(start_s=said.start_s, text=said.text, similarity=0.5) if said is not None and scored else None
    return SearchResult(moment=moment, **{name: draw(value) for name, value in values.items()})
