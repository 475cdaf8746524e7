"""Changes since an earlier check of the same video."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import claims_labels, claims_marks, claims_state, run_page
from pages.parts.escaping import link, md
from search_core.domain import ClaimCheck, ClaimsEntry, ClaimSource, ClaimsRun

if TYPE_CHECKING:
    from search_core.claims.difference import ClaimsDifference, VerdictChange

TEXT_CHARS = 200


def changes(run: ClaimsRun, earlier: ClaimsEntry | None) -> None:
    """Draw what has changed between the *earlier* run and this one; its summary stands under the fold."""
    if earlier is not None:
        with st.container(key="claims-changes"):
            run_page.changes(claims_state.claims_page(), run, earlier, _lines)


def _lines(found: ClaimsDifference, _: ClaimsRun) -> Iterator[str]:
    yield from run_page.change_list(claims_labels.CHANGED_VERDICTS, map(_verdict, found.verdicts))
    fresh = (f"{_claim(each.check)}{''.join(map(_source, each.sources[: run_page.MAX_CHANGES]))}" for each in found.sources)
    yield from run_page.change_list(claims_labels.NEW_SOURCES, fresh)
    yield from run_page.change_list(claims_labels.NEW_CLAIMS, map(_claim, found.new))
    yield from run_page.change_list(claims_labels.GONE_CLAIMS, map(_claim, found.gone))


def _verdict(change: VerdictChange) -> str:
    turned = f"{_badge(change.before)} → {_badge(change.after)}"
    return f"{turned} {md(change.after.claim.text, TEXT_CHARS)}"


def _claim(check: ClaimCheck) -> str:
    return f"{_badge(check)} {md(check.claim.text, TEXT_CHARS)}"


def _badge(check: ClaimCheck) -> str:
    return claims_marks.badge(claims_marks.kind_of(check))


def _source(source: ClaimSource) -> str:
    return f"\n  - :small[{link(source.title or source.url, source.url, 120)} :gray[{md(source.domain, 60)}]]"
