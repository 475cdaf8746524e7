"""Function words of questions, Korean and English.

The lists hold closed classes (pronouns, auxiliaries, question words) and the polite formulas of asking. They contain no names
and no subjects, so they need not grow with what videos are about.
"""

from __future__ import annotations

from search_core.language import word_set

FILLER_NOUNS = word_set(
    """
    얼마 거 것 수 때 중 데 줄 바 점 김 번 지금 방금 아까 요즘 무엇 무슨 누구 정도 자체 번째 동안 해당 그거 이거
    저거 질문 부탁 대신 때문 관련 관하 대해 여기 거기 저기 이것 그것 저것 누군지 뭔지
    """
)
"""Nouns that say nothing without the words around them."""

ASKING_NOUNS = word_set(
    """
    설명 말 말씀 얘기 이야기 소개 요약 정리 검색 조회 확인 부탁 언급 답변 대답 질문 궁금 필요 가르침 안내
    """
)
"""Nouns that ask for an answer when a light verb follows or they end the question ("설명해 줘", "검색")."""

LIGHT_PREDICATES = word_set(
    """
    하 되 있 없 이 아니 같 알 모르 알리 말하 보 주 드리 나오 많 궁금 찾 찾아보 찾아내 알아보 살펴보 가 오 나 들 쉽
    어렵 싶 어떻 그렇 이렇 저렇 어떠하 그러 이러 저러 어쩌 대하 관하 위하 의하 따르 통하 인하 달 지 말 좋 크 낫 쓰
    치 받 놓 두 내 부탁드리 가르치 보이 보여주 들려주 여쭤보 여쭙 묻 물어보 듣 생각하 필요하 그러하 이러하 작 길 짧
    새롭 다르 괜찮 만하 부탁하 세 넣 맞 생기 다니 궁금하 어떡하
    """
)
"""Stems of verbs and adjectives that only carry the sentence."""

MEASURES = {
    "빠르": "속도", "크": "크기", "높": "높이", "길": "길이", "넓": "넓이", "깊": "깊이", "무겁": "무게", "멀": "거리",
    "두껍": "두께", "비싸": "가격", "싸": "가격", "걸리": "시간", "들": "비용",
}  # fmt: skip
"""What "얼마나" asks for with a verb or an adjective of measure."""

KEPT_DETERMINERS = frozenset({"새", "첫", "옛"})
"""Determiners that narrow a search down, as in "첫 고객"."""

ENGLISH_FUNCTION_WORDS = word_set(
    """
    a an the and or but nor so if then than as of at by for from in into on onto to with without within about over
    under between among against during through per via up down out off again i me my mine myself we us our ours you
    your yours he him his she her hers it its they them their theirs this that these those here there who whom
    whose which what when where why how whether is am are was were be been being do does did done doing have has
    had having can could will would shall should may might must ought not no yes please tell show give let lets me
    know want wanna need like just also too very really some any all each every both either neither such only same
    own more most much many few less least other another one ones thing things something anything someone anyone
    get got gets getting s t re ve ll d m don doesn didn isn aren wasn weren won wouldn couldn shouldn haven hasn
    hadn ain ok okay hey hi hello thanks thank exactly actually basically kind sort lot lots bit quite well still
    ever even now because while since until although though however mean means meant say says said saying talk
    talked talking talks mention mentioned explain describe define elaborate discuss find search look looking
    google summarize clarify happen happens happened happening
    """
)
"""English words that are no search terms."""

ATTRIBUTE_NOUNS = word_set(
    """
    회사 기업 업체 기관 사람 인물 분 행사 이벤트 영상 동영상 발표자 강연 강의 연사 강연자 저자 진행자
    매출 매출액 실적 이익 영업이익 순이익 주가 시가총액 시총 가격 비용 예산 요금 값 장점 단점 장단점 특징 특성 종류 유형
    원인 이유 결과 영향 효과 의미 뜻 정의 개념 원리 구조 과정 절차 방법 예 예시 사례 역사 유래 배경 목적 목표 기능
    성능 역할 차이 차이점 공통점 비교 경쟁사 경쟁자 대안 전망 계획 일정 시기 기간 출시일 발매일 개봉일 위치 주소
    장소 규모 크기 높이 길이 무게 나이 직업 경력 이력 학력 약력 프로필 국적 출신 소속 가족 대표작 작품 수상 수상작
    인터뷰 평가 반응 반대 의견 찬성 주장 근거 출처 원문 링크 자료 내용 주제 요점 핵심 결론 문제 문제점 해결책 해결
    한계 위험 위험성 부작용 조건 자격 대상 혜택 신청 순위 비율 점유율 판매량 생산량 수출 수출액 인원 직원 직원수
    창업자 설립자 설립 설립일 본사 대표 사장 총재 대표이사 제품 서비스 모델 버전 재료 성분 사용법 이용 사용 활용
    활용법 가능성 중요 중요성 필요성 최근 최신 최초 뉴스 소식 근황 동향 현황 상황 정보 이름 제목 날짜 시간
    현재 오늘 어제 내일 올해 작년 내년 발표 개발 작동 주요 주요내용 이전 처음 마지막 전체 부분 스펙
    사양 후기 리뷰 분기 연봉 급여 관계 입장 취지 쟁점 논란 후속 조치 대책 표 그림 그래프 문장 단어 글 주행거리 연비
    용량 속도 색상 디자인 추천 양산 시점 출시 공개 리콜 발생 변화 변동 증가 감소 존재 구분 시작 종료 필요 회복 계기
    순기능 역기능 우선순위 작업 방식 방향 형태 모양 순서 결과값 답 질문 예문 항목 요소 관점 이용법 주의점 배울점
    입장료 참가비 주최 개최 개최지 관련 설명
    """
)
"""Nouns that name a property of something and leave open of what."""

ENGLISH_ATTRIBUTE_WORDS = word_set(
    """
    advantage advantages disadvantage disadvantages benefit benefits drawback drawbacks pro pros con cons cause
    causes effect effects impact impacts influence type types kind kinds example examples characteristic
    characteristics feature features history origin origins purpose goal goals role roles function functions
    importance significance meaning definition difference differences similarity similarities price prices cost
    costs revenue revenues sales profit profits earnings stock share shares competitor competitors alternative
    alternatives risk risks danger dangers side symptom symptoms treatment treatments option options future outlook
    plan plans schedule date dates release size height weight length age population location place places address
    name names background career biography education family job early life member members founder founders ceo
    owner president leader leaders headquarters product products service services model models version versions
    method methods way ways step steps process part parts component components layer layers structure main major
    key important common popular famous best worst largest biggest smallest oldest youngest newest latest fastest
    highest lowest first last next previous new old recent current different similar good bad better worse
    traditional modern typical general specific total average original official criticism controversy problem
    problems issue issues challenge challenges solution solutions requirement requirements application applications
    use uses used work works working made make makes created create develop developed development developments
    invented invention discovered discovery founded started start begin began end ended long big small large far
    often fast expensive cheap safe dangerous effective world today year years time people number numbers result
    results reason reasons source sources link links news update updates details detail information info facts
    overview summary topic subject conclusion point points answer question questions compare compared comparison
    versus vs change changed changes differ differs differently affect affects help helps prevent treat get become
    became take takes took go goes come comes live lives eat eats look looks cheapest easiest hardest level levels
    tip tips exercise exercises criticisms task tasks measure measures increase decrease reduce improve ever earth
    notable interesting others rest round
    """
)
"""English words that name a property or relation and leave open of what."""
