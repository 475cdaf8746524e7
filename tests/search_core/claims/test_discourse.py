from __future__ import annotations

import pytest

from search_core.claims.discourse import Discourse
from search_core.domain import VideoContext

VIDEO = VideoContext(title="한빛반도체 실적 뜯어보기", organizations=("한빛반도체",))


def understood(*sentences: str, video: VideoContext | None = None) -> str:
    discourse = Discourse(video)
    return [discourse.understand(sentence) for sentence in sentences][-1]


@pytest.mark.parametrize(
    ("sentences", "meant"),
    [
        (("국민은행이 금리를 내렸습니다.", "이 은행은 예금이 300조 원입니다."), "국민은행은 예금이 300조 원입니다."),
        (("박찬욱 감독이 영화를 냈습니다.", "그는 상을 받았습니다."), "박찬욱은 상을 받았습니다."),
        (("훈민정음이라는 책이 나왔습니다.", "이 책은 국보가 됐습니다."), "훈민정음은 국보가 됐습니다."),
        (("2008년에 은행들이 무너졌습니다.", "그해 환율은 1500원이었습니다."), "2008년 환율은 1500원이었습니다."),
        (("Tim Cook visited Seoul.", "He praised its food."), "Tim Cook praised its food."),
        (("Boeing delivered 348 planes.", "It lost 12 billion dollars."), "Boeing lost 12 billion dollars."),
        (("What is a 529 plan?", "It saves taxes."), "A 529 plan saves taxes."),
        (("The Rhine has floods.", "It is long."), "The Rhine is long."),
    ],
)
def test_pointing_words_are_what_was_named_last(sentences: tuple[str, ...], meant: str):
    """Words that point at names of earlier sentences are replaced by these, in the grammatical form required."""
    assert understood(*sentences) == meant


@pytest.mark.parametrize(
    "sentences",
    [
        ("현대자동차와 기아가 값을 올렸습니다.", "이 회사는 차를 400만 대 팔았습니다."),
        ("이재명 대통령과 트럼프 대통령이 만났습니다.", "그는 관세를 올리겠다고 했습니다."),
        ("정부가 새 백신을 들여왔습니다.", "이 백신은 효과가 95퍼센트입니다."),
        ("카카오는 판교에 있습니다.", "그 결과 서비스가 멈췄어요."),
        ("Tim Cook met Sundar Pichai.", "He earned 74 million dollars."),
        ("Norway and Sweden agreed.", "It has 5 million people."),
        ("그냥 그랬어요.", "이 회사는 적자입니다."),
        ("Tim Cook met Ms. Ahn.", "Tim Cook said that he was late."),
        ("Tim Cook spoke.", "Sundar Pichai said that he was late."),
        ("Mr. Cook spoke.", "She was late."),
        ("Why are you walking the walk?", "We looked at it."),
        ("What is a sail?", "It rains.", "They sold it."),
        ("Boeing delivered 348 planes.", "It sounds like rain."),
        ("Boeing delivered 348 planes.", "They made it to the coast."),
        ("Tim Cook spoke.", "Nobody knows whether he or she won."),
        ("We've sold boats.", "It sank."),
    ],
)
def test_what_is_not_sure_stays(sentences: tuple[str, ...]):
    """Of two candidates none is taken, and nothing is put that was not said."""
    assert understood(*sentences) == sentences[-1]


def test_the_company_of_the_title_is_meant_where_none_was_named():
    """A company that is pointed at is the one company of the title; a company that was named last goes before it."""
    assert understood("이 회사는 적자입니다.", video=VIDEO) == "한빛반도체는 적자입니다."
    assert understood("국민은행은 컸습니다.", "이 회사는 적자입니다.", video=VIDEO) == "국민은행은 적자입니다."


def test_a_name_is_not_remembered_for_ever():
    """What was named long ago is not what a pointing word means."""
    talk = ["박찬욱 감독이 영화를 냈습니다.", *(["날씨가 참 좋았습니다."] * 5), "그는 상을 받았습니다."]
    assert understood(*talk) == talk[-1]


@pytest.mark.parametrize(
    ("sentences", "meant"),
    [
        (("What is a hedgehog?", "Do they bite?"), "Do hedgehogs bite?"),
        (("How do I make cheese?", "How long does it take?"), "How long does cheese take?"),
        (("What do bees eat?", "What is the cause of mould?", "Where do they live?"), "Where do bees live?"),
        (("Tell me about the heart.", "What are the parts?", "How is it protected?"), "How is the heart protected?"),
        (("Tell me about brain scans.", "How is it different from an X-ray?"), "How is brain scans different from an X-ray?"),
        (("Tell me about Ching Ho.", "Where was she born?", "And Jomo?", "What did he do?"), "What did Jomo do?"),
        (("Tell me about Ching Ho.", "Where was she born?", "How is jade cut?", "When did she die?"), "When did Ching Ho die?"),
        (("What is an atoll?", "What is that?"), "What is an atoll?"),
        (("What is a wild goose?", "Do they fly?"), "Do wild geese fly?"),
        (("What is a city?", "Do they grow?"), "Do cities grow?"),
        (("What role did Rosa Parks play?", "Was she tired?"), "Was Rosa Parks tired?"),
        (("How do you make cheese?", "How does it taste?"), "How does cheese taste?"),
        (("What are Marie Curie's prizes?", "Was she French?"), "Was Marie Curie French?"),
        (("What treatments exist for asthma?", "Is it rare?"), "Is asthma rare?"),
        (("Who won the World Cup in 2018?", "Where was it?"), "Where was the World Cup?"),
        (("Give me information on solar panels.", "Are they dear?"), "Are solar panels dear?"),
        (("What is the difference between salt and pepper?", "Are they old?"), "Are salt and pepper old?"),
    ],
)
def test_a_question_goes_on_about_what_was_asked_before(sentences: tuple[str, ...], meant: str):
    """Of a row of questions the nearest thing that fits in number is meant, and the nearest person that fits by he and she."""
    assert understood(*sentences) == meant


@pytest.mark.parametrize(
    "sentences",
    [
        ("Tell me about Ching Ho.", "Where was she born?", "How old is he?"),
        ("What is a hedgehog?", "We went home.", "Do they bite?"),
        ("What is the stadium?", "Do they win?"),
        ("Who is the president of Chile?", "How old is he?"),
        ("How does glass break?", "How often should I do it?"),
        ("Who is the president of Chile?", "Where was she born?"),
        ("What did people do in 1998?", "Was it good?"),
        (f"What is a lighthouse {'and so on and on ' * 12}?", "Is it high?"),
    ],
)
def test_a_question_about_something_else_stays(sentences: tuple[str, ...]):
    """Nothing is put after a statement, for an action, for a "he" after a known "she", or for one thing as "they"."""
    assert understood(*sentences) == sentences[-1]


def test_statements_do_not_rely_on_what_a_question_most_likely_means():
    """What a question's pronoun is put as by likelihood alone is not what a statement after it speaks of."""
    assert understood("What is a hedgehog?", "Do they bite?", "They sleep.") == "They sleep."
