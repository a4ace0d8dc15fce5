"""The stated limits. Over a limit, one game gets a finding and the run goes on.

They bound memory and keep time linear on hostile input; each is far above anything in a real archive.
"""

MAX_COMMENT_BYTES = 8 * 1024 * 1024
"""A `{` that is not closed within this many bytes counts as never closed (P102)."""

MAX_TAG_LINE_BYTES = 64 * 1024
"""A tag pair that does not end within this many bytes is not a tag pair (P104)."""

MAX_INLINE_TAG_BYTES = 4096
"""The same for a tag pair that does not begin its line: there a `[` is seldom one."""

MAX_NESTED_COMMENT_BYTES = 4096
"""A `}` that balances a `{` inside a comment is looked for this far behind the `}` before it (P102)."""

MAX_VARIATION_DEPTH = 100
"""Variations nested deeper than this are kept as text but not replayed (P103)."""

MAX_TOKEN_CHARS = 200
"""Tokens are cut to this many characters in findings; the byte span is exact all the same."""

MAX_ALTERNATIVES = 8
"""Legal moves offered as evidence for one illegal move."""

MAX_OCCURRENCES = 100
"""Indices at which a position stood, and moves to claim a draw with, that are evidence of one finding (D601, D603, D605)."""

MAX_DIAGNOSIS_PLIES = 8192
"""So many plies are replayed at most to find out what is wrong with a game that stops at a bad move (M391)."""

MAX_RUN = 64
"""Dots, `!` and `?`, or digits of a NAG, are one token up to this many (P111 for a NAG that is longer)."""

MAX_PARTS = 1024
"""A word has this many parts at most, each of them `MAX_RUN` ASCII signs or one other byte; a longer one is several words."""

MAX_BLANK_BYTES = 64 * 1024
"""White space and NULs longer than this are read as several tokens: it changes no meaning and bounds what is held."""

MAX_GAME_BYTES = 32 * 1024 * 1024
"""A game longer than this is cut here; what follows is quarantined up to the next game (P110). Text of no game is cut too."""

MAX_GAME_TOKENS = 1_000_000
"""The same for the tokens of a game, each of which takes far more memory than its text."""

MAX_ZSTD_WINDOW = 1 << 31
"""Memory that a `.zst` file may ask for: enough for archives made with `zstd --ultra --long=31`."""
