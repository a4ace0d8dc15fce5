"""Search for positions in datasets: whole positions by their key, patterns of men, material and pawns by replaying all games.

No game is replayed by itself. The squares of, say, all white rooks are one number of 64 bits, a sum with a power of two for each;
a move adds one and takes away another. So running sums over the moves of many games give these numbers for all their positions at
once (`chesstools.search.boards`), and a pattern is a comparison of such numbers.
"""
