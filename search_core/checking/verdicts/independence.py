"""Which sources report the same story or belong to one publisher, and which come from the video."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, islice, pairwise
from typing import NamedTuple
from urllib.parse import urlsplit

from rapidfuzz import fuzz
from tld import get_tld

from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext
from search_core.language import word_set
from search_core.language.near_duplicates import same_snippet
from search_core.language.statements.alignment import held_names, same_name
from search_core.language.web_address import host_name
from search_core.search.presenting.dates import day_in_korea
from search_core.video.address import youtube_video_id

SHINGLE = 5
"""Words in a "run"; texts are compared by the runs they have in common."""
COPIED = 0.5
"""Two texts are copies of one story if they share at least this part of the shorter text's runs."""
RETOLD = 0.3
"""A page only retells the video if at least this share of its runs are in the transcript."""
LEAST_RUNS = 6
"""Texts with fewer runs of words are too short to be called copies."""
SAME_NUMBERS = 0.8
"""Least share of numbers that two copies of a story have in common."""
SAME_TITLE = 92
MIN_TITLE_CHARS = 12
MAX_WORDS = 1500
_OWN = "말한 쪽의 자료라 따로 세지 않아요."
_COPY_OF_OWN = "말한 쪽이 낸 글을 옮긴 것이라 따로 세지 않아요."
_REPEATS = "영상을 옮긴 글이라 따로 세지 않아요."
MIN_LABEL_CHARS = 3
_SAYS = re.compile(
    r"(?:라고|다고|며|고)\s?(?:말|밝|주장|강조|설명|전|언급|덧붙|소개|발표)|(?:에 따르면|에 의하면)"
    r"|\b(?:said|says|claimed|claims|told|stated|announced|added|explained|according to|argued)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?<![A-Za-z\d.,])\d+(?:[.,]\d+)*")
_HOUSES = (
    "chosun.com tvchosun.com itchosun.com",
    "joongang.co.kr joins.com jtbc.co.kr",
    "donga.com ichannela.com",
    "mk.co.kr mbn.co.kr maekyung.com",
    "hankyung.com wowtv.co.kr kedglobal.com",
    "mt.co.kr mtn.co.kr news1.kr newsis.com moneys.co.kr",
    "yna.co.kr yonhapnewstv.co.kr yonhapnews.co.kr",
    "bbc.com bbc.co.uk",
)
"""Registered domains that belong to one publishing house, by their imprints (November 2026)."""
_HOUSE_OF = {domain: house.split()[0] for house in _HOUSES for domain in house.split()}
_PLATFORMS = word_set(
    """
    naver.com daum.net kakao.com nate.com zum.com msn.com yahoo.com yahoo.co.jp google.com bing.com flipboard.com smartnews.com
    youtube.com youtu.be x.com twitter.com facebook.com instagram.com threads.net tiktok.com linkedin.com reddit.com
    medium.com substack.com tistory.com wordpress.com blogspot.com brunch.co.kr velog.io egloos.com archive.org archive.today
    github.com scribd.com slideshare.net quora.com
    """
)
"""Sites on which many publishers publish, so that two pages of one site may be by different publishers."""
_OF_USERS = word_set(
    "x.com twitter.com facebook.com instagram.com threads.net tiktok.com medium.com brunch.co.kr velog.io github.com"
)
"""Platforms on which the first part of an address's path names the author ("x.com/name")."""
_WIRES = word_set(
    """
    prnewswire.com prnewswire.co.uk businesswire.com globenewswire.com newswire.co.kr newswire.com accesswire.com
    einpresswire.com prweb.com marketersmedia.com
    """
)
"""Services that print what companies announce, word for word."""
_NAVER_NEWS = re.compile(r"/article/(?:\w+/)?(\d{3})/\d+")
_ADDRESS = re.compile(r"[\d.]+|\[.*\]|localhost")


class SourceIndependence(NamedTuple):
    """How independent a source is of the others and of the video."""

    story: int
    """A number that all sources of one story or one publisher share."""
    uncounted: str = ""
    """Korean sentence why the source does not count as a witness; empty if it does."""
    own: bool = False
    """Whether the source was published by the speakers of the video."""


