"""What of a video is added to a question that does not name it."""

from __future__ import annotations

from collections.abc import Sequence

from search_core.domain import PartOrigin, QueryPart, SearchIntent, SearchType
from search_core.korean.content import content_terms
from search_core.query.ties import Ties
from search_core.query.video_index import NAMED, ContextElement, VideoIndex, query_parts

MAX_ADDED = 3
"""More context than this drowns the question: keyless services match every word."""
_GUARDS = (PartOrigin.ORGANIZATION, PartOrigin.EVENT, PartOrigin.TITLE)
"""Parts of a video that distinguish a person from namesakes when the question names the person."""


class Enrichment:
    """Chooses the elements of one video for one question."""

    def __init__(self, intent: SearchIntent, index: VideoIndex | None) -> None:
        self._index = index
        self._terms = intent.search_terms
        self._kind = intent.intent_type

    @classmethod
    def of_text(cls, text: str, index: VideoIndex) -> Enrichment:
        """Return the chooser for a bare query."""
        terms = tuple(term.text for term in content_terms(text))
        intent = SearchIntent(
            query=text,
            intent_type=SearchType.GENERAL,
            confidence=1.0,
            search_terms=terms,
            requires_context=False,
            language_preference="",
        )
        return cls(intent, index)

    def parts(self, asked: Sequence[QueryPart], *, resolved: bool) -> tuple[QueryPart, ...]:
        """Return what is added to the *asked* parts, most helpful first, at most ``MAX_ADDED``.

        A question that earlier turns or the video already made clear, or that names an element of the video, gets no more than
        a guard against namesakes; any other gets the one element that narrows it most.
        """
        if self._index is None:
            return ()
        text = " ".join(part.text for part in asked)
        present = self._index.held_in(text)
        speakers = [element for element in present if element.origin is PartOrigin.SPEAKER]
        if resolved or any(element.origin in NAMED for element in present):
            known = any(element.origin in _GUARDS for element in present)
            return query_parts(() if known or not speakers else self._guard(self._index, speakers[0], present))
        chosen = self._narrowing(self._index, present)
        if chosen is None:
            return ()
        guard = self._guard(self._index, chosen, present) if chosen.origin is PartOrigin.SPEAKER else ()
        return query_parts((chosen, *guard))[:MAX_ADDED]

    def _narrowing(self, index: VideoIndex, present: Sequence[ContextElement]) -> ContextElement | None:
        """Return what narrows the question: the name tied to its words, who acts in news, the title's subject, any name, a term.

        None when the question already says what the video is about.
        """
        tied = Ties(index, self._terms).strongest(index.by_salience())
        if tied is not None:
            return tied
        if set(index.by_salience(PartOrigin.TITLE)[:1]) & set(present):
            return None
        actors = index.nearest(self._terms, self._kind, index.by_salience())
        if self._kind is SearchType.NEWS and actors:
            return actors[0]
        title = [element for element in index.by_salience(PartOrigin.ORGANIZATION, PartOrigin.EVENT) if element.in_title]
        title += [element for element in index.by_salience(PartOrigin.TITLE) if element not in present]
        others = [element for element in index.by_salience(PartOrigin.TRANSCRIPT) if element not in present]
        chief = index.nearest((), self._kind, index.by_salience())  # with no tie to the words, being near one of them is chance
        return next(iter((*title, *chief, *others)), None)

    def _guard(self, index: VideoIndex, speaker: ContextElement, present: Sequence[ContextElement]) -> tuple[ContextElement, ...]:
        """Return what distinguishes *speaker* from namesakes: its organisation, the title's subject, any organisation."""
        organizations = index.by_salience(PartOrigin.ORGANIZATION)
        tied = Ties(index, (speaker.text,)).strongest(organizations)
        own = [organization for organization in organizations if index.beside(organization, speaker.text)]
        title = index.by_salience(PartOrigin.TITLE)
        nearest = index.nearest(self._terms, self._kind, organizations)
        guards = (*own, *((tied,) if tied else ()), *title, *nearest)
        return tuple(guard for guard in guards if guard not in present)[:1]
