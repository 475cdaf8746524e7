"""Work that outlives its process: runs as DBOS workflows, followed by numbered events."""
