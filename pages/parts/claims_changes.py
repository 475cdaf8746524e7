"""Changes since an earlier check of the same video."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import claims_labels, claims_marks, claims_state
from pages.parts.escaping import link, md
from search_core.domain import ClaimCheck, ClaimsEntry, ClaimSource, ClaimsRun
from search_core.presenting import korean_date

if TYPE_CHECKING:
    from search_core.claims.difference import ClaimsDifference, VerdictChange

MAX_CHANGES = 8
"""Changes shown of one kind."""
TEXT_CHARS = 200


def changes(run: ClaimsRun, earlier: ClaimsEntry | None) -> None:
    """Draw what has changed between the *earlier* run and this one; its summary stands over the fold."""
    if earlier is None:
        return
    with st.container(key="claims-changes"):
        label = claims_labels.CHANGES.format(when=korean_date(earlier.created_at))
        panel = st.expander(label, key=f"changes-{run.id}", type="compact", icon=":material/difference:", on_change="rerun")
        found = claims_state.difference(earlier.id, run)
        if found is not None and not panel.open:
            st.caption(md(found.summary, 600))
        if panel.open:
            with panel:
                st.markdown("\n\n".join(_lines(found)) if found is not None else claims_labels.EARLIER_GONE)


def _lines(found: ClaimsDifference) -> Iterator[str]:
    yield md(found.summary, 600)
    yield from _list(claims_labels.CHANGED_VERDICTS, map(_verdict, found.verdicts))
    fresh = (f"{_claim(each.check)}{''.join(map(_source, each.sources[:MAX_CHANGES]))}" for each in found.sources)
    yield from _list(claims_labels.NEW_SOURCES, fresh)
    yield from _list(claims_labels.NEW_CLAIMS, map(_claim, found.new))
    yield from _list(claims_labels.GONE_CLAIMS, map(_claim, found.gone))


def _list(title: str, items: Iterable[str]) -> Iterator[str]:
    lines = list(items)
    if lines:
        shown = "\n".join(f"- {line}" for line in lines[:MAX_CHANGES])
        yield f"**{title}**\n\n{shown}"
        if len(lines) > MAX_CHANGES:
            yield f":small[:gray[{claims_labels.MORE_CHANGES.format(count=len(lines) - MAX_CHANGES)}]]"


def _verdict(change: VerdictChange) -> str:
    turned = f"{_badge(change.before)} → {_badge(change.after)}"
    return f"{turned} {md(change.after.claim.text, TEXT_CHARS)}"


def _claim(check: ClaimCheck) -> str:
    return f"{_badge(check)} {md(check.claim.text, TEXT_CHARS)}"


def _badge(check: ClaimCheck) -> str:
    return claims_marks.badge(claims_marks.kind_of(check))


def _source(source: ClaimSource) -> str:
    return f"\n  - :small[{link(source.title or source.url, source.url, 120)} :gray[{md(source.domain, 60)}]]"
