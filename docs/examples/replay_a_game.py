from pathlib import Path

from farkle.game.standing import side_name
from farkle.replay import replay

played = replay(Path("docs/examples/whole-game.farkle").read_text(encoding="utf-8"))
for turn in played.turns[-3:]:
    print(played.state.players[turn.player], turn.ended, turn.points, "score", turn.score)
print("won by", *(side_name(played.state, side) for side in played.state.winners))
