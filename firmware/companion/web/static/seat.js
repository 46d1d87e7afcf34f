// The place of a player on this phone: their turn is large, it glows and vibrates, and others' turns are theirs.

import { style } from "./dom.js";
import { t } from "./words.js";

const TURN = [90, 60, 90];
const FARKLE = [260];
const WIN = [90, 60, 90, 60, 300];

export async function createSeat(room, { seat }) {
  await style("seat");
  let before = null;

  function feel(state) {
    const now = JSON.stringify([state.to_move === seat, state.last?.kind === "farkle" && state.last.player === seat, state.winners.includes(seat)]);
    if (now === before) return;
    const [turn, farkle, win] = JSON.parse(now);
    const [wasTurn, wasFarkle, wasWin] = JSON.parse(before ?? now);
    before = now;
    if (win && !wasWin) navigator.vibrate?.(WIN);
    else if (farkle && !wasFarkle) navigator.vibrate?.(FARKLE);
    else if (turn && !wasTurn) navigator.vibrate?.(TURN);
  }

  // Returns the state as this phone shows it: in the turn of another player who has a phone, nothing to press.
  function seen(state) {
    const mine = state.to_move === seat;
    const mover = state.players.find((player) => player.name === state.to_move);
    const theirs = !mine && mover?.phones?.length > 0 && state.question?.kind !== "menu";
    room.dataset.seat = mine ? "mine" : theirs ? "other" : "";
    feel(state);
    if (!theirs) return state;
    const why = t("seat.turn_of", { name: mover.name });
    return { ...state, legal: [], refused: { keep: why, roll: why, bank: why }, captions: {}, question: null, glows: [] };
  }
  return { seen };
}
