"""Searches and profiles of the lab: chosen in a table, taken in and out as files, a list of questions searched in one go."""

from __future__ import annotations

import csv
import hashlib
import io
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts import controls, result_labels, services
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import Question, RankingOptions, SearchOptions, StoredSearch, StoredSearchEntry, video_key
from search_core.errors import MaekrakError
from search_core.presenting import korean_date
from search_core.ranking.evaluation.label_file import labelled_line, qrels_text, read_labelled_line, run_text
from search_core.ranking.evaluation.labels import LabelledSearch
from search_core.ranking.evaluation.profile import MAX_PROFILE_BYTES, Profile, profile_json, read_profile
from search_core.text.json_line import as_line, read_line

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from search_core.core import SearchJob

SCOPE_KEY, TABLE_KEY, NOTE_KEY = "lab-scope", "lab-table", "lab-note"
_SET = "set:"
LABELLED = "labelled"
"""The name of the scope of searches with labels."""
SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "labelled_searches.jsonl"
MAX_BYTES = 10 << 20
MOST_QUESTIONS = 200
LOOK_S = 0.5
_BATCH = "lab-batch"
NAME_KEY = "profile-name"
SCOPE = "어느 검색으로 볼까요?"
COLUMNS = ("질문", "영상", "검색한 때", "판정", "예시")
SET_NAME, SET_SAVE, SET_SAVED = "모음 이름", "고른 검색을 모음으로", "모음 “{name}”에 검색 {count}건을 넣었어요."
PROFILE_SAVED, PROFILE_DELETED = "프로필 “{name}”을 두었어요.", "프로필 “{name}”을 지웠어요."
PROFILE_IMPORT = "프로필 파일 가져오기 (JSON, 1MB까지)"
IMPORT = "판정 파일 가져오기 (JSONL, 10MB까지)"
BATCH = "질문 목록을 한꺼번에 검색하기 (CSV, 첫 칸이 질문, 1MB까지)"


def choose() -> tuple[StoredSearch, ...]:
    """Draw the choice, where there is one, and return the chosen searches as they are stored, newest first."""
    searches = services.core().stored_searches
    everything = searches.count(owner())
    if not everything:
        return ()
    scopes = _scopes()
    if st.session_state.get(SCOPE_KEY) not in scopes:
        st.session_state[SCOPE_KEY] = LABELLED if searches.entries(owner(), labelled=True) else "all"
    words = {name: called for name, (called, _) in scopes.items()}
    scope = st.selectbox(SCOPE, list(words), key=SCOPE_KEY, format_func=words.__getitem__, persist_state="session")
    entries = searches.entries(owner(), **scopes[scope][1])
    if not entries:
        st.caption("여기에 해당하는 검색이 없어요.")
        return ()
    if everything > len(entries) and scope == "all":
        st.caption(f"보관한 검색 {everything}건 가운데 최근 {len(entries)}건을 보여드려요.")
    picked = _table(entries)
    return result_labels.load(tuple((entry.id, entry.labels) for entry in picked or entries))


def summarize(searches: Sequence[LabelledSearch]) -> None:
    """Say how many searches, results and labels are looked at."""
    results = sum(len(search.results) for search in searches)
    labels = sum(len(search.labels) for search in searches)
    share = labels / results if results else 0.0
    st.caption(f"검색 **{len(searches)}건** · 결과 {results}개 · 판정 {labels}개 (결과의 {share:.0%})")


def name_scorers(stored: Sequence[StoredSearch]) -> None:
    """Say which scorers gave the scores, where there is more than one: a threshold holds for the scores of one."""
    counts = Counter(search.report.scorer for search in stored if search.report.scorer not in ("", "none"))
    if len(counts) > 1:
        names = ", ".join(f"{md(name, 60)} {count}건" for name, count in counts.most_common())
        st.caption(f"채점 방식이 서로 달라요 ({names}). 점수의 눈금이 달라서, 기준은 한 방식으로 채점한 검색끼리 볼 때 맞아요.")


