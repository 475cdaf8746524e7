"""Bytes of a web page as text, whatever encoding it is in and whatever it says it is in."""

from __future__ import annotations

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, resolve_encoding

from search_core.korean.decoding import decode_text

_TRUSTED = frozenset({"utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "cp949", "johab"})
"""What ``decode_text`` finds by more than chance: bytes that are none of these hardly ever look like them."""
_MANY_BYTES = frozenset(
    {"gb18030", "big5hkscs", "big5", "cp932", "shift_jis", "euc_jp", "iso2022_jp", "iso2022_kr", "euc_kr", "cp949"}
)
_DAMAGED_SHARE = 0.02
_STRAY_SHARE = 0.01


def decode_page(data: bytes, content_type: str = "") -> str:
    """Return *data* as text; *content_type* is the header it came with.

    What the bytes show wins over what the header and the page say, for the latter are often wrong about Korean; between
    encodings that bytes do not show, the header and the page decide, in this order. Raises ValueError when it is no text.
    """
    if 0 < data.count(0) < _STRAY_SHARE * len(data):
        data = data.replace(b"\x00", b"")  # text in UTF-16 has far more: its spaces and line ends
    declared = _name(http_content_type_encoding(content_type)) or _name(html_body_declared_encoding(data))
    if declared.startswith("iso2022") and b"\x1b" in data:  # seven bits, so that it looks like ASCII
        return data.decode(declared, "replace")
    text, found = decode_text(data)
    if found in _TRUSTED or not declared or declared in _TRUSTED:
        return text
    other = data.decode(declared, "replace")
    if declared in _MANY_BYTES and other.count("\ufffd") > _DAMAGED_SHARE * max(1, sum(c > "\x7f" for c in other)):
        return text
    return other.replace("\r\n", "\n").replace("\r", "\n")


def _name(declared: str | None) -> str:
    """Return the codec that *declared*, a name as pages write it, stands for; empty for one that is unknown or no charset."""
    resolved = (resolve_encoding(declared) if declared else None) or ""
    try:
        "".encode(resolved or "ascii")
    except (LookupError, UnicodeError):
        return ""
    return resolved.replace("-", "_") if resolved.startswith(("iso2022", "euc", "shift", "iso-2022")) else resolved
