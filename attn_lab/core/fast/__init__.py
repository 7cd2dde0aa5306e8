"""Faster ways to the same numbers, for large inputs that no gradient is asked of.

Nobody needs to read them to understand attention. `stand_in` says when they may serve.
"""
