"""The health of searching: events, metrics, alerts, and the report on the health page."""
