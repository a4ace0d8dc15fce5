"""Classes of time controls, and where one ends and the next begins."""

from __future__ import annotations

LIMITS = {"ultrabullet": 30, "bullet": 180, "blitz": 480, "rapid": 1500}
"""Below how many seconds for 40 moves a game is of a class, the base time and 40 increments, as Lichess draws the lines
(lichess.org/faq#time-controls); with more it is classical."""

TIME_CLASSES = (*LIMITS, "classical", "correspondence", "unlimited")
"""All of them, from fast to slow."""


def class_sql(seconds: str, fastest: str = "ultrabullet") -> str:
    """SQL of the class of games with so many `seconds` (an SQL expression) for 40 moves; null where these are.

    Classes faster than `fastest` count as that one.

    >>> class_sql("s", "rapid")
    "CASE WHEN s < 1500 THEN 'rapid' WHEN s IS NOT NULL THEN 'classical' END"
    """
    names = TIME_CLASSES[TIME_CLASSES.index(fastest) :]
    cases = " ".join(f"WHEN {seconds} < {LIMITS[name]} THEN '{name}'" for name in names if name in LIMITS)
    return f"CASE {cases} WHEN {seconds} IS NOT NULL THEN 'classical' END"
