SELECT review FROM games WHERE id = %(game)s
