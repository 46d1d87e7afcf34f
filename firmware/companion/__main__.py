"""`python -m companion` is `farklecrib`."""

from companion.cli.main import main

main()
