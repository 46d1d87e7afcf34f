// What a phone that plays shows: the turn of its player glows and vibrates, others' turns are theirs, and so are questions.

import { style } from "./dom.js";
import { t } from "./words.js";

const TURN = [90, 60, 90];
const FARKLE = [260];
const WIN = [90, 60, 90, 60, 300];

export async function createSeat(room, { name, seat }, here) {
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

  // Returns the state with what this phone may answer: others only go on, and power off needs a press at the table.
  function asking(state) {
    const asked = state.question;
    const mine = asked.by === name;
    if (mine && (here || !asked.keys.includes("power_off"))) return state;
    const text = mine ? t("seat.at_table", { text: asked.text }) : t("seat.asked_on", { name: asked.by, text: asked.text });
    const why = t("seat.answers", { name: asked.by });
    const question = { ...asked, text, answers: asked.answers.slice(0, 1), keys: asked.keys.slice(0, 1), bank: null };
    return { ...state, question, legal: ["keep"], refused: { roll: why, bank: why }, captions: { keep: state.captions.keep }, glows: ["keep"] };
  }

  // Returns the state as this phone shows it: in the turn of another player who has a phone, nothing to press or throw.
  function seen(state) {
    const mine = Boolean(seat) && state.to_move === seat;
    const mover = state.players.find((player) => player.name === state.to_move);
    const theirs = Boolean(seat) && !mine && mover?.phones?.length > 0 && state.question?.kind !== "menu";
    room.dataset.seat = mine ? "mine" : theirs ? "other" : "";
    if (seat) feel(state);
    if (state.question?.by) return asking(state);
    if (!theirs) return state;
    const why = t("seat.turn_of", { name: mover.name });
    return { ...state, simulated: false, legal: [], refused: { keep: why, roll: why, bank: why }, captions: {}, question: null, glows: [] };
  }
  return { seen };
}
