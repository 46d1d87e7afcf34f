"""The rules as data: dice, combinations, rule sets, scores and selections."""
