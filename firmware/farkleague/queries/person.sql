-- The person of a player.
SELECT
  own.person, players.name, value, deviation, games,
  (
    SELECT array_agg(DISTINCT boards.name) FROM players same JOIN boards ON boards.id = board
    WHERE same.person = own.person
  ) AS boards
FROM players own
JOIN players ON players.id = own.person
LEFT JOIN ratings ON ratings.person = own.person
WHERE own.id = %(person)s AND NOT own.bot
