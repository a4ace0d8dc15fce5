"""What goes wrong with the *job*. What is wrong with the *data* is a finding (see `chesstools.finding`)."""


class ChesstoolsError(Exception):
    """The program could not do its job. The message is one sentence that says what to do."""


class SourceError(ChesstoolsError):
    """A source could not be opened or read to its end."""


class DatasetError(ChesstoolsError):
    """A dataset could not be written, resumed or opened."""


class OptionError(ChesstoolsError, ValueError):
    """An argument has a value that cannot be used (an unknown rule code, format, table or profile)."""


class OutputError(ChesstoolsError):
    """What was made could not be written."""