def _scopes() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return what can be looked at: by its name in the session, what it is called and which searches are of it."""
    scopes: dict[str, tuple[str, dict[str, Any]]] = {
        LABELLED: ("판정한 검색", {"labelled": True}),
        "all": ("모든 검색", {}),
        "week": ("최근 7일", {"since": datetime.now(UTC) - timedelta(days=7)}),
    }
    if (video := page_session().video) is not None:
        scopes["video"] = ("열린 영상의 검색", {"video": video_key(video)})
    for name, count in services.core().stored_searches.sets(owner()).items():
        scopes[f"{_SET}{name}"] = (f"모음 “{clean(name, 40)}” ({count})", {"set_name": name})
    return scopes


def _table(entries: Sequence[StoredSearchEntry]) -> list[StoredSearchEntry]:
    query, video, when, labels, sample = COLUMNS
    rows = {
        query: [clean(entry.query, 200) for entry in entries],
        video: [clean(entry.video_title, 80) for entry in entries],
        when: [korean_date(entry.created_at) for entry in entries],
        labels: [entry.labels for entry in entries],
        sample: [entry.sample for entry in entries],
    }
    state: Any = st.dataframe(
        rows,
        key=f"{TABLE_KEY}-{len(entries)}",
        on_select="rerun",
        selection_mode="multi-row",
        hide_index=True,
        height=min(320, 38 + 35 * len(entries)),
    )
    picked = [entries[row] for row in state.selection.rows if row < len(entries)]
    st.caption("표에서 고르면 고른 검색만 봐요. 지금은 표에 있는 검색을 모두 봐요.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab-picked"):
        if picked:
            name = st.text_input(SET_NAME, key="lab-set-name", max_chars=60, width=220)
            st.button(SET_SAVE, key="lab-set-save", disabled=not name.strip(), on_click=_save_set, args=(name, picked))
            st.button("고른 검색 지우기", key="lab-delete", icon=":material/delete:", on_click=_delete, args=(picked,))
            if len(picked) == 1:
                st.link_button("검색 페이지에서 열기", f"/?job={picked[0].id}", icon=":material/open_in_new:")
    return picked


def _save_set(name: str, picked: Sequence[StoredSearchEntry]) -> None:
    services.core().stored_searches.put_in_set(name.strip(), owner(), [entry.id for entry in picked])
    st.session_state[NOTE_KEY] = SET_SAVED.format(name=md(name.strip(), 60), count=len(picked))


def _delete(picked: Sequence[StoredSearchEntry]) -> None:
    ids = [entry.id for entry in picked]
    count = services.core().delete_searches(ids, owner())
    if page_session().search_id in ids:
        page_session().drop_search()
    result_labels.load.clear()
    st.session_state[NOTE_KEY] = f"검색 {count}건과 그 판정을 지웠어요."


@dataclass(slots=True)
class Batch:
    """A list of questions that are searched one after the other."""

    questions: tuple[str, ...]
    done: int = 0
    job: SearchJob | None = None
    stopped: bool = False
    failures: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Return whether nothing is left to be searched."""
        return self.stopped or (self.job is None and self.done == len(self.questions))

    def fail(self, error: MaekrakError | None) -> None:
        """Note that the present question could not be searched for."""
        query, korean = md(self.questions[self.done], 80), md(error.korean if error is not None else "")
        self.failures.append(f"“{query}”: {korean}")


def load_samples() -> None:
    """Put the labelled searches that ship with the app into the visitor's own, marked as samples."""
    count, _ = _store_lines(SAMPLES.read_text(encoding="utf-8"), sample=True)
    st.session_state[SCOPE_KEY] = LABELLED
    st.session_state[NOTE_KEY] = f"예시 검색 {count}건을 불러왔어요. 목록에 “예시”로 표시돼요."


