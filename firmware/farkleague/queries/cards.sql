-- The games with these ids; without ids the newest game of each board, or a row without a game.
WITH shown AS (
  SELECT id, board FROM games WHERE id = ANY(%(games)s::int[])
  UNION ALL
  SELECT newest.id, boards.id FROM boards
  LEFT JOIN LATERAL (SELECT id FROM games WHERE board = boards.id ORDER BY act DESC LIMIT 1) newest ON true
  WHERE %(games)s::int[] IS NULL
)
SELECT
  boards.id AS board, boards.name AS at, boards.problem, games.id, games.number, games.last_at, games.live,
  (
    SELECT jsonb_object_agg(id, ARRAY[name, person::text]) FROM players
    WHERE id = ANY(ARRAY(SELECT jsonb_array_elements_text(games.live->'players')::int))
  ) AS players,
  NOT EXISTS (SELECT 1 FROM games newer WHERE newer.board = games.board AND newer.act > games.act) AS newest
FROM shown
JOIN boards ON boards.id = shown.board
LEFT JOIN games ON games.id = shown.id
ORDER BY boards.name, games.id
