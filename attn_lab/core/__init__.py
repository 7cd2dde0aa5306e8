"""What attention computes: tensors in, tensors out.

Imports torch and nothing else of this package. Nothing here prints, plots, stores, or reads a
seed from outside. One Boolean meaning throughout: `allowed`, True = may be read. Rows are queries,
columns are keys. A *score* is what softmax takes, a *weight* what it gives.
Read `attention` first: what it writes out is the truth, and `fast` and `tiles` are held against it.
"""
