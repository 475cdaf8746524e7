"""The parts that pages of conversations and of runs share: the list in the sidebar, and what stands around a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import export
from pages.parts.escaping import md
from pages.parts.page_session import page_session
from pages.parts.page_state import Entry, Item, PageState, Run, RunEntry, RunPageState
from pages.parts.visitor import owner
from search_core.domain import video_key
from search_core.presenting import relative_time

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

ENDS = {
    "planned": (":material/checklist:", "계획 확인 대기"),
    "complete": (":green[:material/check_circle:]", "완료"),
    "finished_early": (":green[:material/task_alt:]", "서둘러 마무리"),
    "stopped": (":orange[:material/stop_circle:]", "멈춤"),
    "failed": (":orange[:material/error:]", "끝내지 못함"),
}
"""Icons and words by status, for runs that nothing is done for now."""
RUN_FINISH, RUN_STOP = "지금까지 찾은 내용으로 작성", "중지"


@dataclass(frozen=True, slots=True)
class Line:
    """What the list says of an entry, as Markdown."""

    title: str
    facts: str
    icon: str = ""
    tip: str | None = None


def sidebar(
    page: PageState[Item, Entry],
    item: Item | None,
    entries: Sequence[Entry],
    *,
    tools: Callable[[Item], None],
    describe: Callable[[Entry], Line],
) -> None:
    """Draw the *tools* of the open *item* and the list, those about the video that is open first, newest first."""
    with st.sidebar, st.container(key="history"):
        new, key = f"새 {page.NOUN}", f"new-{page.NAME}"
        st.button(new, key=key, icon=page.ICON, width="stretch", disabled=item is None, on_click=page.leave)
        if item is not None:
            tools(item)
        current = page.id if item is not None else ""

        def draw(listed: Sequence[Entry]) -> None:
            for entry in listed:
                line = describe(entry)
                title = f"**{line.title}**" if entry.id == current else line.title
                st.button(
                    f"{line.icon} {title}  \n:small[:gray[{line.facts}]]".lstrip(),
                    key=f"run-open-{entry.id}" if entry.id == current else f"run-{entry.id}",
                    type="tertiary",
                    help=line.tip,
                    width="stretch",
                    wrap=True,
                    on_click=partial(page.show, entry.id),
                )

        about, elsewhere = list(entries), list[Entry]()
        if (video := page_session().found) is not None:
            key = video_key(video)
            about, elsewhere = ([entry for entry in entries if (entry.video_key == key) is wanted] for wanted in (True, False))
        if about:
            st.markdown(f"**{'이 영상의' if page_session().video is not None else '지난'} {page.NOUN}**")
            draw(about[: page.LISTED])
        more = f"지난 {page.NOUN} {{count}}개 더 보기"
        for label, name, folded in ((more, "more-runs", about[page.LISTED :]), (page.OTHERS, "other-runs", elsewhere)):
            if folded:
                panel = st.expander(label.format(count=len(folded)), key=name, type="compact", on_change="rerun")
                with panel:
                    draw(folded if panel.open else ())


def run_line(entry: RunEntry, title: str, noun: str, *facts: str) -> Line:
    """Return what the list says of a run, a *noun*: when it was begun, how far it is, and between them *facts*."""
    icon, status = ENDS.get(entry.status, (":blue[:material/progress_activity:]", f"{noun} 중"))
    return Line(title, " · ".join((relative_time(entry.created_at), *facts, status)), icon)


def delete_button(page: PageState[Item, Entry], *, icon: str | None = None, later: str = "") -> None:
    """Offer to delete the open item; *later* says why that cannot be now."""
    st.button(
        "지우기",
        key="delete-run",
        type="tertiary",
        icon=icon,
        disabled=bool(later),
        help=later or None,
        on_click=partial(page.ask, "delete"),
    )


def run_tools(page: RunPageState[Run, RunEntry], run: Run) -> None:
    """Draw what can be done with the open run: taking it away as a file, and deleting it."""
    with st.container(horizontal=True, key="run-tools"):
        with st.popover(export.EXPORT, icon=":material/download:", type="tertiary", key="export-run"):
            make = partial(page.make_file, run.id, owner())  # a file is made on a thread that does not know the visitor
            export.buttons(page.EXPORTS, make, f"maekrak-{page.NAME}", run.created_at, key="export-run")
        idle = run.status.ended or run.status.waits_for_user
        delete_button(page, icon=":material/delete:", later="" if idle else f"{page.OBJECT} 멈춘 뒤에 지울 수 있어요.")


def deletion_dialog(page: PageState[Item, Entry], item_id: str, note: str) -> None:
    """Ask, if the visitor wants it to be, whether an item is to be deleted; *note* says what is lost."""
    if page.dialog == "delete":
        st.dialog(f"이 {page.OBJECT} 지울까요?", on_dismiss=page.close_dialog)(_confirm)(page, item_id, note)


def _confirm(page: PageState[Item, Entry], item_id: str, note: str) -> None:
    st.markdown(note)
    with st.container(horizontal=True):
        st.button("지울게요", key="delete-run-yes", type="primary", on_click=page.delete, args=(item_id,))
        st.button("그대로 두기", key="delete-run-no", on_click=page.ask, args=("",))


@contextmanager
def status(page: RunPageState[Run, RunEntry], words: str) -> Iterator[DeltaGenerator]:
    """Draw how far a run is, in *words*, beside what is drawn in the block; gives the box, to draw below both."""
    box = st.container(border=True, key=f"{page.NAME}-status")
    with box, st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", key=f"{page.NAME}-now"):
            st.markdown(words)
        yield box


def progress(page: RunPageState[Run, RunEntry], words: str, *, may_finish: bool) -> None:
    """Draw how far a run under way is, in *words*, with the buttons that end it."""
    with status(page, words):
        st.button(
            RUN_FINISH,
            key=f"finish-{page.NAME}",
            icon=":material/task_alt:",
            help=page.FINISH_HELP,
            disabled=not may_finish,
            on_click=page.finish,
        )
        st.button(RUN_STOP, key=f"stop-{page.NAME}", icon=":material/stop_circle:", help=page.STOP_HELP, on_click=page.stop)


def watch(
    page: RunPageState[Run, RunEntry],
    run: Run,
    draw: Callable[[Run], None],
    *,
    every_s: float,
    key: str | None = None,
) -> None:
    """Have *draw* draw a run, again and again until it has ended or waits for the visitor, or waits no more."""
    if run.status.ended:
        draw(run)
    else:
        st.fragment(_draw_live, run_every=every_s, key=key)(page, run, draw)


def _draw_live(page: RunPageState[Run, RunEntry], before: Run, draw: Callable[[Run], None]) -> None:
    run = page.find(before.id)
    if run is None or run.status.ended or run.status.waits_for_user != before.status.waits_for_user:
        st.rerun()
    else:
        draw(run)


def resume_button(page: RunPageState[Run, RunEntry], run: Run, label: str, about: str, icon: str) -> None:
    """Offer to go on with a run that did not come to its end."""
    st.button(label, key=f"resume-{page.NAME}", icon=icon, type="primary", help=about, on_click=page.resume, args=(run.id,))


def doing(run: Run, facts: Iterable[str], instead: str = "") -> str:
    """Return what a run does now, or what is said *instead*, and *facts* under it, as Markdown."""
    words = instead or ("차례를 기다리고 있어요." if run.status == "queued" else run.message)
    return with_facts(f":shimmer[**{md(words, 200)}**]", facts)


def with_facts(head: str, facts: Iterable[str]) -> str:
    """Return Markdown with small *facts* under *head*."""
    return f"{head}  \n:small[:gray[{' · '.join(facts)}]]"


def elapsed(run: Run) -> str:
    """Return for how long a run has gone on, as in "12초째" or "1분 5초째"."""
    minutes, rest = divmod(max(0, int((datetime.now(UTC) - run.created_at).total_seconds())), 60)
    if minutes:
        return f"{minutes}분 {rest}초째"
    return f"{rest}초째"
