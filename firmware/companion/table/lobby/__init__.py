"""How a game begins, and how a kept game goes on."""
