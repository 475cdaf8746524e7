"""The nouns that cross room borders, all frozen."""
