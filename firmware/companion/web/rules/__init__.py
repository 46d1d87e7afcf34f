"""The rules as people see them: plain words, cards, score sheets, and what the lobby asks."""
