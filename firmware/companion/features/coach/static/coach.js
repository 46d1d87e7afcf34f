// The coach on the table's page: for this browser, which remembers that somebody has switched it on, and for the whole
// table as far as that wants it.

import { byId } from "./dom.js";
import { createOdds, wantedOf } from "./odds.js";

const ON = "farkle-crib-coach";
const ROLLS = { bank: "bank", throw: "roll" };
const ALL = { line: true, better: true, after: true };

function coachIsOn() {
  try {
    return localStorage.getItem(ON) === "on";
  } catch {
    return false; // without storage it is off again after a reload
  }
}

export function createCoach() {
  const [line, toggle, buttons] = ["coach-line", "coach", "buttons"].map(byId);
  let on = coachIsOn();
  toggle.hidden = false;
  let state = null;

  const odds = createOdds(({ line: words, better }) => {
    line.hidden = !words;
    if (line.textContent !== words) line.textContent = words;
    buttons.dataset.better = ROLLS[better] ?? "";
  });

  function draw() {
    const wanted = on ? ALL : wantedOf(state);
    toggle.setAttribute("aria-pressed", String(on));
    odds.show(state, wanted);
  }

  toggle.addEventListener("click", () => {
    on = !on;
    try {
      localStorage.setItem(ON, on ? "on" : "off");
    } catch {
      // Without storage the choice holds until the page is closed.
    }
    draw();
  });

  function show(next) {
    state = next;
    draw();
  }
  return { show };
}
