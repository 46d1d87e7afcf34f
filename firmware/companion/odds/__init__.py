"""The odds of games: where a table comes from. `farkle.odds` computes; this package has the clock and the files."""
