"""Writers of the formats that `chesstools.formats` lists."""
