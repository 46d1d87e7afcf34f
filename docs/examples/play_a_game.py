from farkle import FarkleError, Game

game = Game("farkle-cribbage", ["Ann", "Ben"])
game.roll(2, 3, 3, 3, 4, 6)
best = game.selections[0]
print("at best", best.points, "points with", *best.dice)
game.keep(3, 3, 3)
try:
    game.roll(1, 1)
except FarkleError as error:
    print(f"refused ({error.code}): {error}")
game.bank()
game.undo()
game.roll(1, 4, 6)
print(game.to_move, "has", game.turn_points, "points at risk, and", game.scores["Ann"], "banked")
print(game)
