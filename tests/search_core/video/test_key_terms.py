"""The salient words of a video."""

from __future__ import annotations

from search_core.video.key_terms import key_terms


def terms(title="", description="", spoken="", names=(), limit=5):
    return key_terms(((title,), (description,), (spoken,)), names, limit)


def test_title_words_come_before_what_is_said_most():
    """A noun of the title leads over one that is only said often."""
    found = terms("메모리 장벽", spoken="데이터가 많아요. 데이터를 옮겨요. 데이터는 메모리에 있어요.")
    assert found.index("메모리 장벽") < found.index("데이터")


def test_particles_and_everyday_words_are_no_terms():
    """Particles, endings and words said in every video are left out."""
    found = terms(spoken="오늘 영상에서는 여러분께 대역폭을 설명할게요. 대역폭이 왜 중요한지 그 이유를 이야기합니다.")
    assert found[0] == "대역폭"
    assert not {"오늘", "영상", "여러분", "이유", "이야기", "대역폭이"} & set(found)


def test_words_that_keep_company_are_one_term():
    """Two nouns that always stand together are one term and not said again alone."""
    found = terms(spoken="언어 모델은 큽니다. 언어 모델을 배웁니다. 언어 모델이 말합니다.")
    assert found[0] == "언어 모델"
    assert "언어" not in found
    assert "모델" not in found


def test_english_plurals_are_one_word():
    """Mirror and mirrors are counted together; function words are no terms."""
    found = terms(spoken="The mirror is large. These mirrors are cold. We look at the mirrors.")
    assert [term.lower() for term in found].count("mirrors") + [term.lower() for term in found].count("mirror") == 1
    assert "the" not in {term.lower() for term in found}


def test_names_are_no_terms():
    """Words of the video's names are left to the names."""
    found = terms("엔비디아의 새 가속기", spoken="엔비디아 가속기는 빨라요. 엔비디아 가속기예요.", names=("엔비디아",))
    assert all(term != "엔비디아" for term in found)
    assert "가속기" in found
