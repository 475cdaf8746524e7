"""Web pages in every encoding, told rightly and wrongly."""

from __future__ import annotations

import pytest

from search_core.reading.page_encoding import decode_page

KOREAN = "정부는 오늘 새로운 정책을 발표했다. 내년부터 시행하며, 시민은 누구나 참여할 수 있다고 밝혔다."
JAPANESE = "政府は今日、新しい政策を発表した。来年から実施され、市民は誰でも参加できるという。"
CHINESE = "政府今天公布了新的政策，明年开始实施，所有市民都可以参加。这是一项重要的决定。"
FRENCH = "Le gouvernement a annoncé une nouvelle politique, très attendue par les Français en été."


def page(text: str, charset: str = "") -> str:
    meta = f'<meta charset="{charset}">' if charset else ""
    return f"<html><head>{meta}<title>t</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(
    ("text", "encoding", "declared", "header"),
    [
        pytest.param(KOREAN, "utf-8", "", "", id="utf-8 unsaid"),
        pytest.param(KOREAN, "utf-8", "euc-kr", "text/html; charset=euc-kr", id="utf-8 said to be euc-kr"),
        pytest.param(KOREAN, "euc_kr", "", "", id="euc-kr unsaid"),
        pytest.param(KOREAN + " 똠방각하 펲시", "cp949", "ks_c_5601-1987", "", id="cp949"),
        pytest.param(KOREAN, "cp949", "utf-8", "text/html; charset=utf-8", id="cp949 said to be utf-8"),
        pytest.param(KOREAN, "cp949", "iso-8859-1", "text/html; charset=ISO-8859-1", id="cp949 said to be latin-1"),
        pytest.param(KOREAN, "cp949", "", "text/html; charset=zip", id="cp949 said to be no charset"),
        pytest.param(KOREAN, "utf-8", "utf-7", "text/html; charset=utf-7", id="utf-8 said to be utf-7"),
        pytest.param(KOREAN, "utf-16", "utf-8", "", id="utf-16 with a mark"),
        pytest.param(KOREAN, "utf-16-le", "", "", id="utf-16 without a mark"),
        pytest.param(JAPANESE, "cp932", "shift_jis", "", id="shift_jis"),
        pytest.param(JAPANESE, "euc_jp", "", "text/html; charset=euc-jp", id="euc-jp in the header"),
        pytest.param(JAPANESE, "iso2022_jp", "iso-2022-jp", "", id="iso-2022-jp"),
        pytest.param(CHINESE, "gb18030", "gb2312", "", id="gb2312"),
        pytest.param(FRENCH, "cp1252", "utf-8", "", id="latin-1 said to be utf-8"),
    ],
)
def test_a_page_is_read_in_its_encoding(text: str, encoding: str, declared: str, header: str):
    """The text comes out right, whatever the header and the page say of its encoding."""
    assert text in decode_page(page(text, declared).encode(encoding), header)


def test_zero_bytes_among_text_are_passed_over_and_binary_is_told():
    """A few NULs do not make text another encoding; binary data raises ValueError whatever it is said to be."""
    data = page(KOREAN, "euc-kr").encode("cp949")
    assert KOREAN in decode_page(data[:30] + b"\x00" + data[30:])
    for binary in (b"\x00\x01\x02\x03" * 100, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4):
        with pytest.raises(ValueError, match="not text"):
            decode_page(binary, "text/html; charset=utf-8")
