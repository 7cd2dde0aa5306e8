"""One file for each subcommand of `attn-lab`.

Each has NAME, HELP, `add_arguments(parser)` and `run(arguments)`, which returns the exit status;
`cli.py` lists them. What takes long to import, a command imports when it runs, so that --help
is quick.
"""
