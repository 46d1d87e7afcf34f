"""Games looked at afterwards: their reviews, and the ratings of the players over evenings."""
