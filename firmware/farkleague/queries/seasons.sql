SELECT
  id, name, form, begins, ends, current_date BETWEEN begins AND ends AS running,
  (SELECT count(*) FROM entrants WHERE competition = competitions.id) AS entrants,
  (SELECT count(*) FROM matches WHERE competition = competitions.id) AS played
FROM competitions
ORDER BY begins DESC, id DESC