def judge_independence(
    sources: Sequence[SearchResult], texts: Sequence[str], video: VideoContext
) -> tuple[SourceIndependence, ...]:
    """Return how independent each source is; *texts* are their pages or snippets.

    A source older than the video cannot repeat the video, and neither can copies of that source.
    """
    speakers = Speakers(video)
    video_runs = _runs_in_video(video)
    runs = [_runs(text, MAX_WORDS) for text in texts]
    older = [_is_older(source, video) for source in sources]
    of_video = [is_of_video(source, video) for source in sources]
    retells = [
        len(words) >= LEAST_RUNS and len(words & video_runs) / len(words) >= RETOLD and not old
        for words, old in zip(runs, older, strict=True)
    ]
    numbers_of = [frozenset(_NUMBER.findall(text[: MAX_WORDS * 10])) for text in texts]
    copies = (*_copies(runs), *_same_snippets(sources, texts))
    same = [(one, other) for one, other in copies if _numbers_agree(numbers_of[one], numbers_of[other])]
    stories = _groups(len(sources), same)
    own = [speakers.published(source) for source in sources]
    first_told, of_video_too, retold, of_speakers = (set(compress(stories, marks)) for marks in (older, of_video, retells, own))
    repeating = of_video_too | (retold - first_told)
    again = [place for place, story in enumerate(stories) if story in repeating]
    first: dict[object, int] = {}
    keys = [(publisher_of(source), story) for source, story in zip(sources, stories, strict=True)]
    published = [(first.setdefault(key, place), place) for place, both in enumerate(keys) for key in both]
    numbers = _groups(len(sources), [*same, *pairwise(again), *published])
    return tuple(
        SourceIndependence(
            number, _REPEATS if story in repeating else _OWN if theirs else _COPY_OF_OWN if story in of_speakers else "", theirs
        )
        for number, story, theirs in zip(numbers, stories, own, strict=True)
    )


class Speakers:
    """Tells which pages and sentences come from the speakers of one video."""

    def __init__(self, video: VideoContext) -> None:
        self._video = video
        people = (name for name in video.speakers if " " in name.strip() or len(name) >= MIN_LABEL_CHARS)
        channel = (video.channel,) if video.channel.strip() else ()
        self.names = tuple(dict.fromkeys((*channel, *people)))
        """The names of the channel and of the speakers."""

    def published(self, result: SearchResult) -> bool:
        """Return whether *result* is the video itself, or a page of its channel or a speaker."""
        if is_of_video(result, self._video) or any(_names_site(name, result.url) for name in self.names):
            return True
        return registered_domain(result.url) in _WIRES and bool(held_names(self.names, result.title))

    def are_quoted(self, sentence: str) -> bool:
        """Return whether *sentence* only quotes a speaker of the video ("젠슨 황은 …라고 말했다")."""
        return bool(_SAYS.search(sentence) and held_names(self.names, sentence))


def _names_site(name: str, url: str) -> bool:
    label = registered_domain(url).partition(".")[0]  # "nvidia"
    if len(label) < MIN_LABEL_CHARS:
        return False
    squeezed = re.sub(r"[^a-z0-9가-힣]", "", name.casefold())
    return label.replace("-", "") == squeezed or same_name(name, label)


def is_of_video(source: SearchResult, video: VideoContext) -> bool:
    """Return whether a page is the video itself, has its title without being older, or belongs to its channel."""
    if video.video_id and youtube_video_id(source.url) == video.video_id:
        return True
    channel = video.channel.casefold()
    if len(channel) > 2 and channel in (source.source.casefold(), source.title.rpartition(" - ")[2].casefold()):
        return True
    if _is_older(source, video):
        return False
    title, video_title = source.title.casefold(), video.title.casefold()
    telling = min(len(video_title), len(title)) >= MIN_TITLE_CHARS and not video.title_is_file_name
    return telling and (fuzz.ratio(title, video_title) >= SAME_TITLE or video_title in title)


