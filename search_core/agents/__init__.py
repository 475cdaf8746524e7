"""Tools for agents: tools and resources of the Model Context Protocol over the search core, whatever carries the messages."""
