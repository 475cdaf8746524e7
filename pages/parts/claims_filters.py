"""Which claims of a run are in sight: by what their check came to, and by when their sources appeared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from pages.parts import claims_labels, claims_marks
from search_core.domain import ClaimCheck, ClaimsRun

_WHEN = {"all": claims_labels.WHEN_ALL, "before": claims_labels.WHEN_BEFORE, "after": claims_labels.WHEN_AFTER}
_AFTER = {"before": False, "after": True}


def filters(run: ClaimsRun) -> tuple[ClaimCheck, ...]:
    """Draw the filters, which are the legend of the timeline as well, and return the checks that pass them."""
    counts = Counter(map(claims_marks.kind_of, run.checks))
    kinds = [kind for kind in claims_labels.WORDS if counts[kind]]
    with st.container(horizontal=True, vertical_alignment="center", key="claims-filters"):
        picked = st.pills(
            claims_labels.FILTER,
            options=kinds,
            selection_mode="multi",
            format_func=lambda kind: claims_labels.FILTER_OPTION.format(
                icon=claims_marks.icon(kind), word=claims_labels.WORDS[kind], count=counts[kind]
            ),
            key=f"claims-kinds-{run.id}",
            label_visibility="collapsed",
            wrap=True,
        )
        when = "all"
        if _dated(run):
            when = st.segmented_control(
                claims_labels.WHEN,
                options=list(_WHEN),
                format_func=_WHEN.__getitem__,
                default="all",
                required=True,
                key=f"claims-when-{run.id}",
                label_visibility="collapsed",
            )
    return passing(run.checks, picked, when)


def passing(checks: Sequence[ClaimCheck], kinds: Sequence[str], when: str) -> tuple[ClaimCheck, ...]:
    """Return the *checks* of these *kinds*, of all where none is named, with a source from before or after the video."""
    return tuple(
        check
        for check in checks
        if (not kinds or claims_marks.kind_of(check) in kinds)
        and (when not in _AFTER or any(row.after_video is _AFTER[when] for row in check.rows))
    )


def _dated(run: ClaimsRun) -> bool:
    return any(row.after_video is not None for check in run.checks for row in check.rows)