def _copies(runs: Sequence[frozenset[int]]) -> list[tuple[int, int]]:
    """Return the pairs of texts that share enough runs of words to be copies."""
    first: dict[int, int] = {}
    common: dict[tuple[int, int], int] = {}
    for place, own in enumerate(runs):
        for run in own:
            earlier = first.setdefault(run, place)
            if earlier != place:
                common[earlier, place] = common.get((earlier, place), 0) + 1
    return [
        pair
        for pair, count in common.items()
        if (least := min(len(runs[pair[0]]), len(runs[pair[1]]))) >= LEAST_RUNS and count / least >= COPIED
    ]


def _same_snippets(sources: Sequence[SearchResult], texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each source whose page was not read, paired with the first other source that has the same snippet.

    Only the first: two read pages that differ must not become one story because an unread third resembles both.
    """
    for place, source in enumerate(sources):
        if texts[place] == source.snippet:
            others = (other for other in range(len(sources)) if other != place and same_snippet(source, sources[other]))
            yield from ((place, other) for other in islice(others, 1))


def _numbers_agree(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two similar texts share most of their numbers; if not, they are different stories."""
    least = min(len(one), len(other))
    return least == 0 or len(one & other) / least >= SAME_NUMBERS


@lru_cache(maxsize=4)
def _runs_in_video(video: VideoContext) -> frozenset[int]:
    """Return the word runs of a video's transcript; cached, as its claims are checked one by one."""
    return _runs(" ".join((video.title, video.description, *(segment.text for segment in video.transcript))), MAX_WORDS * 20)


def _runs(text: str, most: int) -> frozenset[int]:
    spoken = [match.group().casefold() for match in _WORD.finditer(text)][:most]
    return frozenset(hash(tuple(spoken[at : at + SHINGLE])) for at in range(len(spoken) - SHINGLE + 1))


def _is_older(source: SearchResult, video: VideoContext) -> bool:
    """Return whether a page is older than the video by at least a day; False if a date is unknown."""
    if source.publish_date is None or video.published_at is None:
        return False
    return day_in_korea(source.publish_date) < day_in_korea(video.published_at)


def _groups(count: int, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the group number of each of *count* places: the places of a pair are in one group, and groups count from 0."""
    groups = list(range(count))
    for one, other in pairs:
        groups = [groups[one] if group == groups[other] else group for group in groups]
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    return tuple(numbers[group] for group in groups)


def publisher_of(result: SearchResult) -> str:
    """Return a key shared by one publisher's results; a unique one if the publisher is unknown."""
    domain = registered_domain(result.url)
    if not domain:
        return result.url
    if domain in _PLATFORMS:
        return _on_platform(result, result.url, domain)
    return _HOUSE_OF.get(domain, domain)


@lru_cache(maxsize=4096)
def registered_domain(url: str) -> str:
    """Return the registered domain of an address (``mt.co.kr`` of ``news.mt.co.kr``), or the host if it is unlisted.

    Empty for numeric addresses, which name no publisher.
    """
    host = host_name(url)
    if not host or _ADDRESS.fullmatch(host):
        return ""
    domain = get_tld(f"https://{host}", as_object=True, fail_silently=True, search_private=True)
    return str(getattr(domain, "fld", "") or host)


def _on_platform(result: SearchResult, url: str, domain: str) -> str:
    """Return a key of the publisher on a platform such as naver.com: outlet, press number, user or subdomain."""
    host = host_name(url)
    named = result.source.strip().casefold()
    if named and "." not in named:
        return named
    path = urlsplit(url).path
    if press := _NAVER_NEWS.search(path):
        return f"naver press {press[1]}"
    first = path.strip("/").partition("/")[0].casefold()
    if (domain in _OF_USERS and first) or first.startswith("@") or host.startswith("blog."):
        return f"{domain}/{first}"
    if host.count(".") > domain.count(".") and domain in ("substack.com", "tistory.com", "wordpress.com", "blogspot.com"):
        return host
    return url
