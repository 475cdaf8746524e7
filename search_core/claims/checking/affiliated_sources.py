"""Which pages are the speaker's own: the video, its channel, those who speak in it and what they announce themselves.

What a speaker says elsewhere bears nothing out that the speaker says here.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from search_core.domain import SearchResult, VideoContext
from search_core.korean.wordlist import words
from search_core.sentences import sentences_of
from search_core.stance.alignment import held_names, same_name
from search_core.stance.independence import is_of_video
from search_core.stance.publishers import original_address, registered_domain, site_label

MIN_LABEL_CHARS = 3
MAX_INTRODUCTION = 30
"""Sentences at the beginning of what is said, where speakers are introduced."""
_OFFICE = (
    r"최고경영자|대표이사|부대표|대표|부사장|사장|부회장|회장|의장|총재|장관|차관|창업자|설립자|이사|본부장|연구소장|소장|수석|총괄|대변인"
    r"|\b(?:CEO|CTO|CFO|COO|president|founder|co-founder|chair(?:man|woman|person)?|chief|head|director|governor|minister"
    r"|secretary|spokes(?:man|woman|person)|vice president|VP)\b"
)
_LINK = re.compile(r"https?://[^\s<>\"')\]]+")
_WIRES = words(
    """
    prnewswire.com prnewswire.co.uk businesswire.com globenewswire.com newswire.co.kr newswire.com accesswire.com
    einpresswire.com prweb.com marketersmedia.com
    """
)
"""Services that print what companies announce, word for word."""
_SAYS = re.compile(
    r"(?:라고|다고|며|고)\s?(?:말|밝|주장|강조|설명|전|언급|덧붙|소개|발표)|(?:에 따르면|에 의하면)"
    r"|\b(?:said|says|claimed|claims|told|stated|announced|added|explained|according to|argued)\b",
    re.IGNORECASE,
)


class AffiliatedSources:
    """Tells of one video which pages and sentences come from those who speak in it."""

    def __init__(self, video: VideoContext) -> None:
        self._video = video
        people = tuple(name for name in video.speakers if _is_full_name(name))
        self.names = tuple(dict.fromkeys((*((video.channel,) if video.channel.strip() else ()), *people, *_employers(video))))
        """The channel, who speaks and the organisations they speak for."""
        self._sites = _home_pages(video)

    def is_own(self, result: SearchResult) -> bool:
        """Return whether *result* is the video itself, or a page of its channel, a speaker or the speaker's employer."""
        url = original_address(result.url)
        if is_of_video(result, self._video):
            return True
        domain = registered_domain(url)
        if domain in self._sites or any(_names_site(name, url) for name in self.names):
            return True
        return domain in _WIRES and bool(held_names(self.names, result.title))

    def reports(self, sentence: str) -> bool:
        """Return whether *sentence* only reports what a speaker of the video said ("젠슨 황은 …라고 말했다")."""
        return bool(_SAYS.search(sentence) and held_names(self.names, sentence))


def _is_full_name(name: str) -> bool:
    return " " in name.strip() or len(name) >= MIN_LABEL_CHARS


def _names_site(name: str, url: str) -> bool:
    label = site_label(url)
    if len(label) < MIN_LABEL_CHARS:
        return False
    squeezed = re.sub(r"[^a-z0-9가-힣]", "", name.casefold())
    return label.replace("-", "") == squeezed or same_name(name, label)


def _home_pages(video: VideoContext) -> frozenset[str]:
    """Return the sites whose home page the description links to: the channel's own, or of those who pay for it."""
    links = (match.group().rstrip(".,") for match in _LINK.finditer(video.description))
    home = (link for link in links if not urlsplit(link).path.strip("/") and not urlsplit(link).query)
    return frozenset(filter(None, map(registered_domain, home)))


def _employers(video: VideoContext) -> tuple[str, ...]:
    """Return the organisations in whose office a speaker is introduced, in the title, the description or the first sentences."""
    spoken = " ".join(segment.text for segment in video.transcript[: MAX_INTRODUCTION * 2])
    texts = [video.title, *sentences_of(video.description, MAX_INTRODUCTION), *sentences_of(spoken, MAX_INTRODUCTION)]
    return tuple(
        organization
        for organization in video.organizations
        if any(_holds_office(text, organization, speaker) for text in texts for speaker in video.speakers)
    )


def _holds_office(text: str, organization: str, speaker: str) -> bool:
    if organization not in text or speaker not in text:
        return False
    firm, person = re.escape(organization), re.escape(speaker)
    forms = (
        rf"{firm}(?:의|'s|’s)?\s.{{0,12}}?(?:{_OFFICE}).{{0,8}}?{person}",
        rf"{person}.{{0,6}}?{firm}(?:의)?\s.{{0,12}}?(?:{_OFFICE})",
        rf"{person},?\s.{{0,24}}?(?:{_OFFICE})\s(?:of|at)\s(?:the\s)?{firm}",
    )
    return any(re.search(form, text, re.IGNORECASE) for form in forms)
