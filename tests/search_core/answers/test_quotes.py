from __future__ import annotations

from search_core.answers.quotes import MAX_QUOTE_CHARS, Quote, best_quotes, sentences
from search_core.domain import TranscriptPassage, TranscriptSegment

from .asking import asking, scorer


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


def test_a_sentence_that_is_said_twice_is_quoted_once():
    """Of what bears on the question nothing comes twice, and nothing said gives no quote."""
    said = "메모리 장벽은 속도의 차이입니다."
    asked = scorer().parse(asking("메모리 장벽이 뭐야?"))
    assert best_quotes(asked, [passage((90, 95, said)), passage((10, 15, said))], scorer()) == (Quote(said, 10),)
    assert best_quotes(asked, [], scorer()) == ()
    assert sentences(passage((0, 1, "…"))) == []
