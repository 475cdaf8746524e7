"""How well it is told whether sentences of real videos stand alone, and where they end.

Labels are those of ``data/claims_videos.jsonl``, of videos kept aside: precision is the share of claims among what is called one,
recall the share of the claims that is. Boundaries are those of Korean transcripts without their signs; a sign counts where a verb
has its last ending, for recognisers put one wherever somebody takes a breath. Own sentences hold relative times: everything they
must hold is there and nothing they must not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from search_core.answers.sentence_classes import SentenceClass, classify_sentences
from search_core.checking.claims import find_claims, find_groups, score_check_worthiness
from search_core.checking.claims.finder import may_stand_alone, stands_alone
from search_core.checking.claims.times import name_times
from search_core.domain.video import VideoContext
from search_core.language.korean import has_hangul
from search_core.language.statements.proposition import without_lead
from search_core.models.embedding import Embedder
from search_core.video import samples
from search_core.video.sentences import JudgeEnds, spoken_sentences
from tests.quality import claim_videos
from tests.quality.claim_videos import sentence_hash
from tests.quality.learn_standing_weights import vectors_before
from tests.quality.queries_quality import missing_from
from tests.quality.scope import KIWI, Scope
from tests.quality.scorers import LOAD_S, hosts
from tests.quality.sets import f1, read_rows, share, share_or_all, under
from tests.quality.spoken_words import KEPT_ASIDE, UNKNOWN, english_videos, video_words, without_signs

_FIRST = 20
_NUMBER = re.compile(r"\d+")
_SIGNS = re.compile(r"[.?!…]+(?=\s|$)|,(?=\s)")
_LAST = re.compile(r"(?:니다|니까|죠|요|까|다)(?:[.?!…]+(?=\s|$)|$)")


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name."""
    rows = read_rows("claims_standing")
    figures = {"own/times_right": share(not missing_from(_timed(row), row) for row in rows)}
    figures["samples/nothing_invented"] = share(
        set(_NUMBER.findall(claim.text)) <= set(_NUMBER.findall(_all_said(video)))
        for video in (replace(sample, published_at=None) for sample in samples())
        for claim in find_claims(video).claims
    )
    if scope.reads_development:
        figures["boundaries/korean_f1"] = _boundaries()
        figures["boundaries/english_f1"] = english_f1(KEPT_ASIDE)
    for model, host in hosts(scope):
        embedder = host.wait(LOAD_S)
        found = _samples(embedder)
        if scope.reads_development:
            found |= _standing(embedder)
            if model != KIWI:  # words alone put nothing in front
                found |= _widened(embedder) | _first_claims(embedder)
                found["english_boundaries_f1"] = english_f1(KEPT_ASIDE, host.sentence_ends.odds_or_none)
        figures |= under(embedder.name, found)
    return under("claims/standing", figures)


def _timed(row: dict[str, Any]) -> str:
    published = VideoContext.from_mapping(row["video"]).published_at
    return name_times(row["said"], published.date() if published else None)


def _samples(embedder: Embedder) -> dict[str, float]:
    """Return how many labelled sentences of the samples that are found are claims, and how many of the claims are found."""
    rows = read_rows("claims_samples")
    told = {
        (sample.video_id, moment.quote)
        for sample in samples()
        for claim in find_claims(sample, embedder, within_s=float("inf")).claims
        for moment in claim.moments
    }
    found = [(row["video"], row["text"]) in told for row in rows]
    return {
        "samples_precision": share_or_all(row["claim"] for row, here in zip(rows, found, strict=True) if here),
        "samples_recall": share(here for row, here in zip(rows, found, strict=True) if row["claim"]),
    }


def _standing(embedder: Embedder) -> dict[str, float]:
    rows = claim_videos.kept_aside()
    texts = [row.text for row in rows]
    vectors, earlier = [None] * len(rows), [None] * len(rows)
    if embedder.name != KIWI:
        vectors, earlier = [*embedder.embed(texts)], [*vectors_before(rows, embedder)]
    judged = classify_sentences(texts, [row.before for row in rows], vectors, earlier)
    by_meaning = embedder.name != KIWI
    told = [stands_alone(standing, text, by_meaning=by_meaning) for standing, text in zip(judged, texts, strict=True)]
    likely = [not sure and may_stand_alone(standing) for sure, standing in zip(told, judged, strict=True)]
    right = [row.label is SentenceClass.CLAIM for row in rows]
    figures = {}
    for language, korean in (("korean", True), ("english", False)):
        here = [place for place, text in enumerate(texts) if has_hangul(text) is korean]
        figures[f"{language}_precision"] = share_or_all(right[place] for place in here if told[place])
        if any(likely[place] for place in here):  # words alone have none
            figures[f"{language}_less_certain_precision"] = share(right[place] for place in here if likely[place])
        figures[f"{language}_recall"] = share_or_all(told[place] for place in here if right[place])
    return figures


