"""One file for each subcommand of `attn-lab`.

Each has NAME, HELP, `add_arguments(parser)` and `run(arguments)`, which returns the exit status;
`cli.py` lists them. A command imports what it needs when it runs, so that --help is quick.
"""
