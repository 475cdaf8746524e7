"""The right zone: the video, facts about it, and its transcript, which can be searched and navigated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import Path, PurePath

import streamlit as st

from pages.parts.shared import buttons, frame, transcript_lines, transcription_panel
from pages.parts.shared.buttons import button, quiet
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.page_session import TRANSCRIPT_QUERY_KEY, PageSession, page_session
from search_core.domain.video import VideoContext
from search_core.language.dates import clock
from search_core.package import shipped_files
from search_core.search.presenting.dates import korean_date
from search_core.search.presenting.wording import UNCERTAIN, UNTITLED_VIDEO, transcript_caution, transcript_source
from search_core.video.address import is_video_id

FRAGMENT = "video"
NARROW_COOKIE = "maekrak_narrow"  # set where there is no room for the panel beside the list (static/start.js)
_FIELDS = (("subject", "주제"), ("speakers", "인물"), ("organizations", "기업·기관"), ("events", "행사"), ("key_terms", "핵심어"))
_SHOWN_NAMES = 5
WINDOW = 14
"""Transcript lines drawn at once; a five-hour transcript has thousands, too many for a browser."""
LIST_HEIGHT = 380


def video_panel() -> None:
    """Draw the zone; redrawn alone when the visitor moves in the video or edits its facts."""
    st.fragment(_draw, key=FRAGMENT)()


def _draw() -> None:
    session = page_session()
    if session.video is None:
        return
    with st.container(border=True, key="video"):
        transcription_panel.transcription()
        # The browser is mobile, or was narrow when the page was loaded (``static/start.js``).
        if "Mobi" in st.context.headers.get("User-Agent", "") or st.context.cookies.get(NARROW_COOKIE) == "1":
            _bar(session, session.video)
        else:
            _whole(session, session.video)


def _whole(session: PageSession, video: VideoContext) -> None:
    with st.container(key="about"):
        _player(video, session.now_s)
        _heading(video)
        _facts(video)
        _names(video)
    with st.container(key="said"):
        st.markdown("**자막**")
        _transcript(session)
    _editor(session, video)


def _bar(session: PageSession, video: VideoContext) -> None:
    """Draw the bar that stays on top, with the title and the video, which each question folds and each jump unfolds."""
    moved = session.now_s is not None and session.jumped_after == session.searches
    unasked = session.searches == 0 and _playable(video)
    key = f"fold-{session.serial}-{session.searches}-{session.jumps}"
    label = f"**{md(video.title, 160) or UNTITLED_VIDEO}**"
    with st.expander(label, expanded=moved or unasked, key=key, icon=":material/movie:", on_change="rerun") as panel:
        if not panel.open:
            return
        _player(video, session.now_s)
        with st.container(key="said"):
            _transcript(session)
            _heading(video)
        _facts(video)
        _names(video)
        _editor(session, video)


def seek(start_s: float) -> None:
    """Move the panel to a moment of the video; for ``on_click``, redraws only the panel."""
    page_session().go_to(start_s)
    _redraw()


def _redraw() -> None:
    """Redraw the panel and, if the question box names the moment, that too."""
    st.rerun([FRAGMENT, MOMENT_FRAGMENT] if page_session().names_moment else FRAGMENT)


def moment_button(start_s: float, key: str, *, quote: str | None = None, disabled: bool = False) -> None:
    """Draw a button that moves the panel to a moment, labelled with its time and *quote*.

    An empty *quote* means that the moment is quoted elsewhere.
    """
    label, draw = f"{clock(start_s)} “{quote}”" if quote else clock(start_s), button if quote is None else quiet
    draw(label, seek, start_s, key=key, icon="play_arrow", tip="영상의 이 장면으로 가요", disabled=disabled)


def _playable(video: VideoContext) -> bool:
    return not video.sample and is_video_id(video.video_id)


def _clip(video: VideoContext) -> Path | None:
    clip = shipped_files("samples") / "videos" / f"{PurePath(video.video_id).name}.mp4"
    return clip if video.sample and clip.is_file() else None


def _player(video: VideoContext, now_s: float | None) -> None:
    if (clip := _clip(video)) is not None:
        alt = clean(video.title, 120)
        st.video(str(clip), start_time=int(now_s or 0), autoplay=now_s is not None, muted=True, alt=alt)
    if not _playable(video):
        return
    moment = "" if now_s is None else f"&start={int(now_s)}&autoplay=1"
    address = f"https://www.youtube-nocookie.com/embed/{video.video_id}?rel=0{moment}"
    st.iframe(address, height=210, alt=clean(video.title, 120) or UNTITLED_VIDEO)


def _heading(video: VideoContext) -> None:
    badge = ":gray-badge[예시] " if video.sample else ""
    with st.container(horizontal=True, vertical_alignment="top", wrap=False):
        st.markdown(f"{badge}**{md(video.title, 160) or UNTITLED_VIDEO}**", width="stretch")
        quiet("다른 영상", _leave, key="change-video", icon="swap_horiz")


def _facts(video: VideoContext) -> None:
    date = korean_date(video.published_at) if video.published_at is not None else ""
    facts = (md(video.channel, 60), date, clock(video.duration_s) if video.duration_s else "")
    note = "" if _playable(video) else "이 영상은 여기서 재생할 수 없어요."
    if video.sample:
        drawn = _clip(video) is not None
        note = "직접 그려서 넣은 예시 영상이에요. 소리는 없어요." if drawn else "직접 써서 넣은 예시라서 재생할 영상은 없어요."
    warnings = (md(warning, 300) for warning in video.warnings)
    st.caption("  \n".join(filter(None, (" · ".join(filter(None, facts)), note, *warnings))))


def _names(video: VideoContext) -> None:
    rows = []
    for name, label in _FIELDS:
        values: Sequence[str] = getattr(video, name)
        if values:
            more = f" :small[:gray[+{len(values) - _SHOWN_NAMES}]]" if len(values) > _SHOWN_NAMES else ""
            colour = "gray" if name == "key_terms" else "blue"
            badges = " ".join(f":{colour}-badge[{md(value, 30)}]" for value in values[:_SHOWN_NAMES])
            rows.append(f":small[:gray[{label}]] {badges}{more}")
    if rows:
        st.markdown("  \n".join(rows))


def _editor(session: PageSession, video: VideoContext) -> None:
    label, key = "영상 정보 고치기", f"edit-{session.serial}"
    with st.expander(label, key=key, icon=":material/edit:", on_change="rerun", type="compact") as panel:
        if not panel.open:
            return
        st.text_input(
            "제목", value=video.title, key=f"edit-title-{session.serial}", max_chars=300, on_change=_edit, args=("title",)
        )
        st.date_input(
            "날짜",
            value=video.published_at.date() if video.published_at else None,
            key=f"edit-published_at-{session.serial}",
            format="YYYY-MM-DD",
            on_change=_edit,
            args=("published_at",),
        )
        for name, label in _FIELDS:
            values = [clean(value, 80) for value in getattr(video, name)]
            names = [clean(value, 80) for value in getattr(session.found or video, name)]
            st.multiselect(
                label,
                options=list(dict.fromkeys([*names, *values])),
                default=values,
                key=f"edit-{name}-{session.serial}",
                accept_new_options=True,
                placeholder="적고 Enter로 더하기",
                on_change=_edit,
                args=(name,),
            )
        st.caption("고친 내용은 다음 검색부터 쓰여요.")


def _edit(name: str) -> None:
    """Change a fact about the video, for the next search on."""
    session = page_session()
    value = st.session_state[f"edit-{name}-{session.serial}"]
    changed: object
    if name == "title":
        changed = clean(value, 300)
    elif name == "published_at":
        changed = datetime.combine(value, time(), tzinfo=UTC) if value else None
    else:
        changed = tuple(filter(None, (clean(entry, 80) for entry in value)))
    if session.video is not None:
        session.video = replace(session.video, **{name: changed})  # type: ignore[arg-type]


def _leave() -> None:
    page_session().open(None)
    st.rerun()


def _transcript(session: PageSession) -> None:
    if not session.lines:
        st.caption("자막이 없는 영상이에요. 제목과 위 정보로 검색해요.")
        return
    if session.video is not None:
        with st.container(key="transcript-source"):
            st.caption(md(transcript_source(session.video), 160), help=transcript_caution(session.video) or None)
    query = frame.search_line("자막에서 찾기", TRANSCRIPT_QUERY_KEY, _rewind)
    places = transcript_lines.find_lines(session.lines, query) if query else list(range(len(session.lines)))
    if query:
        st.caption(f"{len(places)}곳에 나와요" if places else f"자막에 없는 말이에요: “{md(query, 60)}”")
    _lines(session, places, query)
    total = len(places)
    if total > WINDOW:
        last = min(total, session.window + WINDOW)
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            first, end = session.window == 0, last >= total
            button("이전", _shift, -WINDOW, total, key="lines-earlier", icon="expand_less", disabled=first)
            st.caption(f"{session.window + 1}–{last} / {total}", width="content")
            button("다음", _shift, WINDOW, total, key="lines-later", icon="expand_more", disabled=end)


def _lines(session: PageSession, places: list[int], query: str) -> None:
    timed = session.video is not None and session.video.timed
    now = None if session.now_s is None else transcript_lines.line_at(session.lines, session.now_s)
    # A new key per window starts the scroll at its top, where the line that was asked for is.
    with st.container(height=LIST_HEIGHT, border=False, key=f"lines-{session.serial}-{session.window}"):
        for index in places[session.window : session.window + WINDOW]:
            line = session.lines[index]
            text = transcript_lines.mark_words(line.text, query)
            if line.uncertain:
                text = f"{text} :orange[:small[{UNCERTAIN}]]"
            if not timed:
                st.markdown(f":small[{text}]")
                continue
            if index == now:
                label = f":blue-background[**{clock(line.start_s)}** {text} **←\u00a0지금**]"
            else:
                label = f":gray[{clock(line.start_s)}]  {text}"
            buttons.line(label, _pick, line.start_s, key=f"line-{session.serial}-{index}")


def _rewind() -> None:
    page_session().window = 0


def _shift(by: int, total: int) -> None:
    session = page_session()
    session.window = max(0, min(session.window + by, total - 1))


def _pick(start_s: float) -> None:
    """Move to a transcript line that is already visible, without scrolling the list."""
    session = page_session()
    session.now_s = session.moment_s = start_s
    _redraw()


MOMENT_FRAGMENT = "moment"


def moment_line() -> None:
    """Draw the moment of the next question, with a button to remove it; redrawn alone when the visitor moves in the video."""
    page_session().names_moment = True
    with st.container(key="asked-from"):
        st.fragment(_draw_moment, key=MOMENT_FRAGMENT)()


def _draw_moment() -> None:
    moment_s = page_session().moment_s
    if moment_s is not None:
        label, tip = f":gray[{clock(moment_s)} 장면에서 묻는 중]", "이 장면과 상관없이 물어봐요"
        quiet(label, _drop_moment, key="drop-moment", icon="close", icon_position="right", tip=tip)


def _drop_moment() -> None:
    page_session().moment_s = None
