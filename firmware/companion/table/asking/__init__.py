"""The questions and menus of the table, the effect of each answer, and what happens as time passes."""
