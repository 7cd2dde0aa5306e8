"""The tests: a folder for each room of the package, and what they share in `helpers/`."""
