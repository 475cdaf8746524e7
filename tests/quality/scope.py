"""Which scorers are measured, and on what."""

from __future__ import annotations

from dataclasses import dataclass

from search_core.settings import Settings
from tests.quality.sets import are_present

KIWI = "kiwi"
SHIPPED = str(Settings.model_fields["embedding_model"].default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which scorers are measured, and on what."""

    models: tuple[str, ...] = (KIWI, SHIPPED)
    everything: bool = True
    """The development data, too; the model that ships embeds some sixteen thousand of its texts the first time."""

    @property
    def reads_development(self) -> bool:
        """Tell whether the development data is measured on: where it is wanted and there is any."""
        return self.everything and are_present()


ALL = Scope()
