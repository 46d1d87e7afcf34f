// Three hints in the first turn of the first game on a table. They can be switched off; the browser remembers that.

import { byId, el } from "./dom.js";
import { t } from "./words.js";

const OFF = "farkle-crib-hints";

function hintOf(state) {
  if (state.bot) return "";
  if (state.phase === "to_throw") return state.simulated ? t("hint.press") : t("hint.throw");
  if (state.phase !== "choosing") return "";
  if (!state.chosen) return t("hint.choose");
  const dice = state.dice_to_throw;
  const why = state.refused?.bank;
  if (why) return t("hint.throw_on", { dice, why });
  return t("hint.go_on", { dice, points: state.turn_points + (state.bank ?? state.chosen).points });
}

function stored() {
  try {
    return localStorage.getItem(OFF);
  } catch {
    return null; // without storage the hints are shown again
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
      // Without storage the choice holds until the page is closed.
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
      hint.replaceChildren(el("span", {}, words), el("button", { type: "button", class: "quiet", onclick: () => turn(true) }, t("hint.off")));
    }
  }

  function show(state, playing) {
    last = [state, playing];
    draw();
  }
  return { show };
}
