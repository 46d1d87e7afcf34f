SELECT boards.name AS board, why, count, at
FROM refusals
LEFT JOIN boards ON boards.id = board
ORDER BY at DESC
LIMIT 200
