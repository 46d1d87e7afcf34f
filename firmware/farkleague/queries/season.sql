-- A competition; its entrants as person, name, board's name and board, and its matches as `tournament_of` takes them,
-- each with the game and the board's name.
SELECT
  id, name, form, rules, begins, ends, current_date > ends AS past,
  (
    SELECT jsonb_agg(jsonb_build_array(players.id, players.name, boards.name, boards.id) ORDER BY seed)
    FROM entrants JOIN players ON players.id = entrants.person JOIN boards ON boards.id = board
    WHERE competition = competitions.id
  ) AS entrants,
  (
    SELECT coalesce(jsonb_agg(jsonb_build_array(first, second, first_place, second_place, game, boards.name)
      ORDER BY game), '[]')
    FROM matches JOIN games ON games.id = game JOIN boards ON boards.id = board
    WHERE competition = competitions.id
  ) AS played
FROM competitions
WHERE id = %(season)s
