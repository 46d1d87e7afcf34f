"""`python -m companion` is `farklecrib`."""

from companion.cli import main

main()
