"""The readable engine: PGN bytes to games, plies and findings, in plain Python on python-chess.

It is the specification that a person can read, and what every faster engine is compared with. The stages, each in a file
of its own: `window` (bytes) → `lexer` (tokens) → `segment` (games) → `tags` and `replay` (what is written, on a board)
→ `draws` and `endings` (the Laws) → `game` (all of it for one game) → `rows` (Arrow).
"""
