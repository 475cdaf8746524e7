"""Words around and inside names that reveal their kind: titles, surnames, endings, particles, places."""

from __future__ import annotations

import re

from search_core.language import word_set

SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민나진지엄채원천방공현함변염여추도소석선설마길연위표명기반"
    "라왕금옥육인맹제모탁국어은편용봉사부계피감옹경승두빈태복동형맹예가목음온"
)
"""One-syllable Korean surnames (Statistics Korea, census of 2015, the common ones)."""
COMMON_SURNAMES = frozenset("김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민나진지엄채원천방")
LONG_SURNAMES = ("남궁", "황보", "제갈", "사공", "선우", "독고", "서문")

TITLES = word_set(
    """
    씨 군 양 옹 님 대표 대표이사 회장 부회장 사장 부사장 전무 상무 이사 이사장 부장 차장 과장 팀장 본부장 실장 센터장 소장
    원장 국장 총장 학장 처장 청장 위원장 부위원장 의장 부의장 총재 행장 은행장 지점장 교수 부교수 조교수 박사 연구원
    선임연구원 수석연구원 연구위원 기자 특파원 앵커 아나운서 PD 피디 감독 코치 선수 주장 배우 가수 작가 시인 화백 화가
    소설가 평론가 장관 차관 총리 국무총리 부총리 대통령 전대통령 주석 수상 의원 국회의원 지사 도지사 시장 구청장 군수 대사
    영사 판사 검사 변호사 검찰총장 대법관 재판관 부장판사 부장검사 의사 간호사 약사 목사 신부 스님 수녀 주교 추기경 교황
    법사 장군 대장 중장 준장 대령 중령 소령 대위 중위 소위 병장 상병 일병 하사 중사 상사 경감 경위 경정 총경 형사 순경
    여사 선생 선생님 교장 교감 교사 학생 어린이 할머니 할아버지 아저씨 아줌마 오빠 언니 누나 형 엄마 아빠 사무총장
    사무국장 대변인 비서관 비서실장 수석 보좌관 특보 고문 간사 후보 후보자 원내대표 최고위원 당대표 당수 서기 총서기 왕자
    공주 황제 황후 왕비 여왕 국왕 부인 애널리스트 이코노미스트 디자이너 프로듀서 셰프 CEO CFO CTO COO 매니저 에디터 창업자
    설립자 창립자 공동창업자 유튜버 크리에이터 개발자 엔지니어 트레이너 코디네이터 경사 비서 지청장 검사장 조합장 지부장
    단장 회계사 세무사 노무사 기사 대리 주임 사원 주무관 사무관 서기관 행정관 집사 장로 권사 전도사 모 연출 연출가 지휘자
    피아니스트 바이올리니스트 성우 코미디언 개그맨 개그우먼 MC 래퍼 모델
    """
)
"""Titles that stand after a person's name."""

