"""State that the chat and the research page share: the open conversation or run, and what did not work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

import streamlit as st

from pages.parts import address
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from search_core.errors import MaekrakError, NotFoundError

if TYPE_CHECKING:
    from search_core.domain import VideoContext

Item = TypeVar("Item")
Entry = TypeVar("Entry")


@dataclass(slots=True)
class PageState(ABC, Generic[Item]):
    """Holds which item, a conversation or a run, one visitor looks at; lives in the session."""

    PARAM: ClassVar[str]
    """Name of the item's id in the address."""
    id: str = ""
    """Empty where none is open."""
    serial: int = 0
    """Number of the opened video to which it belongs."""
    video_due: bool = False
    """True until the item was read once and its video put that is open."""
    put_away: tuple[str, VideoContext] | None = None
    """The item that was closed with its video, and that video: who comes back to it finds both."""
    error: str = ""
    """A Korean sentence about what did not work."""
    unreadable: str = ""
    """A Korean sentence about why the item or the list of all cannot be read now; found out anew at each redraw."""

    @abstractmethod
    def load(self, item_id: str) -> Item:
        """Return an item as it stands; raises NotFoundError, and MaekrakError when it cannot be read."""

    @abstractmethod
    def video_of(self, item: Item) -> VideoContext | None:
        """Return the video that an item is about."""

    @abstractmethod
    def reset(self) -> None:
        """Forget what belonged to the item that was open before."""

    def attach(self) -> Item | None:
        """Return the item of the address or the session, its video put that is open; None where none can be shown."""
        self.unreadable = ""
        wanted = st.query_params.get(self.PARAM, "")
        went_back = address.went_back()
        if wanted and (wanted != self.id or went_back):
            self.switch_to(wanted)
        elif self.id and (went_back or self.serial != page_session().serial):  # back before it, or to another video
            self._put_away()
        elif self.put_away is not None and page_session().video == self.put_away[1]:
            self.switch_to(self.put_away[0])
        item = self._read() if self.id else None
        if item is not None and self.video_due:
            self._open_video(self.video_of(item))
        address.write(**{self.PARAM: self.id}, **self.in_address())
        return item

    def in_address(self) -> dict[str, str]:
        """Return what else of this page the address holds, by its names there."""
        return {}

    def find(self, item_id: str) -> Item | None:
        """Return an item as it stands, or None where it cannot be had any more: the page drawn anew asks again, and says why."""
        try:
            return self.load(item_id)
        except MaekrakError:
            return None

    def switch_to(self, item_id: str) -> None:
        """Make another item the one that is open."""
        self.id, self.serial, self.error = item_id, page_session().serial, ""
        self.video_due, self.put_away = True, None
        self.reset()

    def leave(self) -> None:
        """Put the item away; what is under way in it goes on."""
        self.switch_to("")
        st.query_params.pop(self.PARAM, None)

    def _put_away(self) -> None:
        """Close the item, and remember it where its video was put away with it."""
        item_id, left = self.id, page_session().left
        self.leave()
        if left is not None and page_session().video is None:
            self.put_away = (item_id, left[0])

    def attempt(self, change: Callable[[], object]) -> bool:
        """Make *change*; return whether it worked. A failure is said on the page."""
        self.error = ""
        try:
            change()
        except MaekrakError as error:
            self.error = error.korean
            return False
        return True

    def entries(self, read: Callable[[], tuple[Entry, ...]]) -> tuple[Entry, ...]:
        """Return the list that *read* gives; none, and said on the page, when it cannot be had."""
        try:
            return read()
        except MaekrakError as error:
            self.unreadable = self.unreadable or error.korean
            return ()

    def show_problem(self) -> None:
        """Say what did not work, if anything did not."""
        problem = self.error or self.unreadable
        if problem:
            st.error(md(problem, 400), icon=":material/error:")

    def _read(self) -> Item | None:
        try:
            return self.load(self.id)
        except NotFoundError as error:
            self.leave()
            self.error = error.korean
        except MaekrakError as error:  # the address keeps the id: the next redraw may read it
            self.unreadable = error.korean
        return None

    def _open_video(self, video: VideoContext | None) -> None:
        session = page_session()
        if video not in (session.found, session.video):
            session.open(video)
        self.serial, self.video_due = session.serial, False
