"""The page that checks a whole video as its visitor meets it, without a browser."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from pages.parts.shared.evidence import NO_BREAK
from search_core.domain.claim import (
    Claim,
    ClaimMoment,
    ClaimOrigin,
    ClaimsRun,
    ClaimsStatus,
    ClaimUpdated,
    FoundClaims,
    Settlement,
)
from search_core.domain.stance import Stance
from search_core.domain.video import TranscriptSegment
from search_core.errors import StorageError
from tests.app.claims_double import AWAY, COVERAGE, NOW, QUOTE, TEXTS, ClaimsDouble, ended, found, from_own, source
from tests.app.conftest import Visit
from tests.app.core_double import SAMPLE, CoreDouble


class CheckVisit(Visit):
    @property
    def claims(self) -> ClaimsDouble:
        return self.core.claims

    @property
    def run(self) -> ClaimsRun:
        return list(self.claims.runs.values())[-1].run

    @property
    def serial(self) -> int:
        return self.session.serial

    def start(self) -> None:
        self.click("start-claims")
        self.look()

    def advance(self, count: int | None = None) -> None:
        list(self.claims.runs.values())[-1].advance(count)
        self.look()

    def chosen(self) -> list[int]:
        return [int(box.key.rpartition("-")[2]) for box in self.at.checkbox if box.key.startswith("pick-") and box.value]

    def pick(self, ways: str) -> None:
        self.at.get_by_key("pick").click(ways)
        self.look()

    def act(self, name: str) -> None:
        """Click the button of that *name* of the newest run."""
        self.click(f"{name}-claims-{self.run.id}")

    def leave_out(self, number: int) -> None:
        self.set("checkbox", f"pick-{self.serial}-{number}", False)

    def add(self, text: str) -> None:
        self.at.text_input(key="added-claim").set_value(text)
        self.click("add-claim")


@pytest.fixture
def checking(visit):

    def open_page(story: str = "good", *, video: bool = True, core: CoreDouble | None = None, slow: bool = False, **params):
        if core is None:
            core = CoreDouble()
            core.claims = ClaimsDouble(story)
            core.claims.slow, core.claims.pace = slow, 0
        here = visit(core=core, kind=CheckVisit, video=video and not params, **({"tab": "claims"} if params else {}), **params)
        if not params and video:
            here.turn_to("claims")
        return here

    return open_page


def test_the_choice_of_claims_is_the_visitors(checking):
    """Twelve are chosen at once without asking anything; they are left out, taken in, and refused where they are too many."""
    here = checking()
    assert here.chosen() == list(range(1, 13))
    assert "**주장 12개 확인** · 검색 최대 24회 · 유료 검색 없음" in here.texts()
    assert "문장 212개에서 확인할 만한 주장 30개를 찾았어요" in here.texts()
    assert here.claims.runs == {}
    here.leave_out(2)
    assert here.chosen() == [1, *range(3, 13)]
    here.pick("none")
    assert here.button("start-claims").disabled
    here.pick("all")
    assert "**주장 30개 확인**" in here.texts()
    here.claims.most, here.claims.story = 20, "away"
    here.look()
    assert "한 번에 20개까지 확인할 수 있어요." in here.texts()
    assert here.button("start-claims").disabled
    here.pick("best")
    assert "**주장 12개 확인** · 웹 검색 없이 내 자료하고만" in here.texts()
    here.claims.broken = "영상 확인을 시작하지 못했어요."
    here.start()
    assert "영상 확인을 시작하지 못했어요." in here.texts()
    assert len(here.chosen()) == 12


def test_less_certain_claims_are_folded_away_and_chosen_by_hand(checking):
    """Closed at first, and in no choice of many; the one that is ticked is checked, and its number is nobody else's."""
    core = CoreDouble()
    less = tuple(replace(claim, number=claim.number + 3) for claim in found(2).claims)
    core.find_claims = lambda *_, **__: replace(found(3), less_certain=less)
    here = checking(core=core)
    assert "뺀 문장 가운데 주장일 수도 있는 2개 보기" in here.folds()
    assert "앞뒤 문장 없이는" not in here.texts()
    assert "주장 3개를 찾았어요" in here.texts()
    here.pick("all")
    assert "**주장 3개 확인**" in here.texts()
    here.fold(f"less-certain-{here.serial}")
    assert "앞뒤 문장 없이는 뜻이 통하지 않을 수 있어요." in here.texts()
    here.set("checkbox", f"pick-{here.serial}-5", True)
    here.pick("all")
    assert here.chosen() == [1, 2, 3, 5]
    here.at.session_state[f"less-certain-{here.serial}"] = False
    here.look()
    assert "이 가운데 1개를 골랐어요." in here.texts()
    here.add("더한 주장이다.")
    here.start()
    assert [check.claim.number for check in here.run.checks] == [1, 2, 3, 5, 6]


