"""Records used in several rooms, all frozen."""
