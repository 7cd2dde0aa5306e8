"""The room, for the instructor: what it predicted, live or without any network.

The server's process never loads torch, matplotlib or ipywidgets (tested); pictures are drawn by
another process. Nothing but the command `attn-lab class` imports this package.
"""
