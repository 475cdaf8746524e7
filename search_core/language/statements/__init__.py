"""What a sentence states: names, values, times, events."""
