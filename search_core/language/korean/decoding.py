"""Decoding text files in any Korean encoding.

Bytes are nearly always valid in a wrong Korean encoding, too, so the reading with the syllables that Korean really uses wins.
"""

from __future__ import annotations

import codecs
import re

import charset_normalizer

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Syllables that make up about nine tenths of running Korean; chance readings hit them one time in twenty.
_COMMON = frozenset(
    "이다는의에을가고은하를로지도한해서사기어나인아자일그시리부들여보대수있게과스전상주라정으장것제원장동소와년"
    "만구조마우무요면비성공신관안경미생내치오선유세용물계실국방개분모문중때화되적거니까데았었습네죠저든말"
    "음식당연발학현회단간드위트립재월진행결산금출입노통민차체반더각감강개격검교권급길김남너누느님단달담답"
    "두따또람란래량력련령론료르른름릭매며명못바박받배번법별본볼불빠살새색석설속손송술쓰씨알않야약양언업없역열영"
    "예온완왜외운웃육임잘잡점존종좋준직질집참처천청초최추축층친크큰타터토특파편평포표품프피필할함합항향형호"
    "혼환활황후흐히힘"
)
_KOREAN_SHARE = 0.5
_DAMAGED_SHARE = 0.02
_OTHERS = ["cp1252", "cp1251", "koi8_r", "cp932", "euc_jp", "gb18030", "big5"]
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROL_SHARE = 0.01
_SAMPLE_BYTES = 200_000  # enough to tell an encoding; charset-normalizer's time grows with the bytes


def decode_text(data: bytes) -> tuple[str, str]:
    """Return *data* as (text, encoding): Unicode, CP949 (which includes EUC-KR), Johab, or a statistical guess.

    The text has no byte order mark and single line feeds for line ends; bytes that cannot be read stand as U+FFFD. Raises
    ValueError when the bytes are not text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _finish(data.decode(encoding, errors="replace"), encoding)
    try:
        return _finish(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _finish(*_decode_legacy(data))


def _finish(text: str, encoding: str) -> tuple[str, str]:
    if len(_CONTROL.findall(text)) > _CONTROL_SHARE * len(text) or text.count("\ufffd") > max(1.0, _DAMAGED_SHARE * len(text)):
        raise ValueError("the bytes are not text")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), encoding


def _decode_legacy(data: bytes) -> tuple[str, str]:
    readings = [(data.decode(encoding, errors="replace"), encoding) for encoding in ("utf-8", "cp949", "johab")]
    whole = [(text, encoding) for text, encoding in readings if _damage(text) <= _DAMAGED_SHARE]
    if whole and whole[0][1] == "utf-8":  # bytes above 0x7f hardly ever form valid UTF-8 by chance
        return whole[0]
    korean = [(_koreanness(text), text, encoding) for text, encoding in whole]
    if korean and max(korean)[0] >= _KOREAN_SHARE:
        _, text, encoding = max(korean)
        return text, encoding
    best = charset_normalizer.from_bytes(data[:_SAMPLE_BYTES], cp_isolation=_OTHERS).best()
    encoding = best.encoding if best is not None else "cp1252"
    return data.decode(encoding, errors="replace"), encoding


def _damage(text: str) -> float:
    """Return the share of unreadable characters among non-ASCII ones."""
    beyond = sum(character > "\x7f" for character in text)
    return text.count("\ufffd") / beyond if beyond else 0.0


def _koreanness(text: str) -> float:
    """Return the share of the most common Korean syllables among non-ASCII characters."""
    beyond = [character for character in text if character > "\x7f"]
    return sum(character in _COMMON for character in beyond) / len(beyond) if beyond else 0.0