def exports(searches: Sequence[LabelledSearch], ranking: RankingOptions) -> None:
    """Draw a button for each form in which the chosen searches are taken away."""
    forms: dict[str, tuple[str, Callable[[], str]]] = {
        "판정과 검색 (JSONL)": ("jsonl", lambda: "".join(as_line(labelled_line(search)) + "\n" for search in searches)),
        "판정 (TREC qrels)": ("qrels.txt", partial(qrels_text, searches)),
        "순서 (TREC run)": ("run.txt", partial(run_text, searches, ranking)),
    }
    with st.container(horizontal=True, key="lab-exports"):
        for words, (ending, make) in forms.items():
            st.download_button(words, make, f"maekrak-labels.{ending}", "text/plain", key=f"lab-{ending}", on_click="ignore")


def imports() -> None:
    """Draw the box for a file of labelled searches, which are scored where they are not."""
    given = _new_file(IMPORT, ["jsonl", "json", "txt"], "lab-import", MAX_BYTES >> 20)
    if given is None:
        return
    count, bad = _store_lines(given.getvalue().decode("utf-8-sig", "replace"))
    st.success(f"검색 {count}건을 가져왔어요.")
    for number, korean in bad[:10]:
        st.warning(f"{number}번째 줄은 읽지 못했어요. {md(korean)}")


def _new_file(label: str, kinds: list[str], key: str, megabytes: int) -> UploadedFile | None:
    """Draw a box for a file, and return a file once."""
    given = st.file_uploader(label, type=kinds, key=key, max_upload_size=megabytes)
    seen = f"{key}-seen"
    if given is None or st.session_state.get(seen) == given.file_id:
        return None
    st.session_state[seen] = given.file_id
    return given


def batch() -> None:
    """Draw the box for a list of questions, and how far searching them has come."""
    given = st.file_uploader(BATCH, type=["csv", "txt"], key="lab-questions", max_upload_size=1)
    if given is not None:
        if not (questions := _read_questions(given.getvalue())):
            st.warning("질문이 없는 파일이에요. 한 줄에 질문 하나씩 적어 주세요.")
        else:
            st.caption(f"질문 {len(questions)}개를 지금 고른 검색 서비스에 물어요.")
            st.button("모두 검색하기", key="lab-batch-run", type="primary", on_click=_start, args=(questions,))
    with st.container(key="lab-batch-place"):
        running: Batch | None = st.session_state.get(_BATCH)
        if running is not None:
            st.fragment(_batch_state, run_every=None if running.over else LOOK_S)()


def _read_questions(data: bytes) -> tuple[str, ...]:
    """Return the first cells of a CSV, each once, at most `MOST_QUESTIONS`; a heading that names the column is left out."""
    rows = csv.reader(io.StringIO(data.decode("utf-8-sig", "replace").replace("\0", "")))
    cells = [row[0].strip() for row in rows if row]
    if cells and cells[0].lower() in ("query", "question", "질문"):
        cells = cells[1:]
    return tuple(dict.fromkeys(filter(None, cells)))[:MOST_QUESTIONS]


def _store_lines(text: str, *, sample: bool = False) -> tuple[int, list[tuple[int, str]]]:
    """Keep the labelled searches in *text* as the visitor's own; return how many, and what is wrong with the others."""
    core, whose, count, bad = services.core(), owner(), 0, []
    digest = hashlib.sha256(whose.encode()).hexdigest()[:16]  # so that loading samples again puts them back and adds none
    for number, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            continue
        try:
            line = read_labelled_line(read_line(row), datetime.now(UTC))
            report = core.report_on(Question(text=line.search.query, video=line.video), line.search.results)
            name = f"sample-{number}-{digest}" if sample else secrets.token_urlsafe(12)
            core.stored_searches.keep(name, whose, report, sample=sample)
            for address, label in line.search.labels.items():
                core.stored_searches.label(name, whose, address, label)
            count += 1
        except MaekrakError as error:
            bad.append((number, error.korean))
    result_labels.load.clear()
    return count, bad


