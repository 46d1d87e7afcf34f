// A game under way: the tray, the turn and the hints. Loaded with the first game, not with the form of a new one.

import { watching } from "./dom.js";
import { createFix } from "./fix.js";
import { createHints } from "./hints.js";
import { tapOn } from "./roll.js";
import { createTray } from "./tray.js";
import { createTurn } from "./turn.js";

export function createPlay(act, say, newGame) {
  let state = null;
  const fix = watching ? null : createFix(act);
  const correct = (place, node) => fix.open(node, place, state);

  // Keeps the die, or puts it back, after a tap, a key or a drop.
  function choose(place, only = null) {
    const { dice, why } = tapOn(state, place, only);
    if (why) say(why);
    else if (dice) act("keep", { dice });
  }

  const tray = createTray(watching ? null : { onTap: (place) => choose(place), onDrop: (place) => choose(place, "keep"), onLong: correct });
  const turn = createTurn(act, correct, newGame);
  const hints = watching ? null : createHints();

  function show(next) {
    state = next;
    tray.show(state);
    turn.show(state);
    hints?.show(state, state.phase !== "lobby");
  }
  return { show, choose };
}
