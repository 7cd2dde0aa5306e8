"""`attn-lab class`: start a class on this computer, and print what learners paste to join it."""

from attn_lab.classroom.cli_commands import add_arguments, run

NAME = "class"
HELP = "start a class: collect a room's predictions, and see the spread (for instructors)"

__all__ = ["HELP", "NAME", "add_arguments", "run"]
