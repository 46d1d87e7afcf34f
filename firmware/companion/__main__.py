"""`python -m companion` is `farklecrib`."""

from companion.cli.main import run

run()
