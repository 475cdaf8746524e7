"""What may follow a name within one Korean word: particles, the copula, a title or suffix."""

from __future__ import annotations

from search_core.korean.wordlist import words

PARTICLES = sorted(
    words(
        """
    께서는 께서도 에서는 에서도 에게서 에게는 에게도 한테서 으로서 으로써 으로는 으로도 이라고 이라는 이라며 이라면 이라도
    이란 이나마 이든지 에서 에게 에는 에도 에만 에의 까지 까지도 부터 조차 마저 마다 처럼 같이 만큼 보다 보다는 보다도
    밖에 뿐 대로 만은 만이 만을 만의 만도 라고 라는 라며 라면 라도 란 이랑 랑 하고 이나 나 이든 든 이며 며 이고 고 이야 야
    아 여 은 는 이 가 을 를 의 에 와 과 로 으로 로는 로서 로써 로도 도 만 께 께서 한테 더러 보고 들 들은 들이 들을 들의
    이다 입니다 이었다 였다 이었던 였던 이에요 예요 이죠 죠 인 이던 인데 이지만 지만 이니 니까 이니까 이자 자 일 이라 라
    였습니다 이었습니다 이십니다 와는 과는 와의 과의 와도 과도 로부터 으로부터 에서의 으로의 로의 까지의 에게까지 까지는
    만으로 뿐만 뿐이다 씨 님 측 사 발 전 식 형 표 산 제 가의 씨는 씨가 씨를 씨의 씨와 씨도 님이 님은 님의 님을 님도 측은
    측이 측의 측에 사의 사는 사가 사와 사를
    """
    )
)

_ALTERNATIVES = "|".join(sorted(set(PARTICLES), key=lambda particle: (-len(particle), particle)))
AFTER_NAME = rf"(?=(?:{_ALTERNATIVES})?(?![가-힣]))"
"""A pattern that looks ahead: the name ends the word, or only a particle or suffix follows."""
TAIL_SET = frozenset({"", *PARTICLES})
"""All that may stand between a name and the end of its word, nothing included."""
_TITLES = sorted(
    words(
        """
    대표 회장 부회장 사장 교수 박사 기자 장관 의원 대통령 총리 감독 선수 배우 작가 위원장 원장 총재 이사장 변호사 시장
    지사 최고경영자 그룹 본사 측 주가 제품 칩 실적 매출 직원 출신 행사 키노트
    """
    )
)
_TITLE_ALTERNATIVES = "|".join(sorted(_TITLES, key=lambda title: (-len(title), title)))
AFTER_PERSON_OR_ORGANISATION = rf"(?=(?:{_TITLE_ALTERNATIVES})?(?:{_ALTERNATIVES})?(?![가-힣]))"
"""As ``AFTER_NAME``, with a title or a noun that names are often run together with before the particle."""
