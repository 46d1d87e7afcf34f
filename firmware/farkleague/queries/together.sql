-- Something that two persons have played in together: a game, finished or not, or a competition.
SELECT 1 FROM games
WHERE live->'players' @> ANY(SELECT to_jsonb(id) FROM players WHERE person = %(one)s)
  AND live->'players' @> ANY(SELECT to_jsonb(id) FROM players WHERE person = %(other)s)
UNION ALL
SELECT 1 FROM entrants one JOIN entrants other USING (competition)
WHERE one.person = %(one)s AND other.person = %(other)s
LIMIT 1
