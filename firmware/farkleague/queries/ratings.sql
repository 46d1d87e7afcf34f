SELECT ratings.person, players.name, boards.name AS board, value, deviation, games
FROM ratings
JOIN players ON players.id = ratings.person
JOIN boards ON boards.id = board
WHERE games > 0
ORDER BY value DESC, ratings.person
LIMIT 1000
