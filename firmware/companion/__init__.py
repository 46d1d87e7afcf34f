"""The program on the Pi: joins the rules, the eye and the board, and keeps the journal."""
