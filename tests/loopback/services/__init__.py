"""The played search services, one file each; adding a file adds a service."""
