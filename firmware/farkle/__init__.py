"""The rules and the game of Farkle and Farkle Cribbage: pure, standard library alone."""