def test_the_rest_of_a_quick_list_comes_by_itself_and_changes_nothing_of_a_choice(checking):
    """Its limits and an unknown day stand in a line; what was left out and added stays, under the same numbers."""
    core, whole = CoreDouble(), threading.Event()
    core.samples = lambda: (replace(SAMPLE, published_at=None),)
    late = replace(found(5).claims[4], number=4)

    def find(_: object, *, quickly: bool = False) -> FoundClaims:
        if quickly:
            return replace(found(3), complete=False, notes=("시간이 모자랐어요.",))
        whole.wait(60)
        return replace(found(3), claims=(*found(3).claims, late))

    core.find_claims = find
    here = checking(core=core)
    [line] = [caption.value.replace("\\", "") for caption in here.at.caption if "찾았어요." in caption.value]
    assert line.startswith("문장 212개에서 확인할 만한 주장 3개를 찾았어요. 시간이 모자랐어요. 영상이 나온 날을 몰라서")
    assert list(here.at.info) == []
    here.leave_out(3)
    here.add("값은 500달러다.")
    assert sorted(here.chosen()) == [1, 2, 4]
    whole.set()
    here.look()
    here.at.session_state["claims-page"].whole.result(60)
    here.look()
    assert "시간이 모자랐어요." not in here.texts()
    assert sorted(here.chosen()) == [1, 2, 5]
    words = {box.key.rpartition("-")[2]: box.label.replace("\\", "") for box in here.at.checkbox}
    assert words["5"] == "값은 500달러다."


def test_a_claim_is_added_at_the_moment_in_sight(checking):
    """What the visitor writes is checked beside the others, with what is said where they are in the video."""
    here = checking()
    here.leave_out(3)
    here.add("전력이 줄었다.")
    here.click(here.keys("line-")[1])
    here.look()
    assert "00:20 장면의 주장으로 더해요." in here.texts()
    here.add("값은 500달러다.")
    here.start()
    asked = {claim.number: claim for claim in here.run.request.claims}
    assert sorted(asked) == [1, 2, *range(4, 13), 31, 32]
    assert (asked[31].text, asked[31].origin, asked[31].moments) == ("전력이 줄었다.", ClaimOrigin.USER, ())
    assert (asked[32].text, asked[32].start_s) == ("값은 500달러다.", 20.0)
    assert asked[32].moments[0].quote.startswith("1번째 말입니다.")


@pytest.mark.parametrize(
    ("transcript", "count", "error", "words"),
    [
        ((), 30, None, "자막이 없는 영상이라 주장을 찾을 수 없어요"),
        (SAMPLE.transcript, 0, None, "문장 212개를 살펴봤는데, 숫자·날짜·기록처럼 따로 찾아볼 수 있는 말이 없었어요."),
        (SAMPLE.transcript, 30, StorageError("x", korean="언어 자료를 읽지 못했어요."), "언어 자료를 읽지 못했어요."),
    ],
    ids=["no transcript", "no claims", "not read"],
)
def test_no_claims_is_one_of_three_things(checking, transcript, count, error, words):
    """No words, no claim among them and a failed reading are each said, with what to do."""
    core = CoreDouble()
    core.claims.count, core.claims.unreadable = count, error
    core.samples = lambda: (replace(SAMPLE, transcript=transcript),)
    here = checking(core=core)
    assert words in here.texts()
    if error is None:
        here.add("값은 500달러다.")
        assert "**주장 1개 확인**" in here.texts()
    else:
        core.claims.unreadable = None
        here.click("find-again")
        assert len(here.chosen()) == 12


