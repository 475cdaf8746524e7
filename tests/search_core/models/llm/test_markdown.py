"""Model text as Markdown that can only be read, judged by a parser that allows everything."""

from __future__ import annotations

import re
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from search_core.models.llm.markdown import MAX_CHARS, safe_markdown
from tests.search_core.models.llm.hostile_markdown import HONEST, LINKS, OURS, PAYLOADS

_JUDGE = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_JUDGE.validateLink = lambda _: True
_NO_WORDS = re.compile(r"(?P<kept>\\.)|(`+)(?!`).*?(?<!`)\2(?!`)|\]\([^)]*\)", re.DOTALL)
"""Code and addresses of links; a sign that is escaped begins neither."""
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_AUTOLINK = re.compile(r"https?://|www\.\w|[\w.+-]+@[\w-]+\.\w", re.IGNORECASE)


def harm_in(markdown: str, allowed: set[str] = OURS) -> list[str]:
    """Return what a reader's browser could be made to do by *markdown*."""
    found = []
    tokens = [child for token in _JUDGE.parse(markdown) for child in (token, *(token.children or []))]
    for token in tokens:
        if token.type in ("image", "html_inline", "html_block"):
            found.append(token.type)
        if token.type == "link_open" and token.attrs["href"] not in allowed:
            found.append(f"link {token.attrs['href']}")
        if token.type == "fence" and token.info:
            found.append(f"language {token.info}")
    inside = 0
    for token in tokens:
        inside += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "text" and not inside and _AUTOLINK.search(token.content):
            found.append(f"autolink {token.content}")
    written = "\n".join(
        _NO_WORDS.sub(lambda match: match["kept"] or "\0", token.content) for token in tokens if token.type == "inline"
    )
    signs = _ESCAPED.sub("\0", written)
    if "$" in signs:
        found.append("formula")
    if re.search(r":[a-z]", signs) or re.search(r":(?:streamlit|material/\w+):", re.sub(r"\\([\W_])", r"\1", written)):
        found.append("directive")
    return found


@pytest.mark.parametrize("name", PAYLOADS)
def test_hostile_text_can_only_be_read(name: str):
    """Pictures, foreign links, HTML, formulas and autolinks in every dress are words afterwards, at every length of the text."""
    text = PAYLOADS[name]
    for end in range(len(text) + 1):
        assert harm_in(safe_markdown(text[:end], LINKS)) == []


@pytest.mark.parametrize("text", [".@h.a", "..@h.a.", "(.@h.a)"])
def test_a_mail_address_whose_name_is_a_full_stop_is_code(text: str):
    """The signs around an address are left out of the code only where an address remains."""
    assert harm_in(safe_markdown(text)) == []


def test_every_payload_is_one():
    """The judge sees harm in all payloads as they were written, but for an address that only dropping a number puts together."""
    assert [name for name, text in PAYLOADS.items() if not harm_in(text)] == ["autolink-halved-number"]


def words_in(markdown: str) -> list[str]:
    """Return the text that a reader sees of *markdown*, block by block."""
    blocks = [token.children or [] for token in _JUDGE.parse(markdown) if token.type == "inline"]
    return ["".join(token.content for token in block) for block in blocks]


@pytest.mark.parametrize("line", HONEST)
@pytest.mark.parametrize(
    "form", ["{}", "- 하나\n- {}", "1. 하나\n2. **둘:** {}", "> {}", "# 제목\n\n앞\n\n{}", "| 가 | 나 |\n|---|---|\n| 1 | {} |"]
)
def test_honest_lines_keep_their_words(line: str, form: str):
    """Signs, times, money, comparisons and code read the same afterwards in paragraphs, lists, quotations and tables."""
    text = form.format(line.replace("|", "\\|") if "---" in form else line)
    assert words_in(safe_markdown(text, LINKS)) == words_in(text)


_SIGNS = (
    r"[ ] ( ) ! < > ` ``` * ** _ ~~ | \ $ : = ^ &#x5b; &excl; 1 9 [1] [9] [12:41] a 한글 @ . h ttp s:/ / www evil.example "
    "javascript: data: ![x](https://evil.example) :material/ star: :streamlit: :red[ ::"
)
_BITS = st.sampled_from(
    [
        *_SIGNS.split(),
        *("\n", "\n\n", "|---|\n", ": ", "# ", "> ", "- ", "1. ", "    ", "\u200b", "<img src=x>"),
        "[1]: https://evil.example\n",
    ]
)


