"""Records used in several packages, all frozen; each date has its time zone, or is None if unknown."""
