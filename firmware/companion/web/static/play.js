// A game under way: the tray, the turn and the hints. Loaded with the first game, not with the form of a new one.

import { style, watching } from "./dom.js";
import { createHints } from "./hints.js";
import { moments } from "./moments.js";
import { doubtfulPlaces, tapOn } from "./roll.js";
import { createTray } from "./tray.js";
import { createTurn } from "./turn.js";

export function createPlay(act, say, newGame, again) {
  let state = null;
  let fix = null; // the correction of a die, loaded with its first use
  let corrected = []; // the dice of this throw whose correction has been opened
  let correctedIn = null;

  async function correct(place, node) {
    if (correctedIn !== state.throw_seq) corrected = [];
    correctedIn = state.throw_seq;
    corrected.push(place);
    fix ??= Promise.all([import("./fix.js"), style("panels")]).then(([{ createFix }]) => createFix(act, say, () => state));
    (await fix).open(node, place);
  }

  // Keeps the die, or puts it back, after a tap, a key or a drop. The first tap on a die in doubt asks what it shows.
  function choose(place, only = null) {
    const seen = correctedIn === state.throw_seq && corrected.includes(place);
    if (state.phase === "choosing" && !only && !seen && doubtfulPlaces(state).includes(place)) {
      correct(place, document.querySelector(`#roll [data-place="${place}"]`));
      return;
    }
    const { dice, why } = tapOn(state, place, only);
    if (why) say(why);
    else if (dice) act("keep", { dice });
  }

  const tray = createTray(watching ? null : { onTap: (place) => choose(place), onDrop: (place) => choose(place, "keep"), onLong: correct });
  const turn = createTurn(act, correct, newGame, again);
  const hints = watching ? null : createHints();
  let coach = null; // loaded at a table that has one

  async function showCoach() {
    coach ??= import("./coach.js").then(({ createCoach }) => createCoach());
    (await coach).show(state);
  }

  function show(next) {
    state = next;
    tray.show(state);
    turn.show(state);
    moments().show(state);
    hints?.show(state, state.phase !== "lobby");
    if (!watching && state.coach) showCoach();
  }
  return { show, choose };
}
