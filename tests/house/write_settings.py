"""Writes the settings, as the code has them, into ``.env.example`` and ``docs/settings.md``: ``make docs``."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import SecretStr

from search_core.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/settings.md"
START, END = "<!-- settings -->", "<!-- /settings -->"


def rows() -> list[tuple[str, str, str]]:
    """Return (name, default, meaning) of every setting."""
    found = []
    for name, field in Settings.model_fields.items():
        default = field.default.get_secret_value() if isinstance(field.default, SecretStr) else str(field.default)
        if isinstance(field.default, bool):
            default = default.lower()
        found.append((name.upper(), default, field.description or ""))
    return found


def env_example() -> str:
    """Return the text of ``.env.example``."""
    lines = ["# Settings of Maekrak. Copy to .env and change what you need; an unset name keeps the default shown."]
    for name, default, meaning in rows():
        lines += ["", f"# {meaning}", f"#{name}={default}"]
    return "\n".join(lines) + "\n"


def table() -> str:
    """Return the settings as a Markdown table."""
    lines = ["| name | default | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {f'`{default}`' if default else '–'} | {meaning} |" for name, default, meaning in rows()]
    return "\n".join(lines)


def replace_table(text: str) -> str:
    """Return *text* with its settings table replaced."""
    return re.sub(f"{START}.*?{END}", lambda _: f"{START}\n{table()}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    (ROOT / ".env.example").write_text(env_example(), encoding="utf-8")
    PAGE.write_text(replace_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
