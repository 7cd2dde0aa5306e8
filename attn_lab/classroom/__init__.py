"""The room, for the instructor: what it predicted, live or without any network.

A learner's program (`client`) and the class speak `wire`; `server` takes the answers and shows the
desk, `count` says what they come to. The server's process never loads torch, matplotlib or
ipywidgets (tested): pictures are drawn by another process.
"""
