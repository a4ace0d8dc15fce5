"""Repairs of the catalogue as edits on bytes: what may be changed (one file a family of rules), whether it may stay so
(`trial`), and how a whole source is gone through (`stream`). The public way to them is `chesstools.fix`."""
