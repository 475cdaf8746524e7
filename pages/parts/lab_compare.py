"""Two settings side by side on the chosen searches, and weights that the labels speak for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts import controls, lab_choice, lab_labels, services
from pages.parts.escaping import md
from pages.parts.visitor import owner
from search_core.domain import RankingOptions, RankingWeights, SearchResult, StoredSearch
from search_core.evaluation.comparison import Comparison, SearchChange, WeightProposal, change_since, compare, propose_weights
from search_core.evaluation.labels import LabelledSearch
from search_core.evaluation.measures import Figure, Measures
from search_core.presenting import PART_NAMES, korean_date

FIRST_KEY, SECOND_KEY = "lab-first", "lab-second"
CHANGES_SHOWN = 20
_PROPOSAL = "lab-proposal"


def settings() -> dict[str, RankingOptions]:
    """Return the settings that can be held against each other, by what they are called."""
    core = services.core()
    known = {lab_labels.SETTINGS_NOW: controls.ranking(), lab_labels.SETTINGS_DEFAULT: core.default_options().ranking}
    proposal: WeightProposal | None = st.session_state.get(_PROPOSAL)
    if proposal is not None and proposal.weights is not None:
        known[lab_labels.SETTINGS_PROPOSED] = replace(controls.ranking(), weights=proposal.weights)
    return {**known, **core.stored_searches.profiles(owner())}


def comparison(searches: Sequence[LabelledSearch]) -> None:
    """Draw the choice of two settings, their measures, whether they differ, and what each search shows otherwise."""
    known = settings()
    names = list(known)
    with st.container(horizontal=True, key="lab-two"):
        first = _choice(lab_labels.FIRST, names, FIRST_KEY, 0)
        second = _choice(lab_labels.SECOND, names, SECOND_KEY, 1)
    found = compare(searches, known[first], known[second])
    st.dataframe(_rows(first, found.first, second, found.second), hide_index=True, key="lab-measures")
    st.markdown(describe_difference(found))
    if not found.changes:
        st.caption(lab_labels.NO_CHANGES)
        return
    panel = st.expander(
        lab_labels.CHANGES.format(count=len(found.changes)), key="lab-changes", on_change="rerun", icon=":material/swap_vert:"
    )
    if panel.open:
        with panel:
            for change in found.changes[:CHANGES_SHOWN]:
                st.markdown(_change(change))


def since(stored: Sequence[StoredSearch], ranking: RankingOptions) -> None:
    """Where two searches of one question were picked, draw what came, went and moved from the earlier to the later."""
    if len(stored) != 2 or stored[0].entry.query != stored[1].entry.query:
        return
    earlier, later = sorted(stored, key=lambda search: search.entry.created_at)
    change = change_since(LabelledSearch.of(earlier), LabelledSearch.of(later), ranking)
    days = {"before": korean_date(earlier.entry.created_at), "after": korean_date(later.entry.created_at)}
    st.markdown(lab_labels.SINCE.format(query=md(later.entry.query, 120), **days))
    st.markdown(lab_labels.SINCE_NONE if change.empty else _change(change))


def describe_difference(found: Comparison) -> str:
    """Return in words whether the second settings differ from the first in nDCG@10."""
    figure = found.ndcg.figure
    if figure.value is None or figure.low is None or figure.high is None:
        return lab_labels.FEW_SEARCHES.format(count=figure.searches)
    words = lab_labels.DIFFERENCE if found.ndcg.shown else lab_labels.NO_DIFFERENCE
    return words.format(value=figure.value, low=figure.low, high=figure.high)


def weights(searches: Sequence[LabelledSearch]) -> None:
    """Draw the search for better weights, and what it proposes."""
    st.button(
        lab_labels.PROPOSE,
        key="lab-propose",
        help=lab_labels.PROPOSE_HELP,
        icon=":material/tune:",
        on_click=_propose,
        args=(searches,),
    )
    proposal: WeightProposal | None = st.session_state.get(_PROPOSAL)
    with st.container(key="lab-proposal"):
        if proposal is None:
            return
        if proposal.missing_searches:
            st.info(lab_labels.PROPOSE_FEW.format(missing=proposal.missing_searches, searches=proposal.searches))
        elif proposal.weights is None or proposal.gain is None:
            st.info(lab_labels.PROPOSE_NONE)
        else:
            figure = proposal.gain.figure
            st.success(lab_labels.PROPOSED.format(value=figure.value, low=figure.low, high=figure.high))
            st.markdown(_weights_line(proposal.weights))
            st.button(lab_labels.USE_PROPOSED, key="lab-use-weights", on_click=_use, args=(proposal.weights,))


def _choice(label: str, names: list[str], key: str, place: int) -> str:
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[min(place, len(names) - 1)]
    return st.selectbox(label, names, key=key, format_func=lambda name: name, persist_state="session")


def _rows(first: str, one: Measures, second: str, other: Measures) -> list[Mapping[str, str]]:
    return [
        {
            lab_labels.MEASURE: words,
            f"{lab_labels.FIRST} · {first}": _figure(getattr(one, name)),
            f"{lab_labels.SECOND} · {second}": _figure(getattr(other, name)),
        }
        for name, words in lab_labels.MEASURE_NAMES.items()
    ]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    return f"{figure.value:.3f}" + (f" ({figure.low:.3f}–{figure.high:.3f})" if figure.low is not None else "")


def _change(change: SearchChange) -> str:
    def line(word: str, result: SearchResult) -> str:
        label = change.search.labels.get(result.url)
        said = f" · {lab_labels.LABELS[label]}" if label else ""
        return f"    - {word}: {md(result.title, 100) or lab_labels.HASHED_TITLE}{said}"

    moved = (line(lab_labels.CHANGE_MOVED.format(before=move.before, after=move.after), move.result) for move in change.moved)
    entered = (line(lab_labels.CHANGE_IN, result) for result in change.entered)
    left = (line(lab_labels.CHANGE_OUT, result) for result in change.left)
    return "\n".join([f"- **{md(change.search.query, 120)}**", *entered, *left, *moved])


def _weights_line(weights: RankingWeights) -> str:
    return " · ".join(
        f"{name} {round(getattr(weights, part) * 100)}" for part, name in PART_NAMES.items() if hasattr(weights, part)
    )


def _propose(searches: Sequence[LabelledSearch]) -> None:
    st.session_state[_PROPOSAL] = propose_weights(searches, controls.ranking())


def _use(weights: RankingWeights) -> None:
    controls.use(replace(controls.ranking(), weights=weights))
    st.session_state[lab_choice.NOTE_KEY] = lab_labels.PROPOSED_USED
