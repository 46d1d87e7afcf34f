// How a finished game ended for one player: whether the player's side won, lost or is skunked.

import { el } from "./dom.js";
import { t } from "./words.js";

export function wins(state, player) {
  return state.winners.some((name) => name === player.name || state.teams?.[name]?.includes(player.name));
}

function loses(state, player) {
  return state.loser !== null && (state.loser === player.name || Boolean(state.teams?.[state.loser]?.includes(player.name)));
}

// Returns the mark beside a name; null for a side that won or lost a plain game, or has not finished.
export function fate(state, player) {
  const word = loses(state, player) ? "fate.loses" : [null, "fate.skunked", "fate.double_skunked"][player.skunk ?? 0];
  return word ? el("small", { class: "fate" }, t(word)) : null;
}
