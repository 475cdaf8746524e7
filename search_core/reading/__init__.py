"""Files as documents: finding them, their text and their encoding."""