def test_a_run_goes_through_its_states_to_its_verdicts(checking):
    """Each claim is seen waiting, searched for and decided, on its card and its marks."""
    here = checking(slow=True)
    here.start()
    assert here.param("claims") == here.run.id
    assert "12개 중 0개 확인" in here.texts()
    assert here.texts().count("대기 중] **") == 12
    here.advance(4)
    assert "12개 중 1개 확인" in here.texts()
    assert here.has_button("mark-agree-1")
    here.advance()
    assert "**12개 중 상충 3 · 이후 변경 2 · 일치 3 · 보완 2 · 확인 불가 2**" in here.texts()
    for words in ("확인을 마쳤어요", COVERAGE[0]):
        assert words in here.texts()


def test_a_mark_moves_the_video_and_opens_its_claim(checking):
    """A line holds value against value; opened, both sentences have what differs marked."""
    here = checking()
    here.start()
    page = here.texts()
    assert (
        f"상충] **{TEXTS[1]}**  \n:small[:gray[영상]] **1024** ↔ :small[:gray[웹]] **2,048** :small[([JEDEC, HBM4 표준을" in page
    )
    assert f", {source(1).publish_date.year})]" in page
    assert ":orange-background[" not in page
    assert "의미 모델 없이" not in page
    label = f"상충: {TEXTS[1]} (장면 2곳 중"
    assert here.button("mark-contradicts-2").label.replace("\\", "") == f"00:46 {label} 1번째)"
    assert here.button("mark-contradicts-2-1").label.replace("\\", "") == f"15:00 {label} 2번째)"
    searched = f"검색어 “{TEXTS[1]} JEDEC”"
    assert searched not in here.texts()
    here.click("mark-contradicts-2")
    assert (here.session.now_s, here.session.jumps) == (pytest.approx(46.33, abs=0.1), 0)
    page = here.texts().replace(NO_BREAK, " ")
    for words in (
        "독립된 출처 2곳",
        "서로 독립된 출처 두 곳이 같은 것을 말해요.",
        "“그러니까 입출력 폭은 그대로 :orange-background[**1024**]비트고요, 속도만 올린 거예요”",
        "폭을 :orange-background[**2,048**]비트로 두 배 늘렸다고 밝혔다.”",
        searched,
        "독립된 출처로 세지 않은 글",
        "영상보다 먼저",
        "같은 글을 옮겼거나 한 회사에서 낸 1곳은 하나로 셌어요: news2.example.com",
        "영상 쪽에서 냈거나 영상을 옮긴 글이라 세지 않았어요",
        "**규칙** :small[:gray[JEDEC, HBM4 표준을",
    ):
        assert words in page
    assert [word for word in ("거짓", "틀렸", "false") if word in page] == []
    here.click("mark-contradicts-2-1")
    assert here.session.now_s == 900.0
    assert searched in here.texts()
    here.fold(f"rows-{here.run.id}-4")
    assert "위키백과: 0건 · 0.3초" in here.texts()


def test_a_text_without_times_has_no_timeline(checking):
    """No time is shown or leads anywhere."""
    core = CoreDouble()
    said = tuple(TranscriptSegment(0.0, 0.0, text) for text in (*TEXTS, QUOTE))
    core.samples = lambda: (replace(SAMPLE, transcript=said, duration_s=None),)
    claims = tuple(
        Claim(number=number, text=text, moments=(ClaimMoment(0.0, 0.0, text),)) for number, text in enumerate(TEXTS, start=1)
    )
    core.find_claims = lambda *_, **__: FoundClaims(claims=claims, sentences=6)
    here = checking(core=core)
    here.start()
    assert here.keys("mark-") + here.keys("at-claim-") == []
    assert "00:00" not in here.markdown()
    assert "타임라인" not in here.markdown()
    assert "확인을 마쳤어요" in here.texts()


def test_a_run_is_stopped_resumed_and_finished(checking):
    """What was checked stays, and finishing waits for what is under way, also once it was asked for and the run was resumed."""
    here = checking(slow=True)
    here.start()
    here.advance(4)
    here.act("stop")
    here.look()
    assert (here.run.status, here.run.checks[0].verdict) == (ClaimsStatus.STOPPED, Stance.AGREE)
    assert here.texts().count("확인하지 않음] **") == 11
    stopped = here.run.id
    here.act("resume")
    assert (here.run.id, here.param("claims")) == (stopped, stopped)
    here.claims.lingers = True
    here.act("finish")
    assert "하고 있는 것만 마치고 있어요." in here.texts()
    assert here.button(f"finish-claims-{stopped}").disabled
    here.advance()
    here.look()
    assert "여기까지 확인하고 마무리했어요" in here.texts()
    here.act("resume")
    assert not here.button(f"finish-claims-{stopped}").disabled


