"""What every function of `core` asks of its input.

`arguments` reads types, shapes and devices; `allowed` what a mask means for its scores; `values`
the numbers themselves, together and once in a call. `arithmetic` keeps what is computed within the
range of its numbers. A message says which argument, what was expected, what came, what to do.
"""
