// Three hints in the first turn of the first game on a table. They can be switched off, in this browser for good.

import { byId, el, plural } from "./dom.js";

const OFF = "farkle-crib-hints";

function hintOf(state) {
  const thrown = state.simulated ? "Press ROLL to throw them" : "Throw them into the tray";
  if (state.phase === "to_throw") return `${thrown}. Some dice bring points; then you go on, or stop.`;
  if (state.phase !== "choosing") return "";
  if (!state.chosen) return "Tap dice to keep them, or press KEEP for the best. Each choice says why it counts.";
  return `Throw the others for more, or press BANK for ${plural(state.turn_points + (state.bank ?? state.chosen).points, "point")}. A throw in which nothing counts loses the turn.`;
}

function stored() {
  try {
    return localStorage.getItem(OFF);
  } catch {
    return null; // a browser that stores nothing shows the hints again
  }
}

export function createHints() {
  const [hint, toggle] = ["hint", "hints"].map(byId);
  let off = stored() === "off";
  let last = null;

  function turn(now) {
    off = now;
    try {
      localStorage.setItem(OFF, off ? "off" : "on");
    } catch {
      // Then the choice holds until the page is closed.
    }
    draw();
  }
  toggle.addEventListener("click", () => turn(!off));

  function draw() {
    const [state, playing] = last;
    const words = playing && state.first_turn ? hintOf(state) : "";
    toggle.hidden = !state.first_turn;
    toggle.setAttribute("aria-pressed", String(!off));
    hint.hidden = off || !words;
    if (!hint.hidden && hint.dataset.words !== words) {
      hint.dataset.words = words;
      hint.replaceChildren(el("span", {}, words), el("button", { type: "button", class: "quiet", onclick: () => turn(true) }, "No hints"));
    }
  }

  function show(state, playing) {
    last = [state, playing];
    draw();
  }
  return { show };
}