def _start(questions: tuple[str, ...]) -> None:
    st.session_state[_BATCH] = Batch(questions)


def _stop() -> None:
    running: Batch = st.session_state[_BATCH]
    running.stopped = True
    if running.job is not None:
        running.job.cancel()
        running.job = None


def _batch_state() -> None:
    running: Batch = st.session_state[_BATCH]
    was_over = running.over
    _advance(running)
    if running.stopped:
        st.info(f"{running.done}개까지 검색하고 멈췄어요.")
    elif running.over:
        st.success(f"질문 {running.done - len(running.failures)}개를 검색해 보관했어요.")
    else:
        count = len(running.questions)
        st.progress(running.done / count, text=f"{running.done} / {count}개 검색함")
        st.button("그만두기", key="lab-batch-stop", on_click=_stop)
    for failure in running.failures[:10]:
        st.caption(failure)
    if running.over and not was_over:
        result_labels.load.clear()
        st.rerun()


def _advance(running: Batch) -> None:
    """Take over a search that has ended, and start the next."""
    core = services.core()
    job = running.job
    if job is not None and job.done:
        if job.report is None:
            running.fail(job.error)
        else:
            core.stored_searches.keep(job.id, owner(), job.report)
        running.job, running.done = None, running.done + 1
    if running.job is None and not running.over:
        question = Question(text=running.questions[running.done], video=page_session().video)
        options = SearchOptions(providers=controls.chosen_providers(), ranking=controls.ranking())
        try:
            running.job = core.start_search(question, options)
        except MaekrakError as error:
            running.fail(error)
            running.done += 1


def profile_list() -> None:
    """Draw what the lab offers for profiles: store the present settings, export one, delete one."""
    searches, whose = services.core().stored_searches, owner()
    with st.container(horizontal=True, vertical_alignment="bottom", key="profile-new"):
        name = st.text_input("이름", key=NAME_KEY, max_chars=60, width=260)
        st.button("지금 설정을 프로필로", key="profile-save", disabled=not name.strip(), on_click=_save, args=(name,))
    for place, (each, ranking) in enumerate(searches.profiles(whose).items()):
        with st.container(horizontal=True, vertical_alignment="center", key=f"profile-{place}"):
            st.markdown(f"**{md(each, 60)}**", width=260)
            st.download_button(
                "파일로",
                profile_json(Profile(name=each, ranking=ranking)),
                f"maekrak-profile-{place + 1}.json",
                key=f"profile-file-{place}",
                on_click="ignore",
            )
            st.button("지우기", key=f"profile-delete-{place}", on_click=_delete_profile, args=(each,))


def profile_imports() -> None:
    """Draw the box for a profile in a file."""
    searches, whose = services.core().stored_searches, owner()
    given = _new_file(PROFILE_IMPORT, ["json"], "profile-import", 1)
    if given is None:
        return
    try:
        profile = read_profile(given.getvalue()[: MAX_PROFILE_BYTES + 1])
        searches.put_profile(profile.name, whose, profile.ranking)
        st.session_state[NOTE_KEY] = PROFILE_SAVED.format(name=md(profile.name, 60))
        st.rerun()
    except MaekrakError as error:
        st.warning(md(error.korean))


def _save(name: str) -> None:
    services.core().stored_searches.put_profile(name.strip(), owner(), replace(controls.ranking()))
    st.session_state[NAME_KEY] = ""
    st.session_state[NOTE_KEY] = PROFILE_SAVED.format(name=md(name.strip(), 60))


def _delete_profile(name: str) -> None:
    services.core().stored_searches.delete_profile(name, owner())
    st.session_state[NOTE_KEY] = PROFILE_DELETED.format(name=md(name, 60))