def _first_claims(embedder: Embedder) -> dict[str, float]:
    """Return of the first claims of each video kept aside the share that is some, of those that have a label.

    One behind the sentence before it is right where that names the subject it has lost.
    """
    rows = {(row.video, sentence_hash(row.text)): row.label for row in claim_videos.labelled() if row.kept_aside}
    names = {(row.said[1], row.said[2]): row.right for row in claim_videos.widened()}
    right: dict[str, list[bool]] = {"korean": [], "english": []}
    for video in sorted({video for video, _ in rows}):
        context = claim_videos.videos()[video]
        said = [sentence.text for sentence in spoken_sentences(context.transcript)]
        read = {text: without_lead(text) for text in said}
        pairs = {f"{before} {text}": (read[before], read[text]) for before, text in pairwise(said)}
        claims = find_claims(context, embedder, within_s=float("inf")).claims
        for claim in sorted(claims, key=lambda each: -each.score)[:_FIRST]:
            quote = claim.moments[0].quote
            found = names.get(pairs[quote]) if quote in pairs else rows.get((video, sentence_hash(read[quote])))
            if found is not None:
                right["korean" if has_hangul(quote) else "english"].append(found in (True, SentenceClass.CLAIM))
    return {f"{language}_first_claims_precision": share(each) for language, each in right.items()}


def _widened(embedder: Embedder) -> dict[str, float]:
    """Return how often a sentence put in front names the subject, and of those that would the share that is put there."""
    rows = claim_videos.widened()
    texts = [text for row in rows for text in row.said]
    found, _ = find_groups(texts, score_check_worthiness(texts, embedder))
    told = {each.sentence for group in found for each in group if each.widened}
    right = {place * len(row.said) + len(row.said) - 1: row.right for place, row in enumerate(rows)}
    return {
        "widened_precision": share_or_all(names for place, names in right.items() if place in told),
        "widened_recall": share_or_all(place in told for place, names in right.items() if names),
    }


def _boundaries() -> float:
    both = found = there = 0
    for video in claim_videos.videos().values():
        if not video.transcript or not has_hangul(video.transcript[0].text):
            continue
        wanted, told, letters = set(), set(), 0
        for cue in video.transcript:
            wanted |= {letters + _letters(cue.text[: end.end()]) for end in _LAST.finditer(cue.text)}
            letters += _letters(cue.text)
        letters = 0
        for sentence in spoken_sentences([replace(cue, text=_SIGNS.sub("", cue.text)) for cue in video.transcript]):
            letters += _letters(sentence.text)
            told.add(letters)
        both, found, there = both + len(wanted & told), found + len(told), there + len(wanted)
    return f1(both, found, there)


def english_f1(names: Iterable[str], judge: JudgeEnds | None = None) -> float:
    """Return the F1 of ends in English videos without signs and capital letters."""
    return f1(*map(sum, zip(*(english_boundaries(name, judge) for name in names), strict=True)))


def english_boundaries(name: str, judge: JudgeEnds | None = None) -> tuple[int, int, int]:
    """Return of a video without signs and capital letters how many ends are found rightly, are found, and are there."""
    letters, ends, unknown = 0, set(), set()
    for word in video_words(name):
        letters += _letters(word.text)
        if word.ends:
            (unknown if word.ends == UNKNOWN else ends).add(letters)
    cues = list(map(without_signs, english_videos()[name].transcript))
    told = set(accumulate(_letters(sentence.text) for sentence in spoken_sentences(cues, judge))) - unknown
    return len(ends & told), len(told), len(ends)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _all_said(video: VideoContext) -> str:
    return " ".join((video.title, *(segment.text for segment in video.transcript)))
