"""What every page has."""
