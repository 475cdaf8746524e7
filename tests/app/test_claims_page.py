"""The page that checks a whole video as its visitor meets it, without a browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.parts import claims_finding, services
from search_core.domain import (
    Claim,
    ClaimMoment,
    ClaimOrigin,
    ClaimsRun,
    ClaimsStatus,
    FoundClaims,
    Stance,
    TranscriptSegment,
)
from search_core.errors import StorageError
from tests.app.claims_double import COVERAGE, NOW, QUOTE, TEXTS, ClaimsDouble, found
from tests.app.conftest import Visit
from tests.app.core_double import SAMPLE, CoreDouble, Scorer


class Checking(Visit):
    """A visitor of the page that checks videos."""

    @property
    def claims(self) -> ClaimsDouble:
        return self.core.claims

    @property
    def run(self) -> ClaimsRun:
        return list(self.claims.runs.values())[-1].run

    @property
    def address(self) -> str:
        value = self.at.query_params.get("claims", "")
        return value if isinstance(value, str) else value[0]

    def keys(self, start: str) -> list[str]:
        return [str(button.key) for button in self.at.button if str(button.key).startswith(start)]

    def start(self) -> None:
        self.click("start-claims")
        self.look()

    def tell(self, count: int | None = None) -> None:
        """Let the newest run tell *count* events, or all it has to tell, and look."""
        list(self.claims.runs.values())[-1].tell(count)
        self.look()

    def chosen(self) -> list[int]:
        return [int(box.key.rpartition("-")[2]) for box in self.at.checkbox if box.key.startswith("pick-") and box.value]

    def markdown(self) -> str:
        return "\n".join(str(element.value) for element in self.at.markdown)

    def open_rows(self, number: int) -> str:
        self.at.session_state[f"rows-{self.run.id}-{number}"] = True
        self.look()
        return self.texts()


@pytest.fixture
def checking():
    """Return a function that opens the page; a sample video is open unless told otherwise."""

    def open_page(story: str = "good", *, video: bool = True, core: CoreDouble | None = None, **params: str) -> Checking:
        if core is None:
            core = CoreDouble()
            core.claims = ClaimsDouble(story)
        services.provide(lambda: core)
        here = Checking(core, {})
        here.at.switch_page("pages/claims.py")
        for name, value in params.items():
            here.at.query_params[name] = value
        here.look()
        if video and not params:
            here.open_sample()
        return here

    yield open_page
    services.provide(services.from_settings)
    claims_finding.findings.clear()


def test_without_a_video_the_next_step_is_there(checking):
    """The page says what it does and offers videos."""
    here = checking(video=False)
    assert "찾아보면 알 수 있는 주장" in here.texts()
    assert here.has_button("open-sample-0")


def test_claims_are_there_at_once_and_nothing_is_asked(checking):
    """The twelve most worth checking are chosen, with what a check takes; the video was looked through once."""
    here = checking()
    assert here.chosen() == list(range(1, 13))
    assert "**고른 12개 확인** · 검색 12–24번 · 유료 0번" in here.texts()
    assert "문장 212개에서 확인할 만한 주장 30개를 찾았어요" in here.texts()
    here.look()
    assert (here.claims.looked, here.claims.runs) == (1, {})


def test_that_the_day_of_the_video_is_unknown_is_told_before(checking):
    """Without it nothing can be called contradicted or changed; the sentence goes when the day is there."""
    core = CoreDouble()
    core.samples = lambda: (replace(SAMPLE, published_at=None),)
    here = checking(core=core)
    assert "영상이 나온 날을 몰라서" in here.texts()
    assert "영상이 나온 날을 몰라서" not in checking().texts()


def test_claims_found_without_the_model_are_looked_for_again_when_it_is_there(checking):
    """A model that came late is offered once, and not where it was there or where there is none."""
    core = CoreDouble()
    partly = replace(found(), by_meaning=0.4, notes=("시간이 모자랐어요.",))
    core.find_claims = lambda _: partly
    here = checking(core=core)
    assert "시간이 모자랐어요." in here.texts()
    assert not here.has_button("find-again")
    core.at_work = Scorer(name="e5", state="ready")
    here.look()
    core.find_claims = lambda _: found()
    here.click("find-again")
    assert "시간이 모자랐어요." not in here.texts()
    assert len(here.chosen()) == 12


def test_the_choice_is_the_visitors(checking):
    """Claims are left out and taken in one by one, all or none, and shown in the order of the video."""
    here = checking()
    here.at.checkbox(key=f"pick-{_serial(here)}-2").set_value(False)
    here.look()
    assert here.chosen() == [1, *range(3, 13)]
    here.click("pick-none")
    assert here.button("start-claims").disabled
    here.click("pick-all")
    here.click("more-claims")
    assert "**고른 30개 확인**" in here.texts()
    here.click("pick-best")
    assert len(here.chosen()) == 12


def test_a_choice_outlives_a_reload(checking):
    """The address leads to what was left out, worded anew and added; a word that nobody knows leads to the usual choice."""
    here = checking()
    assert "picked" not in here.at.query_params
    here.at.checkbox(key=f"pick-{_serial(here)}-2").set_value(False)
    here.look()
    here.click(f"edit-pick-{_serial(here)}-3")
    here.at.text_area(key=f"claim-text-{_serial(here)}-3").set_value("HBM을 만드는 회사는 세 곳이다.")
    here.click("save-claim")
    here.at.text_input(key="added-claim").set_value("값은 500달러다.")
    here.click("add-claim")
    word = here.at.query_params["picked"]
    anew = _come_back(here, word[0] if isinstance(word, list) else word)
    assert sorted(anew.chosen()) == [1, *range(3, 13), 31]
    worded = [box.label.replace("\\", "") for box in anew.at.checkbox]
    assert worded[:2] == ["값은 500달러다.", TEXTS[0]]
    assert "HBM을 만드는 회사는 세 곳이다." in worded
    strange = _come_back(here, "nobody")
    assert strange.chosen() == list(range(1, 13))
    assert "picked" not in strange.look().query_params


def _come_back(here: Checking, word: str) -> Checking:
    """Return another visit with the same video open, at the address of a choice."""
    other = Checking(here.core, {"video": "1"})
    other.at.switch_page("pages/claims.py")
    other.at.query_params["picked"] = word
    other.look()
    return other


def test_a_choice_that_cannot_be_checked_says_why(checking):
    """More than can be checked at once is told before anything begins, and so is that the web cannot be asked."""
    here = checking("away")
    assert "**고른 12개 확인** · 웹 검색 없이 내 자료하고만" in here.texts()
    here.claims.most = 20
    here.click("pick-all")
    assert "한 번에 20개까지 확인할 수 있어요." in here.texts()
    assert here.button("start-claims").disabled


def _serial(here: Checking) -> int:
    return here.at.session_state["page-session"].serial


def test_a_claim_is_worded_anew_and_one_is_added(checking):
    """What the visitor writes is what is checked, with the quote of its moment; a time nobody can read is told."""
    here = checking()
    here.click(f"edit-pick-{_serial(here)}-2")
    here.at.text_area(key=f"claim-text-{_serial(here)}-2").set_value("HBM4의 폭은 2048비트다.")
    here.click("save-claim")
    here.at.text_input(key="added-claim").set_value("값은 500달러다.")
    here.at.text_input(key="added-claim-time").set_value("다섯 시")
    here.click("add-claim")
    assert "시각은 05:45나 1:02:07처럼 적어 주세요." in here.texts()
    here.at.text_input(key="added-claim-time").set_value("9:00:00")
    here.click("add-claim")
    assert "까지예요. 그 안의 시각을 적어 주세요." in here.texts()
    here.at.text_input(key="added-claim-time").set_value("00:21")
    here.click("add-claim")
    here.start()
    asked = {claim.number: claim for claim in here.run.request.claims}
    assert (asked[2].text, asked[2].origin, len(asked[2].moments)) == ("HBM4의 폭은 2048비트다.", ClaimOrigin.USER, 2)
    assert (asked[31].text, asked[31].start_s) == ("값은 500달러다.", 21.0)
    assert asked[31].moments[0].quote.startswith("1번째 말입니다.")


@pytest.mark.parametrize(
    ("transcript", "count", "error", "words"),
    [
        ((), 30, None, "자막이 없는 영상이라 주장을 찾을 수 없어요"),
        (SAMPLE.transcript, 0, None, "문장 212개를 살펴봤는데, 숫자·날짜·기록처럼 찾아볼 수 있는 말이 없었어요."),
        (SAMPLE.transcript, 30, StorageError("x", korean="언어 자료를 읽지 못했어요."), "언어 자료를 읽지 못했어요."),
    ],
    ids=["no transcript", "no claims", "not read"],
)
def test_no_claims_is_one_of_three_things(checking, transcript, count, error, words):
    """Whether nothing is said, nothing is worth checking, or nothing could be read is told, with what to do."""
    core = CoreDouble()
    core.claims.count, core.claims.unreadable = count, error
    core.samples = lambda: (replace(SAMPLE, transcript=transcript),)
    here = checking(core=core)
    assert words in here.texts()
    if error is None:
        here.at.text_input(key="added-claim").set_value("값은 500달러다.")
        here.click("add-claim")
        assert "**고른 1개 확인**" in here.texts()
    else:
        core.claims.unreadable = None
        here.click("find-again")
        assert len(here.chosen()) == 12


def test_a_run_goes_through_its_states_to_its_verdicts(checking):
    """Each claim is seen waiting, being looked for, and decided; the address has the run from the click on."""
    core = CoreDouble()
    core.claims.slow, core.claims.pace = True, 0
    here = checking(core=core)
    here.start()
    assert here.address == here.run.id
    assert "12개 중 0개 확인" in here.texts()
    assert "대기 중 12" in _pills(here)
    here.tell(2)
    assert "확인 중 1" in _pills(here)
    here.tell(2)
    assert "12개 중 1개 확인" in here.texts()
    assert here.has_button("mark-agree-1")
    here.tell()
    assert "확인을 마쳤어요" in here.texts()
    assert "상충 3" in _pills(here)
    assert COVERAGE[0] in here.texts()
    assert "9.1초 걸림 · 검색 24번 · 페이지 31쪽" in here.texts()
    assert "동시에 한 일을 주장마다 더하면 찾기 3.1초 · 읽기 5.2초" in here.texts()


def _pills(here: Checking) -> str:
    return " | ".join(option for group in here.at.button_group for option in group.options)


def test_a_mark_moves_the_video_and_opens_its_claim(checking):
    """The mark says time, verdict and claim; its click unfolds what sources say beside what the video says."""
    here = checking()
    here.start()
    mark = here.button("mark-contradicts-2")
    assert mark.label.replace("\\", "") == f"00:46 상충: {TEXTS[1]} (장면 2곳 중 1번째)"
    here.click("mark-contradicts-2")
    session = here.at.session_state["page-session"]
    assert (session.now_s, session.jumps) == (pytest.approx(46.33, abs=0.1), 0)
    told = here.texts()
    for words in (
        "독립된 출처 2곳",
        f"“{QUOTE}”",
        "“JEDEC은 HBM4의 입출력 폭을 2048비트로 두 배 늘렸다고 밝혔다.”",
        "영상보다 먼저",
        "같은 글을 옮겼거나 한 회사에서 낸 1곳은 하나로 셌어요: news2.example.com",
        "영상 쪽에서 낸 글이라 세지 않았어요",
    ):
        assert words in told
    assert not [word for word in ("거짓", "틀렸", "false") if word in told]


def test_a_claim_made_twice_has_a_mark_where_it_is_made_again(checking):
    """Both marks open its card, the second one moves the video to the second place."""
    here = checking()
    here.start()
    assert here.button("mark-contradicts-2-1").label.replace("\\", "") == f"15:00 상충: {TEXTS[1]} (장면 2곳 중 2번째)"
    here.click("mark-contradicts-2-1")
    assert here.at.session_state["page-session"].now_s == 900.0
    assert "“JEDEC은 HBM4의 입출력 폭을 2048비트로 두 배 늘렸다고 밝혔다.”" in here.texts()


def test_a_text_without_times_has_no_timeline(checking):
    """Nothing tells a time or leads to one; the lines in which claims are made are found by their words."""
    core = CoreDouble()
    said = tuple(TranscriptSegment(0.0, 0.0, text) for text in (*TEXTS, QUOTE))
    core.samples = lambda: (replace(SAMPLE, transcript=said, duration_s=None),)
    claims = tuple(
        Claim(number=number, text=text, moments=(ClaimMoment(0.0, 0.0, text),)) for number, text in enumerate(TEXTS, start=1)
    )
    core.find_claims = lambda _: FoundClaims(claims=claims, sentences=6)
    here = checking(core=core)
    assert ":material/flag:" in here.markdown()
    here.start()
    assert here.keys("mark-") + here.keys("at-claim-") == []
    assert "00:00" not in here.markdown()
    assert "영상 위의 판단" not in here.markdown()
    assert "확인을 마쳤어요" in here.texts()


def test_lines_of_the_transcript_carry_the_shape_of_the_verdict(checking):
    """Before a check lines with claims have a flag, after it the shape and, to be pointed at, the word."""
    here = checking()
    line = f"line-{_serial(here)}-2"
    assert ":material/flag:" in here.button(line).label
    here.start()
    assert ":red[:material/warning:]" in here.button(line).label
    assert here.button(line).help == "상충"


def test_a_claim_that_was_heard_badly_says_so(checking):
    """A claim from a stretch where speech recognition is uncertain is marked before and after its check, no other is."""
    core = CoreDouble()
    core.claims = ClaimsDouble("good")
    first, *others = SAMPLE.transcript
    core.samples = lambda: (replace(SAMPLE, transcript=(replace(first, uncertain=True), *others)),)
    said = (
        ClaimMoment(first.start_s, first.end_s, first.text),
        ClaimMoment(others[-1].start_s, others[-1].end_s, others[-1].text),
    )
    found = tuple(Claim(number=number, text=f"{number}번 말이다.", moments=(said[number - 1],)) for number in (1, 2))
    core.find_claims = lambda _: FoundClaims(claims=found, sentences=2)
    here = checking(core=core)
    marked = [element.value for element in here.at.markdown if "음성 인식 불확실" in element.value]
    assert len(marked) == 1
    here.start()
    here.tell()
    assert [f"**{number}번 말이다.** :orange[:small[음성 인식 불확실]]" in here.texts() for number in (1, 2)] == [True, False]


def test_filters_leave_what_was_asked_for(checking):
    """By verdict and by the time of the sources; the list says how many are in sight."""
    here = checking()
    here.start()
    next(group for group in here.at.button_group if group.key.startswith("claims-kinds")).set_value(["contradicts"])
    here.look()
    assert here.keys("mark-") == ["mark-contradicts-2", "mark-contradicts-7", "mark-contradicts-12", "mark-contradicts-2-1"]
    assert "12개 중 3개를 보고 있어요." in here.texts()
    here.at.session_state[f"claims-when-{here.run.id}"] = "after"
    here.look()
    assert here.keys("mark-") == []
    assert "고른 조건에 맞는 주장이 없어요." in here.texts()


def test_nothing_found_says_what_was_searched_for(checking):
    """A claim that cannot be told shows the query and what each service answered."""
    here = checking()
    here.start()
    assert "위키백과: 0건 · 0.3초" in here.open_rows(4)
    assert f"검색어 “{TEXTS[3]} JEDEC”" in here.texts()


def test_sample_documents_are_no_web(checking):
    """Where the web is away they speak under their own name, with a mark of their own, and the run says that it failed."""
    here = checking("away")
    here.start()
    assert here.keys("mark-own_contradicts-")
    assert "내 자료(예시)에서는 상충" in here.texts()
    assert "웹 검색 서비스에 하나도 물어보지 못했어요." in here.texts()
    told = here.open_rows(1)
    assert "내 자료(예시)에서 (웹이 아니에요)" in told
    assert "독립된 출처" not in here.markdown()


def test_a_run_is_stopped_and_gone_on_with(checking):
    """What was checked stays, the rest is left out, and going on makes a run that names this one."""
    core = CoreDouble()
    core.claims.slow, core.claims.pace = True, 0
    here = checking(core=core)
    here.start()
    here.tell(4)
    here.click("stop-claims")
    here.look()
    assert (here.run.status, here.run.checks[0].verdict) == (ClaimsStatus.STOPPED, Stance.AGREE)
    assert "확인하지 않음 11" in _pills(here)
    stopped = here.run.id
    here.click("resume-claims")
    assert (here.run.request.continues, here.address) == (stopped, here.run.id)
    here.click("finish-claims")
    here.look()
    assert "여기까지 확인하고 마무리했어요" in here.texts()


def test_finishing_takes_its_time_and_says_so(checking):
    """Until what is under way has ended the page says that it is waited for, and asks for no second click."""
    core = CoreDouble()
    core.claims.slow, core.claims.pace, core.claims.lingers = True, 0, True
    here = checking(core=core)
    here.start()
    here.tell(4)
    here.click("finish-claims")
    assert "하고 있는 것만 마치고 있어요." in here.texts()
    assert here.button("finish-claims").disabled
    here.tell()
    here.look()
    assert "여기까지 확인하고 마무리했어요" in here.texts()


def test_a_run_is_reopened_by_its_address_and_deleted(checking):
    """Another visit sees the same run with its video; deleting it asks first and leaves the video open."""
    here = checking()
    here.start()
    other = checking(core=here.core, claims=here.run.id)
    assert "확인을 마쳤어요" in other.texts()
    assert other.at.session_state["page-session"].video == SAMPLE
    other.click("delete-run")
    other.click("delete-run-yes")
    assert here.claims.runs == {}
    assert other.address == ""
    assert checking(core=here.core, claims="gone").texts().count("찾는 확인이 없어요.") == 1


@pytest.mark.parametrize(
    ("choice", "page", "words"),
    [
        ("chat", "pages/chat.py", "이 말은 영상에서 어떤 맥락에서 나왔나요?"),
        ("research", "pages/research.py", "이 주장이 맞는지 여러 자료로 알아봐 주세요."),
        ("search", "pages/search.py", TEXTS[0]),
    ],
)
def test_a_claim_is_taken_on(checking, choice, page, words):
    """To a conversation, where it is asked; to research, where it is written down; to a search, which begins."""
    here = checking()
    here.start()
    here.at.get_by_key("go-on-1").click(choice)
    here.look()
    assert (
        words
        in {
            "chat": lambda: here.texts(),
            "research": lambda: here.at.text_input(key="research-question").value,
            "search": lambda: here.core.searches[-1][0].text,
        }[choice]()
    )


def test_a_run_that_cannot_begin_says_why(checking):
    """The choice stays as it was."""
    here = checking()
    here.claims.broken = "영상 확인을 시작하지 못했어요."
    here.start()
    assert "영상 확인을 시작하지 못했어요." in here.texts()
    assert len(here.chosen()) == 12


def test_hostile_text_stays_text(checking):
    """Nothing a stranger wrote is drawn as Markdown, and no address that is none becomes a link."""
    here = checking("hostile")
    here.start()
    here.open_rows(1)
    assert "<script>" in here.texts()
    assert "](javascript" not in here.markdown()
    assert "![x]" not in here.markdown()


def test_history_tells_runs_of_this_video_apart(checking):
    """Each is listed with its time, its number of claims and how it ended."""
    here = checking()
    here.start()
    entry = here.button(f"run-open-{here.run.id}").label
    assert "12개 · 완료" in entry
    here.click("new-claims")
    assert here.has_button("start-claims")
    assert here.has_button(f"run-{here.run.id}")
    assert here.run.created_at >= NOW


def test_what_has_changed_since_the_last_check_stands_over_the_run(checking):
    """A second check of the same video is held against the first: verdicts that turned, both named."""
    here = checking()
    here.start()
    here.claims.story = "changed"
    here.click("claims-again")
    here.look()
    assert here.run.request.fresh
    assert "판단이 바뀐 주장 12개" in here.texts()
    here.at.session_state[f"changes-{here.run.id}"] = True
    here.look()
    told = here.texts()
    assert "지난 확인 이후 바뀐 것" in told
    assert f":green-badge[:material/check_circle: 일치] → :red-badge[:material/warning: 상충] {TEXTS[0]}" in told
