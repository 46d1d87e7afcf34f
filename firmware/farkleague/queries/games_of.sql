-- A person's newest games, with the names of the people on other sides.
SELECT
  games.id, boards.name AS board, last_at, live->>'title' AS title, mine.place,
  (
    SELECT array_agg(players.name ORDER BY theirs.place, theirs.player) FROM results theirs
    JOIN players ON players.id = theirs.player WHERE theirs.game = games.id AND theirs.side <> mine.side
  ) AS others
FROM players own
JOIN results mine ON mine.player = own.id
JOIN games ON games.id = mine.game
JOIN boards ON boards.id = games.board
WHERE own.person = %(person)s
ORDER BY last_at DESC
LIMIT 50