def test_a_run_is_reopened_and_checked_again(checking):
    """It has an address; a second check is another run; one that was deleted is named as gone."""
    here = checking("rules")
    here.start()
    assert here.texts().count("의미 모델 없이 규칙만으로 판단했어요.") == 1
    first = here.run.id
    assert here.run.created_at >= NOW
    here.click("new-claims")
    assert here.has_button("start-claims")
    here.at.query_params["claims"] = first
    here.look()
    here.click("claims-again")
    here.look()
    assert (here.run.request.fresh, here.run.id == first) == (True, False)
    other = checking(core=here.core, claims=first)
    assert "확인을 마쳤어요" in other.texts()
    assert other.session.video == SAMPLE
    here.core.claims.delete(first, "")
    other.look()
    assert other.param("claims") == ""
    assert other.texts().count("영상 확인을 찾을 수 없어요.") == 1


def test_a_claim_is_taken_on_to_the_thread(checking):
    """It is asked there at once, or written into the box with research turned on."""
    here = checking()
    here.start()
    here.at.get_by_key("go-on-1").click("ask")
    here.look()
    here.look()
    assert here.core.searches[-1][0].text == TEXTS[0]
    assert "대역폭이 두 배" in here.texts()
    here.turn_to("claims")
    here.at.get_by_key("go-on-1").click("research")
    here.look()
    assert "이 주장이 맞는지 여러 자료로 알아봐 주세요." in here.draft
    assert here.button("research-mode").proto.type == "primary"


def test_a_visitor_settles_a_claim(checking):
    """What they say stands on the card and is counted beside the verdicts; they may say another thing, or take it back."""
    here = checking()
    here.start()
    here.at.get_by_key("go-on-4").click("different")
    here.look()
    assert "직접 판단: **다름**" in here.texts()
    assert "· 직접 판단: 다름 1" in here.texts()
    assert (here.run.checks[3].settled, here.run.checks[3].verdict) == (Settlement.DIFFERENT, Stance.CANNOT_TELL)
    here.at.get_by_key("go-on-4").click("unrelated")
    here.look()
    assert "· 직접 판단: 무관 1" in here.texts()
    here.at.get_by_key("go-on-4").click("unsettled")
    here.look()
    assert "직접 판단" not in here.texts()


def test_that_the_web_is_away_is_said_once(checking):
    """Over what own documents settled, which stands first; a check that they settled in part is not called a failure."""
    here = checking(slow=True)
    here.start()
    first, *others = here.run.checks
    failed = replace(from_own(first.claim), own_verdict=None, sources=(), rows=())
    settled = [ClaimUpdated(check=from_own(check.claim)) for check in others]
    list(here.claims.runs.values())[-1].script = [ClaimUpdated(check=failed), *settled, AWAY, ended(ClaimsStatus.FAILED)]
    here.advance()
    page = here.texts()
    assert "**12개 중 내 자료와 상충 11 · 물어보지 못함 1**" in page
    assert page.count("웹을 검색하지 못했어요.") == 1
    for again in (AWAY.korean, "웹에는 물어보지 못했어요", "끝까지 하지 못했어요", "실패"):
        assert again not in page
    assert (here.errors(), list(here.at.warning)) == ("", [])
    assert here.keys("at-claim-")[-1].startswith("at-claim-1-")


def test_sample_documents_are_no_web_and_hostile_text_stays_text(checking):
    """Own documents have their own name and mark; nothing a stranger wrote is drawn or becomes a link."""
    here = checking("away")
    here.start()
    assert here.keys("mark-own_contradicts-")
    assert "내 자료(예시)에서는 상충" in here.texts()
    here.fold(f"rows-{here.run.id}-1")
    assert "영상보다 먼저 · 웹이 아니에요" in here.texts().replace(NO_BREAK, " ")
    assert "독립된 출처" not in here.markdown()
    here.claims.story = "hostile"
    here.click("claims-again")
    here.look()
    here.fold(f"rows-{here.run.id}-1")
    assert "<script>" in here.texts()
    assert "](javascript" not in here.markdown()
    assert "![x]" not in here.markdown()
