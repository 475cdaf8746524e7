"""The five-minute demo, whose pictures are those of the README: ``python -m tests.browser.demo`` writes ``docs/pictures``.

Services, pages and the model are played, so that every run shows the same.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_chromium
from tests.browser.played_app import QUESTION, app_over
from tests.browser.servers import ROOT
from tests.browser.steps import (
    PHONE,
    marked_line,
    open_sample,
    research,
    search,
    visible_buttons,
    wait_for_report,
)
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, judging, rows_asked, saying
from tests.loopback.played import Page as WebPage
from tests.loopback.world import World

PICTURES = ROOT / "docs" / "pictures"
PICTURE_WIDTH = 1280
RESEARCH = "HBM4의 대역폭은 얼마이고, 값은 어떻게 되나요?"
KNOWN = (
    "HBM4 표준의 대역폭은 한 묶음에 일 초당 최대 **2테라바이트**예요 [05:45]. 입출력 폭을 2048비트로 두 배 늘린 결과예요 [05:35]."
)
PLAN = '["HBM4 표준의 대역폭은 얼마인가요?", "HBM4 값은 하반기에 어떻게 되나요?"]'
FOUND = (
    WebPage(
        title="JEDEC, HBM4 표준 발표… 한 묶음에 초당 2테라바이트",
        url="https://chipnews.example/hbm4",
        snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트라고 적혀 있다. 입출력 폭은 2048비트다.",
        published="2025-04-17T00:00:00",
    ),
    WebPage(
        title="JEDEC, HBM4 표준 개정… 대역폭 2.8테라바이트로",
        url="https://memory-today.example/revised",
        snippet="개정된 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2.8테라바이트다. SK하이닉스와 삼성전자가 하반기부터 쓴다.",
        published="2026-06-11T00:00:00",
    ),
    WebPage(
        title="HBM4 표준을 다시 읽다",
        url="https://techblog.example/hbm4-reading",
        snippet="HBM4 표준의 대역폭은 한 묶음에 초당 최대 1.6테라바이트다.",
        published="2025-05-02T00:00:00",
    ),
    WebPage(
        title="HBM4 값, 하반기에 5% 오를 듯",
        url="https://market.example/prices",
        snippet="HBM4 값은 하반기에 5% 오를 것으로 시장조사 회사가 내다봤다.",
        published="2026-09-03T00:00:00",
    ),
    WebPage(
        title="SK하이닉스, HBM4 12단 양산 준비 마쳐",
        url="https://industry.example/mass-production",
        snippet="SK하이닉스가 HBM4 12단 제품의 양산 준비를 마쳤다고 밝혔다.",
        published="2025-09-12T00:00:00",
    ),
)
PARKS = (
    WebPage(
        title="지리산, 알고 오르기",
        url="https://mountains.example/jirisan",
        snippet="지리산의 높이는 1,915미터이다. 지리산국립공원의 넓이는 약 483제곱킬로미터이다.",
        published="2022-04-11T00:00:00",
    ),
    WebPage(
        title="우리 산의 높이",
        url="https://survey.example/heights",
        snippet="설악산의 높이는 1,708미터이다. 지리산의 높이는 1,915미터이다. 한라산의 높이는 1,947미터이다.",
        published="2021-06-01T00:00:00",
    ),
    WebPage(
        title="설악산 안내",
        url="https://hiking.example/seoraksan",
        snippet="설악산은 1970년에 국립공원이 되었다. 설악산의 높이는 1,708미터이다.",
        published="2023-01-20T00:00:00",
    ),
    WebPage(
        title="팔공산, 스물세 번째 국립공원이 되다",
        url="https://news.example/palgongsan",
        snippet="우리나라의 국립공원은 23곳이다. 팔공산이 새로 국립공원이 되었다.",
        published="2024-01-02T00:00:00",
    ),
)
"""What the web of the demo knows of the sample video with planted errors."""


def model(asked: Asked) -> Whole | Stream:
    """Answer as a model would that keeps to what it is given."""
    instructions, said = asked.body["messages"][0]["content"], asked.body["messages"][-1]["content"]
    if rows_asked(asked, controls=True):
        return judging(lambda _: [])(asked)
    if "Decompose the question" in instructions:
        return saying(PLAN)(asked)
    if "You write research reports" in instructions:
        bandwidth = f"{_cite(said, 0)} {_cite(said, 1)}"
        return saying(
            f"## 요약\n\n{bandwidth}\n\n## HBM4 표준의 대역폭은 얼마인가요?\n\n{bandwidth}\n\n"
            f"## HBM4 값은 하반기에 어떻게 되나요?\n\n{_cite(said, 3)}"
        )(asked)
    if "about one video" in instructions:
        return saying(KNOWN if said.rstrip().endswith(QUESTION) else "영상에서 언급되지 않았습니다.")(asked)
    return saying(f"{_cite(said, 0)} {_cite(said, 1)}")(asked)


def _cite(prompt: str, place: int) -> str:
    """Return the first sentence of a found page with the number under which *prompt* has it."""
    page = FOUND[place]
    found = re.search(rf"\[(\d+)\][^\n]*{re.escape(page.title)}", prompt)
    sentence = page.snippet.split(". ")[0].rstrip(".")
    return f"{sentence} [{found[1]}]." if found else f"{sentence}."


@contextmanager
def demo_app(data: Path, **more: str) -> Iterator[tuple[str, World]]:
    """Run the app over the played web of the demo, and give its address and that web."""
    with World() as world, LanguageModelServer(model) as endpoint:
        world.play_all(pages=FOUND)
        with app_over(world, endpoint, data, SEARCH_PROVIDERS="library,tavily,brave", **more) as (address, _):
            yield address, world


def play_wide(page: Page, address: str, world: World, take: Callable[[str], None]) -> None:
    """Go through the demo on *page*; *take* makes a picture of that name."""
    page.goto(address)
    open_sample(page)
    search(page, QUESTION)
    take("search")
    visible_buttons(page, "check-").click()
    expect(page.locator("[class*='st-key-stance-']:visible").first).to_be_visible()
    expect(page.locator(".st-key-stop-answer")).to_have_count(0)
    take("chat")
    research(page, RESEARCH)
    wait_for_report(page)
    take("research")
    world.play_all(pages=PARKS)
    page.goto(f"{address}/?video=4&tab=claims")  # the sample with planted errors
    expect(visible_buttons(page, "start-claims")).to_be_enabled()
    visible_buttons(page, "start-claims").click()
    expect(visible_buttons(page, "claims-again")).to_have_count(1)
    take("claims")
    page.goto(f"{address}/health")
    expect(page.locator(".st-key-timeline svg").first).to_be_visible()
    take("health")


def play_on_phone(page: Page, address: str, _: World, take: Callable[[str], None]) -> None:
    """Ask a question on a phone and go to the moment of a result."""
    page.goto(address)
    open_sample(page)
    search(page, QUESTION)
    visible_buttons(page, "moment-").first.click()
    expect(marked_line(page)).to_have_count(1)
    take("phone")


def main() -> None:
    wide = {"viewport": {"width": 1440, "height": 1000}, "color_scheme": "light"}
    phone = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "color_scheme": "dark", **PHONE}
    with open_chromium() as browser:
        for play, options in ((play_wide, wide), (play_on_phone, phone)):
            context = browser.new_context(locale="ko-KR", timezone_id="Asia/Seoul", reduced_motion="reduce", **options)
            # A core of its own each: what one run asked would be in the lists of the next.
            with tempfile.TemporaryDirectory() as data, demo_app(Path(data) / "data") as (address, world):
                page = context.new_page()
                play(page, address, world, partial(save_picture, page))


def save_picture(page: Page, name: str) -> None:
    """Write what *page* shows into ``docs/pictures``, small enough for the repository."""
    page.wait_for_timeout(700)  # fonts, charts and scrolling come to rest; a picture has no other sign of it
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    width = min(PICTURE_WIDTH, picture.width)
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
    picture.save(PICTURES / f"{name}.webp", quality=82, method=6)


if __name__ == "__main__":
    main()
