"""What the table asks, what an answer does, and what waits for one: menus, questions, time."""
