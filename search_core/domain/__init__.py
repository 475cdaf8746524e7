"""Records used in several rooms, all frozen; each moment has its time zone, and is None where it is unknown."""
