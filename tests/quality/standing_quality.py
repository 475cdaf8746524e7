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

from search_core.answers.check_worthiness import score_check_worthiness
from search_core.answers.sentence_classes import SentenceClass, classify_sentences
from search_core.checking.claims.finder import find_claims, find_groups, may_stand_alone, name_times, stands_alone
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.korean import has_hangul
from search_core.language.statements.proposition import without_lead
from search_core.language.vectors import Embedder
from search_core.video.sentences import JudgeEnds, spoken_sentences
from search_core.video.upload import samples
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
        spoken = [video.transcript for video in claim_videos.videos().values()]
        figures["boundaries/korean_f1"] = _f1_of(korean_ends(cues) for cues in spoken if cues and has_hangul(cues[0].text))
        figures["boundaries/english_f1"] = _f1_of(map(english_ends, KEPT_ASIDE))
    for model, host in hosts(scope):
        embedder = host.wait(LOAD_S)
        found = _samples(embedder)
        if scope.reads_development:
            found |= _standing(embedder)
            if model != KIWI:  # words alone put nothing in front
                found |= _widened(embedder) | _first_claims(embedder)
                judge = host.sentence_end_odds
                found["english_boundaries_f1"] = _f1_of(english_ends(name, judge) for name in KEPT_ASIDE)
        figures |= under(embedder.name, found)
    return under("claims/standing", figures)


def _timed(row: dict[str, Any]) -> str:
    published = VideoContext.from_mapping(row["video"]).published_at
    return name_times(row["said"], published.date() if published else None)


def _samples(embedder: Embedder) -> dict[str, float]:
    """Return how many labelled sentences of the samples that are offered are claims, and how many of the claims are offered."""
    rows = read_rows("claims_samples")
    quotes = {
        (sample.video_id, moment.quote)
        for sample in samples()
        for claim in find_claims(sample, embedder, within_s=float("inf")).claims
        for moment in claim.moments
    }
    offered = [(row["video"], row["text"]) in quotes for row in rows]
    return {
        "samples_precision": share_or_all(row["claim"] for row, is_offered in zip(rows, offered, strict=True) if is_offered),
        "samples_recall": share(is_offered for row, is_offered in zip(rows, offered, strict=True) if row["claim"]),
    }


def _standing(embedder: Embedder) -> dict[str, float]:
    rows, by_meaning = claim_videos.kept_aside(), embedder.name != KIWI
    texts = [row.text for row in rows]
    vectors, earlier = [None] * len(rows), [None] * len(rows)
    if by_meaning:
        vectors, earlier = [*embedder.embed(texts)], [*vectors_before(rows, embedder)]
    classes = classify_sentences(texts, [row.before for row in rows], vectors, earlier)
    alone = [stands_alone(standing, text, by_meaning=by_meaning) for standing, text in zip(classes, texts, strict=True)]
    likely = [not sure and may_stand_alone(standing) for sure, standing in zip(alone, classes, strict=True)]
    right = [row.label is SentenceClass.CLAIM for row in rows]
    figures = {}
    for language, korean in (("korean", True), ("english", False)):
        places = [place for place, text in enumerate(texts) if has_hangul(text) is korean]
        figures[f"{language}_precision"] = share_or_all(right[place] for place in places if alone[place])
        if any(likely[place] for place in places):  # words alone have none
            figures[f"{language}_less_certain_precision"] = share(right[place] for place in places if likely[place])
        figures[f"{language}_recall"] = share_or_all(alone[place] for place in places if right[place])
    return figures


def _first_claims(embedder: Embedder) -> dict[str, float]:
    """Return by language the share of the first offered claims that are claims, of those with a label.

    One behind the sentence before it is right where that names the subject it has lost.
    """
    labels = {(row.video, sentence_hash(row.text)): row.label for row in claim_videos.labelled() if row.kept_aside}
    names = {(row.said[1], row.said[2]): row.right for row in claim_videos.widened()}
    right: dict[str, list[bool]] = {"korean": [], "english": []}
    for video in sorted({video for video, _ in labels}):
        context = claim_videos.videos()[video]
        sentences = [sentence.text for sentence in spoken_sentences(context.transcript)]
        bare = {text: without_lead(text) for text in sentences}
        pairs = {f"{before} {text}": (bare[before], bare[text]) for before, text in pairwise(sentences)}
        claims = find_claims(context, embedder, within_s=float("inf")).claims
        for claim in sorted(claims, key=lambda each: -each.score)[:_FIRST]:
            quote = claim.moments[0].quote
            label = names.get(pairs[quote]) if quote in pairs else labels.get((video, sentence_hash(bare[quote])))
            if label is not None:
                right["korean" if has_hangul(quote) else "english"].append(label in (True, SentenceClass.CLAIM))
    return {f"{language}_first_claims_precision": share(outcomes) for language, outcomes in right.items()}


def _widened(embedder: Embedder) -> dict[str, float]:
    """Return how often a sentence put in front names the subject, and the share of such sentences that is put there."""
    rows = claim_videos.widened()
    texts = [text for row in rows for text in row.said]
    groups, _ = find_groups(texts, score_check_worthiness(texts, embedder))
    widened = {each.sentence for group in groups for each in group if each.widened}
    right = {place * len(row.said) + len(row.said) - 1: row.right for place, row in enumerate(rows)}
    return {
        "widened_precision": share_or_all(names for place, names in right.items() if place in widened),
        "widened_recall": share_or_all(place in widened for place, names in right.items() if names),
    }


def korean_ends(cues: Iterable[TranscriptSegment]) -> tuple[set[int], set[int]]:
    """Return the ends found in Korean *cues* without signs, and the real ones, as counts of letters before them."""
    ends, letters, bare = set[int](), 0, []
    for cue in cues:
        ends |= {letters + _letters(cue.text[: end.end()]) for end in _LAST.finditer(cue.text)}
        letters += _letters(cue.text)
        bare.append(replace(cue, text=_SIGNS.sub("", cue.text)))
    return _found_ends(bare), ends


def english_ends(name: str, judge: JudgeEnds | None = None) -> tuple[set[int], set[int]]:
    """Return the ends found in an English video without signs and capital letters, and the real ones."""
    letters, ends, unknown = 0, set[int](), set[int]()
    for word in video_words(name):
        letters += _letters(word.text)
        if word.ends:
            (unknown if word.ends == UNKNOWN else ends).add(letters)
    return _found_ends(map(without_signs, english_videos()[name].transcript), judge) - unknown, ends


def _found_ends(cues: Iterable[TranscriptSegment], judge: JudgeEnds | None = None) -> set[int]:
    return set(accumulate(_letters(sentence.text) for sentence in spoken_sentences(list(cues), judge)))


def _f1_of(videos: Iterable[tuple[set[int], set[int]]]) -> float:
    counts = [(len(found & ends), len(found), len(ends)) for found, ends in videos]
    return f1(*map(sum, zip(*counts, strict=True)))


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _all_said(video: VideoContext) -> str:
    return " ".join((video.title, *(segment.text for segment in video.transcript)))
