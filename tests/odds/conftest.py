"""The program, run in this process, for what the commands of odds refuse."""

from asked import run

__all__ = ["run"]
