"""PDF files as strangers make them, written object by object."""

from __future__ import annotations

import zlib

_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def pdf(pages: int, content: bytes) -> bytes:
    """Return a PDF file whose so many pages all show *content*; it grows by ninety bytes a page, whatever they show."""
    packed = zlib.compress(content)
    stream = b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(packed), packed)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>"
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 5 + pages))
    tree = b"<</Type/Pages/Count %d/Kids[%b]>>" % (pages, kids)
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", tree, stream, _FONT, *([page] * pages)]
    written, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    start, count = len(written), len(objects) + 1
    return bytes(written + b"xref\n0 %d\n0000000000 65535 f \n%btrailer<</Root 1 0 R/Size %d>>\n" % (count, rows, count)) + (
        b"startxref\n%d\n%%%%EOF" % start
    )


def page_saying(words: str) -> bytes:
    """Return the content of a page that shows *words*."""
    return b"BT /F1 9 Tf 1 1 Td (" + words.encode("ascii") + b") Tj ET"


def empty_page(steps: int) -> bytes:
    """Return the content of a page that shows nothing, in so many steps."""
    return b"BT /F1 9 Tf 1 1 Td\n" + b"( ) Tj\n" * steps + b"ET"
