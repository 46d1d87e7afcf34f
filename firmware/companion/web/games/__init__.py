"""The games kept, on the page and over the API: history, end of game, statistics, fairness."""
