-- Keep the review of a game, unless the game has changed.
UPDATE games SET review = %(review)s WHERE id = %(game)s AND act = %(act)s RETURNING id
