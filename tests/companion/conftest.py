"""A fixture for all tests of the commands: the program, run in this process."""

from asked import run

__all__ = ["run"]
