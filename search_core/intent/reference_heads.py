"""Korean nouns that stand after a pointing word, by what they point at."""

from __future__ import annotations

from search_core.domain import ReferenceKind
from search_core.korean.wordlist import words


def _kinds(**lists: str) -> dict[str, ReferenceKind]:
    return {word: ReferenceKind[kind.upper()] for kind, text in lists.items() for word in words(text)}


PRONOUNS = _kinds(
    thing="이것 그것 저것 이거 그거 저거 요거 고거 이 그",
    person="그녀 그이 걔 얘 쟤 이분 그분 저분",
    place="거기 여기 저기 이곳 그곳 저곳 이쪽 그쪽",
)
GENERIC_HEADS = _kinds(
    person="사람 분 인물 남자 여자 양반 친구 이",
    organization="회사 기업 업체 기관 조직 단체 곳",
    event="행사 이벤트",
    video="영상 비디오 동영상 발표 강연 강의 인터뷰 연설 대담 방송 에피소드 영상물 채널 자리",
    thing="거 것 내용 말 얘기 이야기 부분 답변 질문 대답 점 주제 건",
)
"""Nouns that say no more than their kind; they leave the query with the pointing word."""
TELLING_HEADS = _kinds(
    person="""교수 감독 작가 대표 회장 강사 박사 배우 선수 의원 대통령 장관 총리 기자 연구원 애널리스트 디자이너 개발자
    창업자 가수 화가 의사 변호사 CEO""",
    organization="은행 대학 대학교 연구소 정당 팀 구단 브랜드 제조사 스타트업 재단 협회 병원 학교 공사 방송사",
    event="""대회 컨퍼런스 콘퍼런스 학회 영화제 축제 전시회 전시 박람회 포럼 세미나 시상식 경기 발표회 회의 심포지엄
    행사장 공연""",
)
"""Nouns that tell more than their kind and stay in the query."""
SPEAKER_ROLES = words("발표자 연사 강연자 강사 저자 진행자 사회자 출연자 게스트 화자 연설자 유튜버 크리에이터")
"""Roles that need no pointing word: in front of a video there is one of each."""
DISCOURSE_NOUNS = words(
    """답변 답 질문 내용 대답 문장 글 예시 예 설명 이야기 얘기 대화 결과 코드 표 말 부분 문제 이메일 것 지문 주장 사례
    항목 단계"""
)
"""What was said or written in an earlier turn, as later turns call it."""
BACKWARD_MARKERS = words("이전 위 앞 앞서 앞선 직전")
SAYING = words("""말 언급 설명 소개 나오 이야기 얘기 대답 답변 보 말하 등장 제시 질문 작성 얘기하 다루 주어지""")
EARLIER_MARKERS = words("방금 아까 앞서 조금전 위 앞 여기 거기 저기 영상")
"""Words that, with a verb of saying or appearing, point at what was just said or shown."""
DETERMINERS = words("이 그 저 요 고 이런 그런 저런 이러한 그러한 저러한")
FIXED_PHRASE_NOUNS = words("때 중 외 동안 후 밖 정도 자체 뒤 전 만큼 대로 김 쯤 번 날 달 주 해 시간 식")
"""Nouns that make fixed phrases with a determiner ("그동안", "이때", "이달")."""
