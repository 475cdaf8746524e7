"""Names in texts: persons, organisations, events, and their spellings in another script."""

from search_core.language.entities.find import find_entities
from search_core.language.entities.gazetteer import Entity, EntityKind
from search_core.language.entities.match import EntityMatcher, aliases_in, translate_name

__all__ = ["Entity", "EntityKind", "EntityMatcher", "aliases_in", "find_entities", "translate_name"]
