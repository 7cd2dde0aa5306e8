"""The learner's side of a class: which one was joined, what waits for it, and sending that.

Nothing here is loaded before a class is joined, or the environment names one. Standard library
and msgspec only.
"""
