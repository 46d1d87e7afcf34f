// The odds of this moment, for a page whose client may play. They have an address of their own: no state holds them.

import { read } from "./api.js";
import { t } from "./words.js";

const STILL = ["choosing", "to_throw", "farkled", "over"];
const NOTHING = { line: "", better: "" };

// Asks once for each moment; an answer that is not about the moment that is shown now is dropped. `tell` gets the line,
// and the better one of `bank` and `throw`, as far as they are wanted.
export function createOdds(tell) {
  let asked = "";
  let after = { seq: -1, words: "" };

  const key = (state, wanted) => JSON.stringify([state.seq, state.phase, state.chosen?.dice, state.dice_to_throw, wanted]);

  // `wanted` says what is to be told: the line of the moment, the better button, and what the last turn gave away.
  async function show(state, wanted) {
    const any = wanted.line || wanted.better || wanted.after;
    const moment = any && STILL.includes(state.phase) ? key(state, wanted) : "";
    if (moment === asked) return;
    asked = moment;
    if (!moment) {
      const rolling = wanted.after && state.phase === "rolling" && after.seq === state.seq; // hands take the dice
      tell(rolling ? { ...NOTHING, line: after.words } : NOTHING);
      return;
    }
    const odds = await read("odds").catch(() => null);
    if (asked !== moment) return;
    if (!odds || odds.seq !== state.seq) {
      asked = "";
      tell(NOTHING);
      return;
    }
    const said = wanted.line ? [odds.farkle, odds.choice].filter(Boolean).join(" ") : "";
    const assumes = odds.choice ? t(odds.exact ? "coach_page.best_play" : "coach_page.estimate") : t("coach_page.fair");
    after = { seq: odds.seq, words: wanted.after ? odds.after : "" };
    const line = [after.words, said ? `${said} ${assumes}` : ""].filter(Boolean).join(" ");
    tell({ line, better: wanted.better ? odds.better : "" });
  }
  return { show };
}

// What the whole table wants of the coach, and what somebody has just asked it.
export function wantedOf(state) {
  const { parts = [], asked = false } = state.coach ?? {};
  return { line: asked || parts.includes("odds"), better: asked || parts.includes("lamps"), after: parts.includes("after") };
}
