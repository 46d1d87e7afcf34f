from pathlib import Path

from farkle import Game

game = Game.read(Path("docs/examples/whole-game.farkle").read_text(encoding="utf-8"))
for turn in game.turns[-3:]:
    print(game.players[turn.player], turn.ended, turn.points, "score", turn.score)
print("won by", *game.winners)
