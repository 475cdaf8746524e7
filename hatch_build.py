"""Names the requirements of an installed ``maekrak``: those of requirements.txt, and its extras."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

EXTRAS = ("models", "speech", "whisper", "scaling", "login")


class RequirementsHook(MetadataHookInterface):
    """Reads requirements from the files that ``make`` installs."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them to *metadata*."""
        metadata["dependencies"] = self._read("requirements.txt")
        metadata["optional-dependencies"] = {extra: self._read(f"requirements-{extra}.txt") for extra in EXTRAS}

    def _read(self, name: str) -> list[str]:
        found: list[str] = []
        for line in (Path(self.root) / name).read_text(encoding="utf-8").splitlines():
            wanted = line.partition("#")[0].strip()
            if wanted:
                found += self._read(wanted.removeprefix("-r ")) if wanted.startswith("-r ") else [wanted]
        return found
