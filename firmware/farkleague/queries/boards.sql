-- All boards, with the number of their games and what was refused.
SELECT
  code, name, program, problem, seen, repeated,
  (SELECT count(*) FROM games WHERE board = boards.id) AS games,
  (SELECT jsonb_agg(jsonb_build_array(why, count) ORDER BY at DESC) FROM refusals WHERE board = boards.id) AS refusals
FROM boards
ORDER BY name
