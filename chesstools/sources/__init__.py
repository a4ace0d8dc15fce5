"""What can be read, and how it is found: on disk, in archives, in object stores. `chesstools.source` is the door."""
