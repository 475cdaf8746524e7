"""Tools and resources for agents by the Model Context Protocol, over any transport."""
