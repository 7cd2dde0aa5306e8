"""The course as data: questions and misconceptions (TOML), fixed tensors.

Nothing here knows which answer is right: that comes out of a computation in a notebook.
Files that compute import torch; the questions and their reading do not, so that a class server
can read them without loading it.
"""