@given(st.lists(_BITS, max_size=40).map("".join))
def test_no_combination_of_signs_does_harm(text: str):
    """No text made of Markdown's own signs does anything; written anew once more, it does not either."""
    once = safe_markdown(text, LINKS)
    assert harm_in(once) == []
    assert harm_in(safe_markdown(once, LINKS)) == []


@given(st.text())
def test_any_text_can_be_written(text: str):
    """Every text whatever comes out as harmless Markdown."""
    assert harm_in(safe_markdown(text), set()) == []


def test_citations_become_links_of_ours():
    """Known numbers and moments lead to their addresses only, one without an address stays a number, an unknown one goes."""
    assert safe_markdown("나와요 [1], 그래요 [3]. 아니에요 [9]. 여기 [12:41] 저기 [9:99]", LINKS) == (
        r"나와요 [\[1\]](https://news.example/a?b=1&amp;c=%242), 그래요 \[3\]. 아니에요. "
        r"여기 [\[12:41\]](https://video.example/v?t=761) 저기 \[9:99\]"
    )
    assert safe_markdown("그래요 [1, 2, 9].", LINKS) == (
        r"그래요 [\[1\]](https://news.example/a?b=1&amp;c=%242)[\[2\]](https://ko.example/%EA%B8%80_%28%EB%9C%BB%29)."
    )
    assert safe_markdown("그래요 [12:41](https://evil.example).", LINKS) == r"그래요 [\[12:41\]](https://video.example/v?t=761)."


@pytest.mark.parametrize("url", ["javascript:alert(1)", "/x", "https://user:pw@x.example", ""])
def test_an_address_that_is_none_is_not_linked(url: str):
    """A source whose address cannot be a link keeps its number."""
    assert safe_markdown("그래요 [1].", {"1": url}) == r"그래요 \[1\]."


def test_hosts_are_shown_in_ascii_and_signs_are_coded():
    """A host in other letters is linked in its ASCII form, and no sign of an address ends the link early."""
    assert harm_in(safe_markdown("[1]", {"1": "https://한글.example/a)](https://evil.example)<\"'>%20`|"}), set()) == [
        "link https://xn--bj0bj06e.example/a%29%5D%28https://evil.example%29%3C%22%27%3E%20%60%7C"
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# 제목\n\n### 작은 **제목**", "#### 제목\n\n##### 작은 **제목**"),
        ("- 하나\n- 둘\n  - 셋\n\n3. 넷\n4. 다섯", "- 하나\n- 둘\n  - 셋\n\n3. 넷\n4. 다섯"),
        ("| 이름 | 값 |\n|:--|--:|\n| 가 | `a\\|b` |", "| 이름 | 값 |\n| :--- | ---: |\n| 가 | `a\\|b` |"),
        ("```python\nprint('`')\n```", "```\nprint('`')\n```"),
        ("**굵게** *기울여* ~~지움~~ `코드`", "**굵게** *기울여* ~~지움~~ `코드`"),
        ("한 줄  \n다음 줄\n셋째", "한 줄\\\n다음 줄\n셋째"),
        ("3 < 5 > 2, $5, a_b, C&A, AT&amp;T", r"3 \< 5 > 2, \$5, a\_b, C\&A, AT\&T"),
        ("1986\\. 글\n\\- 글\n\\# 글", "1986\\. 글\n\\- 글\n\\# 글"),
        ("가<br>나", "가 나"),
        ("[9]", ""),
        ("", ""),
        ("가" * (MAX_CHARS + 1), "가" * MAX_CHARS + "…"),
    ],
)
def test_honest_text_keeps_its_shape(text: str, written: str):
    """Headings go below those of the page; lists, tables, code, emphasis and signs are as they were."""
    assert safe_markdown(text, LINKS) == written


@pytest.mark.parametrize("bit", ["[", "*a ", "`", "> ", "[1](", "|a|\n", "a@b ", "1. "])
def test_no_text_takes_long(bit: str):
    """Signs that make parsers slow are written within seconds, even on a busy machine."""
    started = perf_counter()
    safe_markdown(bit * (MAX_CHARS // len(bit)))
    assert perf_counter() - started < 30
