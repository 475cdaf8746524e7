"""State of a page of conversations or runs: which item is open, the question about it, and failures to report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import streamlit as st

from pages.parts.shared import address, frame
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import page_session
from pages.parts.shared.visitor import owner
from search_core.domain.claim import ClaimsEntry, ClaimsRun
from search_core.domain.conversation import Conversation, ConversationEntry
from search_core.domain.research import ResearchEntry, ResearchRun
from search_core.errors import MaekrakError, NotFoundError, SmallTalkError

if TYPE_CHECKING:
    from search_core.runs.run_service import RunService

Item = TypeVar("Item", bound=Conversation | ResearchRun | ClaimsRun)
Entry = TypeVar("Entry", bound=ConversationEntry | ResearchEntry | ClaimsEntry)
Run = TypeVar("Run", bound=ResearchRun | ClaimsRun)
RunEntry = TypeVar("RunEntry", bound=ResearchEntry | ClaimsEntry)


@dataclass(slots=True)
class PageState(ABC, Generic[Item, Entry]):
    """Holds which conversation or run one visitor looks at; lives in the session."""

    PARAM: ClassVar[str]
    """Name of the item's id in the address."""
    NAME: ClassVar[str]
    """Part of widget keys and of file names."""
    NOUN: ClassVar[str]
    """What pages call an item."""
    OBJECT: ClassVar[str]
    """``NOUN`` with the Korean object particle."""
    id: str = ""
    """Empty where none is open."""
    item: Item | None = None
    """The item as it was read last; None where none is open."""
    serial: int = 0
    """Number of the opened video to which it belongs."""
    video_due: bool = False
    """True while the item's video still has to be opened."""
    error: str = ""
    """A Korean sentence about what did not work."""
    unreadable: str = ""
    """A Korean sentence on why the item or the list cannot be read now; set anew at each redraw."""
    awaited: bool = False
    """True while work is in progress whose end has to be announced to screen readers."""
    ended: int = 0
    """Counts announced ends."""

    @classmethod
    def current(cls) -> Self:
        """Return the state of this visit."""
        state: Self = st.session_state.setdefault(f"{cls.PARAM}-page", cls())
        return state

    @abstractmethod
    def load(self, item_id: str) -> Item:
        """Return an item in its current state; raises NotFoundError, and MaekrakError if it cannot be read."""

    @abstractmethod
    def listed(self) -> tuple[Entry, ...]:
        """Return the items, newest first; raises MaekrakError if they cannot be read."""

    @abstractmethod
    def remove_of(self, owner: str, item_id: str) -> None:
        """Delete an item of *owner*; raises MaekrakError if that fails."""

    def reset(self) -> None:
        """Reset what belonged to the earlier item."""
        self.awaited = False

    def show(self, item_id: str) -> None:
        """Show another item; for ``on_click``."""
        st.query_params[self.PARAM] = item_id

    def announce_end(self, words: str, *, under_way: bool) -> None:
        """Announce *words* to screen-reader users once the awaited work is no longer *under_way*."""
        if under_way:
            self.awaited = True
        elif self.awaited:
            self.awaited, self.error = False, ""
            self.ended += 1
        frame.announce(f"{self.PARAM}-{self.ended}", words if self.ended else "")

    def attach(self) -> Item | None:
        """Return the item in the address or session and open its video; None if it cannot be shown."""
        self.unreadable = ""
        item_id = st.query_params.get(self.PARAM, "")
        went_back = address.went_back()
        if item_id and (item_id != self.id or went_back):
            self.switch_to(item_id)
        elif self.id and (went_back or self.serial != page_session().serial):  # went back to before it, or to another video
            self.leave()
        item = self._read() if self.id else None
        if item is not None and self.video_due:
            session, video = page_session(), item.video if isinstance(item, Conversation) else item.request.video
            if video not in (session.found, session.video):
                session.open(video)
            self.serial, self.video_due = session.serial, False
        address.write(**{self.PARAM: self.id})
        self.item = item
        return item

    def find(self, item_id: str) -> Item | None:
        """Return an item, or None if it is gone; the next redraw asks again and reports why."""
        try:
            return self.load(item_id)
        except MaekrakError:
            return None

    def switch_to(self, item_id: str) -> None:
        """Open another item."""
        self.id, self.serial, self.error = item_id, page_session().serial, ""
        self.video_due = True
        self.reset()

    def leave(self) -> None:
        """Close the item; what runs in it continues."""
        self.switch_to("")
        st.query_params.pop(self.PARAM, None)
        page_session().opened.pop(self.PARAM, None)

    def attempt(self, change: Callable[[], object]) -> bool:
        """Make *change* and return whether it worked; failures are shown on the page, replies to greetings beside the box."""
        self.error = ""
        try:
            change()
        except SmallTalkError as error:
            page_session().notice = error.korean
            return False
        except MaekrakError as error:
            self.error = error.korean
            return False
        return True

    def entries(self) -> tuple[Entry, ...]:
        """Return the items, newest first; none, with a note on the page, if they cannot be read."""
        try:
            return self.listed()
        except MaekrakError as error:
            self.unreadable = self.unreadable or error.korean
            return ()

    def show_problem(self) -> None:
        """Show what failed, if anything."""
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


@dataclass(slots=True)
class RunPageState(PageState[Run, RunEntry], Generic[Run, RunEntry]):
    """Holds which run a visitor has open."""

    EXPORTS: ClassVar[tuple[str, ...]]
    FINISH_HELP: ClassVar[str]
    STOP_HELP: ClassVar[str]

    @property
    @abstractmethod
    def service(self) -> RunService[Any, Run, Any, Any, Any]:
        """Return the service of these runs."""

    def load(self, item_id: str) -> Run:
        """Return a run in its current state."""
        return self.service.get(item_id, owner())

    def listed(self) -> tuple[RunEntry, ...]:
        """Return the runs of the visitor, newest first."""
        return self.service.list(owner())

    def remove_of(self, owner: str, item_id: str) -> None:
        """Delete a run."""
        self.service.delete(item_id, owner)

    @abstractmethod
    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""

    def steer(self, act: Callable[[str, str], object], run_id: str) -> None:
        """Call *act* with the run's id and owner; for ``on_click``."""
        if not self.attempt(lambda: act(run_id, owner())):
            st.rerun()  # the reason is drawn outside the part that shows the run

    def start(self, request: object) -> None:
        """Start what *request* asks for and open it; report on the page what prevents it."""
        begun: list[Run] = []
        if self.attempt(lambda: begun.append(self.service.start(request))):
            self.switch_to(begun[0].id)
            self.show(begun[0].id)
