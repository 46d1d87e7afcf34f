"""The rules as people see them: plain words, cards, score sheets, and the switches on the lobby's form."""
