SELECT players.id, person, players.name, boards.name AS board
FROM players
JOIN boards ON boards.id = board
WHERE NOT bot
ORDER BY players.name, players.id
