"""The list of earlier runs: those about the video that is open first, one entry for one piece of work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import streamlit as st

from pages.parts.page_session import page_session

LISTED = 10
"""Runs in sight; the rest are behind a fold."""


class Entry(Protocol):
    """A run as a list shows it."""

    @property
    def id(self) -> str:
        """Return the id of the run."""
        ...

    @property
    def video_key(self) -> str:
        """Return the key of the video that it is about; empty without one."""
        ...

    @property
    def continues(self) -> str:
        """Return the id of the run that it goes on from; empty for one of its own."""
        ...


AnyEntry = TypeVar("AnyEntry", bound=Entry)


def latest(entries: Sequence[AnyEntry], current: str) -> list[AnyEntry]:
    """Return *entries* without runs that another has gone on from: its entry stands for both, unless the older one is open."""
    continued = {entry.continues for entry in entries}
    return [entry for entry in entries if entry.id == current or entry.id not in continued]


def split_by_video(entries: Sequence[AnyEntry]) -> tuple[list[AnyEntry], list[AnyEntry]]:
    """Return the runs about the video that is open and the others; without a video, all of them and none."""
    video = page_session().found
    if video is None:
        return list(entries), []
    from search_core.domain import video_key

    key = video_key(video)
    return [each for each in entries if each.video_key == key], [each for each in entries if each.video_key != key]


def draw(
    entries: Sequence[AnyEntry],
    current: str,
    draw_entry: Callable[[AnyEntry, str], None],
    *,
    heading: str,
    more: str,
    others: str,
) -> None:
    """Draw the list of runs, those about the video that is open first, newest first; *more* and *others* name the folds."""
    about, elsewhere = split_by_video(latest(entries, current))
    if about:
        st.markdown(f"**{heading}**")
        for entry in about[:LISTED]:
            draw_entry(entry, current)
    for label, key, folded in ((more, "more-runs", about[LISTED:]), (others, "other-runs", elsewhere)):
        if not folded:
            continue
        panel = st.expander(label.format(count=len(folded)), key=key, type="compact", on_change="rerun")
        if panel.open:
            with panel:
                for entry in folded:
                    draw_entry(entry, current)
