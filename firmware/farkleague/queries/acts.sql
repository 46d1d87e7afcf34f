-- The acts of a game, and the number of its newest one.
SELECT acts.act, acts.body, games.act AS newest
FROM games
JOIN acts ON acts.board = games.board AND acts.game = games.number
WHERE games.id = %(game)s
ORDER BY acts.act
