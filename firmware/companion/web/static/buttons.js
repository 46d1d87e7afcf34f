// KEEP, ROLL and BANK: lit when legal, and a sensible press glows. A dark button says why; a long press shows a ring.

import { byId, el, svg } from "./dom.js";
import { t } from "./words.js";

const BUTTONS = [{ name: "keep", key: "k" }, { name: "roll", key: "r" }, { name: "bank", key: "b" }];

// Whether the page's ROLL throws: on a desk, when a throw is due.
export const throwsOnPage = (state) => state.simulated && !state.bot && (state.by_hand ?? "no") === "no" &&
  (["to_throw", "farkled"].includes(state.phase) || (state.phase === "choosing" && state.chosen !== null));

export function createButtons(act, say) {
  const place = byId("buttons");
  const holdS = Number(place.dataset.holdS);
  place.style.setProperty("--hold", `${holdS}s`);
  let state = null;

  const throws = (button) => button.name === "roll" && throwsOnPage(state);
  const captions = (button) => state.captions?.[button.name] ?? { tap: "", hold: "" };

  // On a desk ROLL throws when a throw is due; at a table it says what to throw, as the real button does.
  function press(button, hold) {
    if (!hold && throws(button)) {
      act("simulator/throw", { dice: null });
      return;
    }
    const legal = state.legal.includes(button.name);
    if (!hold && !legal && !state.unsent && state.refused?.[button.name]) { // the table knows of no choice that is unsent
      say(t("button.refused", { button: button.name.toUpperCase(), why: state.refused[button.name] }));
      return;
    }
    act(`buttons/${button.name}`, { press: hold ? "hold" : "tap" });
  }

  for (const button of BUTTONS) {
    const caption = el("span", { class: "caption" });
    const hint = el("span", { class: "caption hold" });
    const dome = el("button", { type: "button", class: `dome ${button.name}` },
      svg("svg", { class: "ring", viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("circle", { cx: 50, cy: 50, r: 46, pathLength: 100 })),
      el("span", { class: "word" }, button.name.toUpperCase()));
    place.append(el("div", { class: "button" }, dome, caption, hint));
    Object.assign(button, { dome, caption, hint });

    let timer = null;
    let held = false;
    const down = () => {
      if (timer !== null) return;
      held = false;
      dome.classList.add("pressed");
      if (!captions(button).hold) {
        timer = 0;
        return;
      }
      dome.classList.add("holding");
      timer = setTimeout(() => {
        held = true;
        dome.classList.remove("holding");
        dome.classList.add("held");
        press(button, true);
      }, holdS * 1000);
    };
    const up = (counts) => {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      dome.classList.remove("pressed", "holding", "held");
      if (counts && !held) press(button, false);
    };
    dome.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      dome.setPointerCapture(event.pointerId);
      down();
    });
    dome.addEventListener("pointerup", () => up(true));
    dome.addEventListener("pointercancel", () => up(false));
    dome.addEventListener("contextmenu", (event) => event.preventDefault());
    dome.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      down();
    });
    dome.addEventListener("keyup", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      up(true);
    });
    dome.addEventListener("blur", () => up(false));
    // A screen reader clicks without pressing: its click is a tap.
    dome.addEventListener("click", (event) => event.detail === 0 && press(button, false));
  }

  // `glowing` are the names of the buttons that glow.
  function show(given, glowing) {
    state = given;
    for (const button of BUTTONS) {
      const legal = state.legal.includes(button.name) || throws(button);
      const { tap, hold } = captions(button);
      const words = throws(button) ? t("button.throw", { dice: state.dice_to_throw }) : tap;
      const why = legal ? "" : state.refused?.[button.name] ?? "";
      button.dome.classList.toggle("lit", legal);
      button.dome.toggleAttribute("data-glows", glowing.includes(button.name));
      button.dome.setAttribute("aria-disabled", String(!legal));
      button.caption.textContent = words || "\u00a0";
      const held = hold ? t("button.hold", { hold }) : "";
      const label = [words ? `${button.name}, ${words}` : button.name, held, why ? t("button.not_now", { why }) : ""];
      button.hint.textContent = held || "\u00a0";
      button.dome.setAttribute("aria-label", label.filter(Boolean).join("; "));
      button.dome.setAttribute("aria-keyshortcuts", button.key);
    }
  }

  // A letter taps its button and a capital letter holds it, as in a terminal.
  function key(letter) {
    const button = BUTTONS.find((one) => one.key === letter.toLowerCase());
    if (!button) return false;
    press(button, letter !== button.key);
    return true;
  }
  return { show, key };
}