ORG_ENDINGS = sorted(
    word_set(
        """
    전자 은행 대학교 대학원 대학 고등학교 중학교 초등학교 여고 여대 위원회 위 그룹 재단 협회 연합회 연맹 학회 협의회 공사
    공단 연구원 연구소 진흥원 개발원 평가원 교육원 병원 의료원 법원 지법 고법 검찰청 지검 고검 경찰서 경찰청 소방서 교육청
    시청 구청 도청 군청 방송 방송국 신문 신문사 일보 통신 통신사 뉴스 증권 보험 생명 화재 카드 캐피탈 캐피털 자산운용
    투자증권 금융지주 지주 홀딩스 건설 중공업 조선 제철 화학 제약 바이오 바이오로직스 물산 상사 산업 에너지 반도체
    디스플레이 텔레콤 모터스 자동차 항공 해운 식품 유업 제과 음료 백화점 마트 엔터테인먼트 엔터 스튜디오 소프트 게임즈
    네트웍스 시스템즈 테크놀로지 테크 솔루션 솔루션즈 인터내셔널 코퍼레이션 인더스트리 컴퍼니 벤처스 파트너스 외대 대 노조
    노동조합 조합 총연맹 총연합회 시민연대 연대 본부 사령부 의회 정당 민주당 공화당 보수당 노동당 사회당 당 학원 교회 성당
    사단 군단 함대 박물관 미술관 도서관 공화국 연구회 동호회 재단법인 주식회사 센터 국제기구 위원단 조사단 대표팀 구단 FC
    유나이티드 타이거즈 베어스 이글스 라이온즈 자이언츠 트윈스 히어로즈 랜더스 위즈 다이노스 와이번스
    """
    )
)
"""Last words of organisations' names."""
WEAK_ORG_ENDINGS = word_set(
    """
    전자 방송 신문 통신 뉴스 증권 보험 생명 화재 카드 지주 건설 조선 화학 제약 바이오 물산 상사 산업 에너지 반도체
    디스플레이 자동차 항공 식품 음료 마트 테크 솔루션 대 조합 본부 의회 교회 성당 센터 대학 병원 학원 연대 당 위 그룹 은행
    백화점 노조 게임즈 박물관 미술관 도서관 대표팀 구단 법원 협회 스튜디오 위원회 연구소 파트너스
    """
)
"""Endings that are also common nouns: they make a name only with a name before them."""
ORG_PARTS = tuple(
    word_set(
        """
    부 위 팀 본부 노조 지청 지부 지사 지점 위원회 연구소 연구원 총학생회 협회 법인 연구팀 수사팀 경찰서 학과 학부 대학
    대학원 센터 사업부 사업본부 대책본부 총회 당국 전담반 대표팀 단독 경찰 정부 검찰 의회 교육청 지법 고법 지검 고검
    소방서 시청 병원 은행 대사관 총영사관 재단 스튜디오 엔터테인먼트 브라더스 캐피털 그룹 마린스 경찰청
    """
    )
)
"""Last words of an organisation's own parts, and of organisations that stand after a place."""
ORG_BEFORE = word_set(
    """
    걸그룹 보이그룹 그룹 밴드 기업 업체 회사 소속사 제작사 매체 언론사 방송사 통신사 제조사 브랜드 스타트업 대기업 은행
    단체 시민단체 법무법인 로펌 출판사 유통사 개발사 투자사 자회사 계열사 모회사 협력사 구단 정당
    """
)
"""Nouns that stand before an organisation's name."""

EVENT_ENDINGS = sorted(
    word_set(
        """
    올림픽 월드컵 서밋 컨퍼런스 콘퍼런스 포럼 심포지엄 세미나 엑스포 박람회 전시회 모터쇼 비엔날레 페스티벌 영화제 음악제
    연극제 축제 시상식 국정감사 청문회 정상회담 정상회의 총회 선수권대회 선수권 챔피언십 오픈 대회 챔피언스리그 시리즈
    콘서트 전쟁 혁명 사태 참사 대첩 민주화운동 항쟁 운동회 해커톤 개발자회의 키노트 언팩 어워즈 어워드 대상 총선 대선
    지방선거 보궐선거
    """
    )
)
"""Last words of events' names."""

EVENT_PATTERN = re.compile(
    r"(?:(?<![A-Za-z])(?:GTC|CES|MWC|WWDC|COMPUTEX|Computex|NeurIPS|ICML|ICLR|CVPR|ACL|EMNLP|SIGGRAPH|KubeCon|PyCon|SXSW|TED|RSAC|APEC|ASEM|G7|G20"
    r"|DEF CON|Black Hat|Google I/O|AWS re:Invent|re:Invent|Microsoft Build|Microsoft Ignite|Ignite|IFA|E3|COP)"
    r"(?:[ \t]?['’]?\d{2,4})(?!\d)(?: 키노트| keynote)?)"
    r"|(?<![A-Za-z])(?:GTC|CES|MWC|WWDC|NeurIPS|ICML|ICLR|CVPR|SIGGRAPH|APEC|G20"
    r"|Google I/O|Hot Chips|COMPUTEX|Computex|DEF CON)(?![A-Za-z0-9])"
    r"|제\s?\d{1,3}\s?회\s?(?:[가-힣A-Za-z·]{1,12}\s?){0,4}?(?:대회|총회|영화제|시상식|포럼|컨퍼런스|콘퍼런스|세미나|올림픽|축제|박람회|회의|어워즈|어워드|대상|전국체전|전국체육대회)"
    r"|(?<!\d)(?:19|20)\d{2}년? ?(?:[가-힣A-Z][가-힣A-Za-z]{0,9} ){0,2}(?:[가-힣A-Za-z]{0,8})"
    r"(?:올림픽|월드컵|아시안게임|엑스포|컨퍼런스|콘퍼런스|국정감사|서밋|총선|대선)"
    r"|(?<![A-Za-z])(?!The )(?:[A-Z][A-Za-z&.-]*\s){1,5}"
    r"(?:Summit|Conference|Forum|Olympics|Expo|Symposium|Festival|Awards|Hackathon|Championship|World Cup|Keynote)"
    r"(?:\s(?:19|20)\d{2})?(?![A-Za-z])"
    r"|(?<!\d)20\d{2} (?:[A-Z][A-Za-z&.-]*\s){0,4}"
    r"(?:Summit|Conference|Forum|Olympics|Expo|Symposium|Festival|Awards|World Cup)(?![A-Za-z])"
)

