"""The course as data: questions and misconceptions (TOML), fixed tensors, the small model.

Nothing here knows which answer is right: that comes out of a computation in a notebook.
Only `tensors.py` and the model's files import torch, so that a class server can read the
questions without loading it.
"""
