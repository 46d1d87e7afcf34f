-- A person's games against each other person on another side.
SELECT
  other.person,
  (SELECT name FROM players WHERE id = other.person) AS name,
  count(*) FILTER (WHERE mine.place < theirs.place) AS won,
  count(*) FILTER (WHERE mine.place = theirs.place) AS drawn,
  count(*) FILTER (WHERE mine.place > theirs.place) AS lost
FROM players own
JOIN results mine ON mine.player = own.id
JOIN results theirs ON theirs.game = mine.game AND theirs.side <> mine.side
JOIN players other ON other.id = theirs.player
WHERE own.person = %(person)s
GROUP BY other.person
ORDER BY count(*) DESC, other.person
LIMIT 500