PLACE_ENDINGS = tuple(
    word_set(
        """
    특별시 광역시 특별자치도 시 군 구 읍 면 동 리 도 역 산 강 섬 호 항 만 해 로 길 사거리 공항 터미널 해변 해수욕장 공원
    궁 사 성 주 현 성당 반도 제도 대륙 마을 시장
    """
    )
)

ENGLISH_ORG_WORDS = word_set(
    """
    Inc Inc. Corp Corp. Corporation Company Co Co. Ltd Ltd. LLC LLP PLC plc AG GmbH SA NV Group Holdings Bank University
    College Institute Foundation Association Committee Commission Council Agency Ministry Department Bureau Authority
    Union Party Society Laboratories Labs Laboratory Lab Technologies Technology Electronics Motors Motor Airlines Airways
    Systems Semiconductor Semiconductors Pharmaceuticals Pharma Entertainment Studios Pictures Records Ventures Capital
    Partners Securities Insurance Times Journal Post News Herald Tribune Broadcasting Communications Telecom Energy
    Industries Organization Organisation Federation League Congress Senate Parliament Court Hospital School Museum Press
    Networks Software Games Solutions Services Consulting Bancorp Club United FC Research
    """
)
ENGLISH_TITLES = word_set(
    """
    Mr Mr. Mrs Mrs. Ms Ms. Miss Dr Dr. Prof Prof. Professor President Chairman Chairwoman CEO CFO CTO COO Director Senator
    Governor Mayor Minister Secretary Judge Justice Sir Lady Lord King Queen Prince Princess Captain General Colonel
    Sergeant Lieutenant Admiral Coach Chancellor Pope Father Sister Reverend Representative Congressman Congresswoman
    Premier Ambassador Analyst founder Founder co-founder Chief Executive
    """
)
ENGLISH_STOP = word_set(
    """
    The A An And Or But If In On At To Of For From By With As Is Are Was Were Be It Its This That These Those He She They
    We You I My Your His Her Our Their Who What When Where Why How Which Not No Yes So Then Than There Here After Before
    Since While During Also However Although Because Today Yesterday Tomorrow Now Just Let Do Does Did Can Could Will
    Would Should May Might Must Have Has Had Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February
    March April June July August September October November December Chapter Part Section Figure Table Step New More Most
    Many Some All Each Every Both Please Thank Thanks Welcome Hello Hi Good Great Best First Last Next One Two Three Watch
    Subscribe Follow Click Read See Get Make About Over Under Into Up Down Out Off Again Once Only Very Still Even
    """
)
ENGLISH_GIVEN = word_set(
    """
    James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Mark Donald
    Steven Steve Paul Andrew Joshua Kenneth Kevin Brian George Timothy Tim Ronald Edward Jason Jeffrey Jeff Ryan Jacob
    Gary Nicholas Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin Ben Samuel Sam Gregory Greg Alexander Alex
    Frank Patrick Raymond Jack Dennis Jerry Tyler Aaron Jose Adam Nathan Henry Peter Zachary Kyle Noah Ethan Jeremy Walter
    Christian Keith Roger Terry Sean Austin Carl Arthur Lawrence Dylan Jesse Jordan Bryan Billy Bruce Gabriel Joe Logan
    Alan Juan Albert Willie Elijah Wayne Randy Vincent Mason Roy Ralph Bobby Russell Bradley Philip Eugene Mary Patricia
    Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Sandra Margaret Ashley Kimberly Emily
    Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Dorothy Amy Kathleen Angela Shirley
    Emma Brenda Pamela Nicole Anna Samantha Katherine Christine Debra Rachel Carolyn Janet Maria Olivia Heather Helen
    Catherine Diane Julie Victoria Joyce Lauren Kelly Christina Ruth Joan Virginia Judith Evelyn Hannah Andrea Megan
    Cheryl Jacqueline Madison Teresa Abigail Sophia Martha Sara Gloria Janice Kathryn Ann Isabella Judy Charlotte Julia
    Grace Amber Alice Jean Denise Frances Danielle Marilyn Natalie Beverly Diana Brittany Theresa Kayla Alexis Doris Lori
    Tiffany Elon Jensen Sundar Satya Tom Bill Bob Jim Mike Dan Dave Chris Nick Tony Max Leo Oscar Hugo Ivan Igor Vladimir
    Sergei Dmitri Carlos Luis Miguel Pedro Pablo Diego Marco Antonio Giovanni Pierre Jacques Francois Hans Klaus Wolfgang
    Hiroshi Kenji Yuki Wei Ming Li Mohammed Muhammad Ahmed Ali Omar Priya Raj Arjun Craig Phil Ken Ron Ray Marie Ada Grant
    Neil Ian Simon Oliver Harry Lewis Lucy Claire Kate Jane Warren Geoffrey Yann Ilya Dario Demis Andrej Sheryl Marc Reed
    Howard Stanley Martin Edwin Isaac Nikola Galileo Leonardo
    """
)
PARTICLES = sorted(
    word_set(
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
    word_set(
        """
    대표 회장 부회장 사장 교수 박사 기자 장관 의원 대통령 총리 감독 선수 배우 작가 위원장 원장 총재 이사장 변호사 시장
    지사 최고경영자 그룹 본사 측 주가 제품 칩 실적 매출 직원 출신 행사 키노트
    """
    )
)
_TITLE_ALTERNATIVES = "|".join(sorted(_TITLES, key=lambda title: (-len(title), title)))
AFTER_PERSON_OR_ORGANISATION = rf"(?=(?:{_TITLE_ALTERNATIVES})?(?:{_ALTERNATIVES})?(?![가-힣]))"
"""As ``AFTER_NAME``, with a title or a noun that names are often run together with before the particle."""


PLACES = word_set(
    """
    가나 과테말라 그리스 나미비아 나이지리아 남아공 남아프리카공화국 네덜란드 네팔 노르웨이 뉴질랜드 니카라과 대만
    대한민국 덴마크 도미니카 독일 라오스 라트비아 러시아 레바논 루마니아 룩셈부르크 르완다 리비아 리투아니아 마다가스카르
    마케도니아 말레이시아 말리 멕시코 모나코 모로코 모잠비크 몰도바 몰디브 몽골 미국 미얀마 바레인 바티칸 방글라데시
    베네수엘라 베트남 벨기에 벨라루스 보스니아 볼리비아 부탄 북한 불가리아 브라질 사우디 사우디아라비아 세네갈 세르비아
    소말리아 소련 수단 스리랑카 스웨덴 스위스 스코틀랜드 스페인 슬로바키아 슬로베니아 시리아 싱가포르 아랍에미리트
    아르메니아 아르헨티나 아이슬란드 아일랜드 아프가니스탄 알바니아 알제리 앙골라 에스토니아 에콰도르 에티오피아
    엘살바도르 영국 예멘 오만 오스트레일리아 오스트리아 온두라스 요르단 우간다 우루과이 우즈베키스탄 우크라이나 웨일스
    이라크 이란 이스라엘 이집트 이탈리아 인도 인도네시아 일본 자메이카 잉글랜드 조지아 중국 짐바브웨 체코 칠레 카메룬
    카자흐스탄 카타르 캄보디아 캐나다 케냐 코스타리카 코트디부아르 콜롬비아 콩고 쿠바 쿠웨이트 크로아티아 키르기스스탄
    탄자니아 태국 터키 튀르키예 튀니지 파나마 파라과이 파키스탄 팔레스타인 페루 포르투갈 폴란드 프랑스 핀란드 필리핀 한국
    남한 헝가리 호주 홍콩 마카오 티베트 조선 고려 신라 백제 고구려 유럽 아시아 아프리카 북미 남미 중남미 라틴아메리카
    동남아 동북아 동아시아 중동 북아프리카 오세아니아 태평양 대서양 인도양 지중해 카리브해 남극 북극 시베리아 발칸
    히말라야 알프스 한반도 백두대간 지구 화성 서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북
    경남 제주 수원 성남 고양 용인 부천 안산 안양 남양주 평택 의정부 시흥 파주 광명 김포 군포 이천 양주 오산 구리 안성 포천
    의왕 하남 여주 춘천 원주 강릉 동해 속초 삼척 태백 청주 충주 제천 천안 공주 보령 아산 서산 논산 당진 전주 군산 익산
    정읍 남원 김제 목포 여수 순천 나주 광양 포항 경주 김천 안동 구미 영주 영천 상주 문경 경산 창원 마산 진해 진주 통영
    사천 김해 밀양 거제 양산 서귀포 강남 강북 종로 명동 이태원 홍대 신촌 여의도 잠실 청담 압구정 판교 분당 일산 송도
    영등포 용산 마포 서초 송파 노원 독도 울릉도 제주도 백령도 연평도 강화도 거제도 진도 완도 호남 영남 충청 수도권 평양
    개성 함흥 신의주 원산 금강산 백두산 한라산 설악산 지리산 한강 낙동강 판문점 휴전선 서해 남해 베이징 북경 상하이 상해
    광저우 선전 톈진 충칭 난징 항저우 칭다오 다롄 선양 하얼빈 지린 옌볜 연변 신장 쓰촨 광둥 산둥 타이베이 도쿄 동경 오사카
    교토 나고야 후쿠오카 삿포로 요코하마 고베 히로시마 나가사키 후쿠시마 홋카이도 오키나와 규슈 하노이 호찌민 호치민 방콕
    마닐라 자카르타 발리 쿠알라룸푸르 뉴델리 뭄바이 카이로 두바이 아부다비 테헤란 바그다드 예루살렘 이스탄불 앙카라 가자
    다마스쿠스 모스크바 키이우 키예프 런던 파리 베를린 뮌헨 프랑크푸르트 함부르크 로마 밀라노 베네치아 피렌체 나폴리
    토리노 마드리드 바르셀로나 리스본 암스테르담 브뤼셀 제네바 취리히 빈 프라하 부다페스트 바르샤바 아테네 헬싱키 스톡홀름
    오슬로 코펜하겐 더블린 에든버러 맨체스터 리버풀 옥스퍼드 케임브리지 뉴욕 워싱턴 로스앤젤레스 샌프란시스코 시카고
    보스턴 시애틀 라스베이거스 라스베가스 디트로이트 휴스턴 댈러스 마이애미 애틀랜타 필라델피아 덴버 피닉스 샌디에이고
    새너제이 실리콘밸리 할리우드 하와이 알래스카 캘리포니아 텍사스 플로리다 뉴저지 버지니아 펜실베이니아 오하이오 애리조나
    네바다 맨해튼 브루클린 베벌리힐스 토론토 밴쿠버 몬트리올 멕시코시티 상파울루 리우데자네이루 브라질리아
    부에노스아이레스 시드니 멜버른 오클랜드 요하네스버그 케이프타운 나이로비 카사블랑카 중앙아시아 크림반도 카슈미르
    """
)
_SHORT_ENDINGS = tuple(ending for ending in PLACE_ENDINGS if len(ending) == 1)
_LONG_ENDINGS = (*(ending for ending in PLACE_ENDINGS if len(ending) > 1), "나들목", "분기점", "해안", "함")


def is_place(name: str) -> bool:
    """Return whether *name* is a known country, city or region."""
    return name in PLACES


def looks_like_place(name: str) -> bool:
    """Return whether *name* is a known place or a known place followed by an ending such as 시, 도, 역."""
    if is_place(name) or (name.endswith(_LONG_ENDINGS) and len(name) > 3):
        return True
    return name.endswith(_SHORT_ENDINGS) and (
        name[:-1] in PLACES
        or (len(name) > 2 and name[-1] in "시군구읍면동역로")
        or (len(name) > 3 and name[-1] in "강섬항해행발")
    )
