"""What a room answered, counted: votes, their spread, both rounds, which ideas moved, tables.

Nothing here is loaded from `server`: a `Room` is counted as it is given.
"""
