"""The rules and the game of Farkle and Farkle Cribbage, pure and with the standard library alone."""
