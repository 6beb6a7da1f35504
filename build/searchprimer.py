"""Words that student papers use all the time: every card is packed as if they stood before it, and points back to them.

The cards of a file are too few to repeat themselves; so told beforehand what is usual, they pack a sixth smaller. The
words are the same for every hub and every night: if they followed from the articles, one new article would move all
cards. Changing them makes all cards anew.

JavaScript puts them before what it unpacks (site_templates/assets/search/cards.js).
"""

from __future__ import annotations

import zlib

_WORDS = """
the and of to in for University students campus student with on KAIST POSTECH UNIST GIST RISE BK21 ChatGPT AI IT
SNS PDF OT MT 2020학년도 2021학년도 2022학년도 2023학년도 2024학년도 2025학년도 2026학년도 2024년 2025년 2026년
1학기 2학기 1학년 2학년 3학년 4학년 학번 오전 오후 10시 11시 12시 오는 지난달 지난해 올해 내년 최근 현재 당시
이날 이후 이전 동안 까지 부터 월요일 화요일 수요일 목요일 금요일 토요일 일요일 주말 방학 개강 종강 여름 겨울
가을 봄 서울 부산 대구 인천 광주 대전 울산 세종 경기 강원 충북 충남 전북 전남 경북 경남 제주 수도권 지역 전국
한국 미국 중국 일본 우리나라 세계 국내 해외 국제 국어국문학과 영어영문학과 사회학과 경제학부 경영학과
컴퓨터공학과 기계공학부 전자공학과 간호학과 물리학과 화학과 수학과 심리학과 철학과 사학과 행정학과 정치외교학과
미디어커뮤니케이션학과 시각디자인학과 건축학과 의과대학 법학전문대학원 사범대학 인문대학 공과대학 자연과학대학
사회과학대학 예술대학 단과대학 컴퓨터 소프트웨어 반도체 인공지능 데이터 기술 연구 연구팀 연구소 교수팀 논문
실험실 개발 산업 기업 창업 취업 박람회 채용 인턴 진로 일자리 청년 세대 주거 전세 월세 정부 국회 대통령 교육부
장관 의원 정책 법안 예산 지원 사업 선정 협약 체결 업무협약 기관 센터 재단 위원회 협의체 간담회 공청회 토론회
설명회 세미나 심포지엄 포럼 특강 강연 사회 문화 경제 정치 환경 기후 인권 노동 노동자 여성 성평등 장애 장애인
혐오 차별 폭력 안전 사고 피해 문제 논란 갈등 위기 변화 과제 대책 방안 필요 확대 축소 폐지 신설 도입 시행 추진
강화 개선 개편 운영 마련 검토 결정 발표 공개 요구 반대 찬성 비판 촉구 규탄 성명 서명 집회 시위 파업 영화 음악
공연 전시 전시회 연극 뮤지컬 소설 문학 작가 시집 독서 책 사진 기획 보도 사설 칼럼 기고 인터뷰 포토 만평 수습기자
기자수첩 취재 편집국장 편집국 학보사 신문사 방송국 교지 창간 독자 대학언론 축제 대동제 동아리 동아리연합회
중앙동아리 라인업 부스 주점 무대 체육대회 경기 우승 대회 수상 대상 최우수상 공모전 도서관 열람실 기숙사 생활관
학생식당 학식 천원의 아침밥 셔틀버스 주차 강의실 캠퍼스 학생회관 건물 신축 공사 시설 좌석 이용 대여 서비스 신청
모집 접수 기간 강의 수업 수강신청 대면 비대면 온라인 강의평가 성적 평가 학점 졸업 졸업생 입학 신입생 재학생
휴학생 유학생 외국인 대학원생 편입 전과 복수전공 전공 무전공 자유전공학부 자율 선택제 학과 통폐합 교양 교육과정
커리큘럼 등록금 인상 동결 심의위원회 장학금 국가장학금 학자금 대출 재정 적자 감사 결과 의혹 횡령 논의 회의
임시총회 전체학생대표자회의 전학대회 학생총회 정족수 미달 무산 연기 가결 부결 안건 의결 회칙 개정 공약 이행 후보
단독 출마 선거 투표 투표율 개표 당선 선거관리위원회 선본 재선거 보궐선거 비상대책위원회 비대위 총장 직선제 선출
이사회 교수회 직원 노조 청소노동자 대학본부 본부 학교 교무처 학생처 국제처 학생지원팀 관계자 담당자
졸업준비위원회 학생상담센터 인권센터 대학원총학생회 확대운영위원회 중앙운영위원회 학생회장 부총학생회장
총학생회장 학생자치 단과대 학생회 총학생회 학우 학우들 학생들 교수 교수님 대학생 대학교 대학 설문조사 설문
응답자 참여한 명이 명의 퍼센트 만 원 억 원 개월 가지 번째 가장 모두 함께 다시 새로운 새 더 또 첫 두 한 이 그 것
수 때 등 및 에서 에게 으로 로써 에는 에도 에서는 으로는 까지도 이라는 이라고 라는 라고 한다고 했다고 통해 위해
대한 대해 관한 따라 따르면 의한 위한 통한 하는 되는 있는 없는 같은 많은 다양한 중요한 하고 하며 하면서 했으며
됐으며 이어 이에 하지만 그러나 그리고 또한 한편 특히 때문에 이유 의견 생각 사람 사람들 마음 시간 시작 이야기
현장 우리 나는 내가 을 위해 를 위해 에 대한 에 대해 을 통해 를 통해 를 두고 문제를 임시 회의를 열었다 의견을
충분히 듣겠다 입장 차가 다음 학기로 미뤄졌다 찬성을 얻었다 아쉬움을 드러냈다 해야 한다 할 수 있다 할 수 있도록
할 예정이다 될 예정이다 것으로 보인다 것으로 나타났다 있었다 했다 됐다 였다 이었다 한다 된다 이다 있다 없다
아니다 말했다 밝혔다 전했다 덧붙였다 설명했다 강조했다 지적했다 진행됐다 열렸다 개최했다 진행했다 실시했다
있습니다 했습니다 합니다 입니다 학생 기자
"""

PRIMER = f" {' '.join(_WORDS.split())}\t".encode("cp949")
"""The words as cards are written, what is most usual last: the nearer, the shorter to point at."""


def packed(body: bytes) -> bytes:
    """A card file's body as raw deflate, behind the primer: same content, same bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, PRIMER)
    return packer.compress(body) + packer.flush()
