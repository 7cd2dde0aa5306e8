"""The class's server: one process, learners write here, the instructor alone reads there."""
