"""The rule sets that a house saves under a name of its own."""
