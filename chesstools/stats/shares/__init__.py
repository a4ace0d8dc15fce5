"""Statistics of datasets that are too big for one machine: of shares of them, added up.

`cut` cuts datasets into shares, `work` works out the partial tables of a share, `adding` adds up partial tables, `repeats` finds
games that stand several times, and `spread` has all of this done, by the workers of a cluster or one after the other.
"""
