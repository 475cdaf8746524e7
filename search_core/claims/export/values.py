"""A check as values for JSON, for scripts; a shape of its own, without the transcript."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from search_core.domain import ClaimCheck, ClaimSource, ClaimsRun, VideoContext
from search_core.presenting.claim_text import Evidence, evidence_of, verdict_text
from search_core.presenting.wording import moment_url


def json_file(run: ClaimsRun) -> bytes:
    """Return *run* as JSON, UTF-8."""
    return json.dumps(claims_json(run), ensure_ascii=False, indent=2).encode("utf-8", "replace")


def claims_json(run: ClaimsRun) -> dict[str, Any]:
    """Return *run* as plain values; times are ISO 8601, moments seconds."""
    video = run.request.video
    return {
        "id": run.id,
        "status": run.status.value,
        "created_at": _time(run.created_at),
        "ended_at": _time(run.ended_at),
        "video": {
            "title": video.title,
            "url": video.url,
            "channel": video.channel,
            "published_at": _time(video.published_at),
            "sample": video.sample,
            "transcript_origin": video.transcript_origin.value,
            "transcript_model": video.transcript_model,
        },
        "claims": [_claim(check, video) for check in run.checks],
        "failures": [{"kind": each.kind, "description": each.description, "korean": each.korean} for each in run.failures],
        "coverage": list(run.coverage),
    }


def _claim(check: ClaimCheck, video: VideoContext) -> dict[str, Any]:
    claim, found = check.claim, evidence_of(check)
    return {
        "number": claim.number,
        "text": claim.text,
        "origin": claim.origin.value,
        "speaker": claim.speaker,
        "moments": [
            {
                "start_s": moment.start_s if moment.timed else None,
                "end_s": moment.end_s if moment.timed else None,
                "quote": moment.quote,
                "uncertain": video.is_uncertain(moment.start_s, moment.end_s),
                "url": moment_url(video, moment.start_s) if moment.timed else "",
            }
            for moment in claim.moments
        ],
        "state": check.state.value,
        "verdict": check.verdict.value if check.verdict is not None else None,
        "label": verdict_text(check),
        "own_verdict": check.own_verdict.value if check.own_verdict is not None else None,
        "independent": check.independent,
        "why": check.why,
        "query": check.query,
        "services": list(check.services),
        "failure": check.failure,
        "judged_by_rules_alone": check.judged_by_rules_alone,
        "evidence": [_evidence(each, counted=True) for each in found.web],
        "uncounted": [_evidence(each, counted=False) for each in found.speakers],
        "own_documents": [_evidence(each, counted=False) for each in found.own],
    }


def _evidence(evidence: Evidence, *, counted: bool) -> dict[str, Any]:
    row = evidence.row
    return {
        "stance": row.stance.value,
        "said": row.statement,
        "found": row.quote,
        "why": row.why,
        "judge": row.judge.value,
        "probability": row.probability,
        "date": _time(row.date),
        "after_video": row.after_video,
        "counted": counted,
        "uncounted_because": evidence.uncounted,
        "source": _source(evidence.source),
        "copies": [_source(source) for source in evidence.copies],
    }


def _source(source: ClaimSource) -> dict[str, Any]:
    return {
        "title": source.title,
        "url": source.url,
        "domain": source.domain,
        "published_at": _time(source.publish_date),
        "read": source.read,
        "speakers_own": source.speakers_own,
        "collection": source.collection,
    }


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
