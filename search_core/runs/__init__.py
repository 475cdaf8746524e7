"""Work that outlives its process: runs as DBOS workflows, of any kind, followed by the number of their events."""
