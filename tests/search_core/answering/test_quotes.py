from __future__ import annotations

from search_core.answering.quotes import MAX_QUOTE_CHARS, MAX_QUOTES, Quote, best_quotes, sentences
from search_core.domain import TranscriptPassage, TranscriptSegment

from .asking import asking, hbm, scorer


def passage(*said: tuple[float, float, str]) -> TranscriptPassage:
    return TranscriptPassage(segments=tuple(TranscriptSegment(*one) for one in said), score=0.5)


def test_a_sentence_over_two_captions_begins_with_the_first():
    """Sentences are put together across captions, each with the moment of the caption in which it begins."""
    spoken = passage((10, 14, "HBM은 메모리를 위로"), (14, 18, "쌓은 것입니다. 그래서"), (18, 22, "대역폭이 넓습니다."))
    assert sentences(spoken) == [Quote("HBM은 메모리를 위로 쌓은 것입니다.", 10), Quote("그래서 대역폭이 넓습니다.", 14)]


def test_speech_without_full_stops_is_taken_caption_by_caption():
    """What a machine wrote down without marks is quoted in captions, each with its own moment, none too long."""
    spoken = passage(*((place * 3.0, place * 3.0 + 3, f"말이 이어지고 {place} 번째로 또 이어지고" * 2) for place in range(12)))
    found = sentences(spoken)
    assert [quote.start_s for quote in found] == [place * 3.0 for place in range(12)]
    assert sentences(passage((0, 5, "가" * 1000)))[0].text == "가" * (MAX_QUOTE_CHARS - 1) + "…"


def test_the_best_sentences_come_in_the_order_of_speech():
    """Of two passages, those sentences that bear on the question come, at most four, earliest first, once, word for word."""
    video = hbm()
    asked = scorer().parse(asking("HBM은 어떻게 쌓아 만드나요?", video))
    passages = [TranscriptPassage(segments=video.transcript[place : place + 4], score=0.5) for place in (38, 16)]
    quotes = best_quotes(asked, passages, scorer())
    whole = " ".join(segment.text for segment in video.transcript)
    assert 0 < len(quotes) <= MAX_QUOTES
    assert all(quote.text in whole for quote in quotes)
    assert [quote.start_s for quote in quotes] == sorted(quote.start_s for quote in quotes)
    said = "메모리 장벽은 속도의 차이입니다."
    repeated = [passage((90, 95, said)), passage((10, 15, said))]
    assert best_quotes(scorer().parse(asking("메모리 장벽이 뭐야?")), repeated, scorer()) == (Quote(said, 10),)
    assert best_quotes(scorer().parse(asking("메모리?")), [], scorer()) == ()
    assert sentences(passage((0, 1, "…"))) == []
