"""The command line `farklecrib`: one file a command."""
