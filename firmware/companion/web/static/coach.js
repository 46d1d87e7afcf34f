// The coach: the odds of this moment, for a browser that asks for them. They have an address of their own: no state holds
// them. It is off until somebody switches it on, and the browser remembers that.

import { read } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

const ON = "farkle-crib-coach";
const ROLLS = { bank: "bank", throw: "roll" };

function coachIsOn() {
  try {
    return localStorage.getItem(ON) === "on";
  } catch {
    return false; // without storage it is off again after a reload
  }
}

export function createCoach() {
  const [line, toggle, room, buttons] = ["coach-line", "coach", "room", "buttons"].map(byId);
  let on = coachIsOn();
  let state = null;
  let asked = "";

  function tell(words, better = "") {
    line.hidden = !words;
    if (line.textContent !== words) line.textContent = words;
    buttons.dataset.better = better;
  }

  // Asks once for each moment; an answer that is not about the moment that is shown now is dropped.
  async function ask() {
    toggle.setAttribute("aria-pressed", String(on));
    room.toggleAttribute("data-coach", on);
    const still = ["choosing", "to_throw", "farkled"].includes(state.phase);
    const moment = on && still ? JSON.stringify([state.seq, state.phase, state.chosen?.dice, state.dice_to_throw]) : "";
    if (moment === asked) return;
    asked = moment;
    if (!moment) {
      tell("");
      return;
    }
    const odds = await read("odds").catch(() => null);
    if (asked !== moment) return;
    if (!odds || odds.seq !== state.seq) {
      asked = "";
      tell("");
      return;
    }
    const said = [odds.farkle, odds.choice].filter(Boolean).join(" ");
    const assumes = odds.choice ? t(odds.exact ? "coach_page.best_play" : "coach_page.estimate") : t("coach_page.fair");
    tell(said ? `${said} ${assumes}` : "", ROLLS[odds.better] ?? "");
  }

  toggle.addEventListener("click", () => {
    on = !on;
    try {
      localStorage.setItem(ON, on ? "on" : "off");
    } catch {
      // Without storage the choice holds until the page is closed.
    }
    ask();
  });

  function show(next) {
    state = next;
    ask();
  }
  return { show };
}
