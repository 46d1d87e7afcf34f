"""The odds of a game: where its table comes from. `farkle.odds` computes; this package has the clock and the files."""
