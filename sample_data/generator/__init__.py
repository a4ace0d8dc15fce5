"""Plays random but plausible games and writes archives of them, with faults planted at a chosen rate.

It is independent of the validator that is tested with it: everything here rests on python-chess and on the Laws alone.
`play` makes moves, `starts` start positions, `scenarios` whole games; `laws` and `reasons` say what a validator must
report; `styles` writes a game the way a producer writes it; `faults_*` plant the faults; `archive` puts it all in a file.
"""
