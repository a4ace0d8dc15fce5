"""What White can expect by the ratings, in SQL: one formula for statistics and queries."""

EXPECTED_SQL = "1 / (1 + power(10, (black_elo::DOUBLE - white_elo) / 400))"
"""Elo's expected score of White in its logistic form, as FIDE's and the servers' ratings use it, without any limit of the
difference (A. Elo, The Rating of Chessplayers, 8.4); null where a rating is."""
