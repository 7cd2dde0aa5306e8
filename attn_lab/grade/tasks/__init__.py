"""What is tried in each Make task: the inputs, the right function, the known mistakes.

Rule: two mistakes that a task knows, and any right function, differ on one of its inputs.
"""
