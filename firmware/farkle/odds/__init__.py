"""The odds of turns and of games: exact where a game is small enough, by numpy alone."""
