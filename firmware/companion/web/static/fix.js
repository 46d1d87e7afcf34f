// The popover in which a player sets the face that a die really shows.

import { byId, die, el } from "./dom.js";
import { likelyFaces } from "./roll.js";
import { spoken, t } from "./words.js";

const GAP = 8;

export function createFix(act) {
  const window_ = byId("fix");
  let back = null;

  function close() {
    if (window_.hidden) return;
    window_.hidden = true;
    window_.replaceChildren();
    if (back?.isConnected) back.focus();
    back = null;
  }

  // Opens beside `anchor` for the die at `place` of the roll.
  function open(anchor, place, state) {
    const face = state.roll[place];
    const likeliest = likelyFaces(face)[0];
    const correct = (right) => {
      close();
      if (right !== face) act("correct", { roll: state.roll.map((one, number) => (number === place ? right : one)) });
    };
    const namedFor = (other) => {
      if (other === face) return t("correction.as_read", { face });
      return other === likeliest ? t("correction.likeliest", { face: other }) : spoken([other]);
    };
    back = anchor;
    window_.replaceChildren(
      el("p", { id: "fix-title" }, t("correction.read_as", { face }), " ", el("span", {}, t("correction.question"))),
      el("div", { class: "faces" }, ...[1, 2, 3, 4, 5, 6].map((other) =>
        el("button", {
          type: "button", class: `face${other === likeliest ? " likely" : ""}`, "aria-pressed": String(other === face),
          "aria-label": namedFor(other),
          onclick: () => correct(other),
        }, die(other)))),
      el("button", { type: "button", class: "quiet", onclick: close }, t("correction.right")));
    window_.hidden = false;
    const [box, own] = [anchor.getBoundingClientRect(), window_.getBoundingClientRect()];
    const left = Math.min(Math.max(box.left + box.width / 2 - own.width / 2, GAP), innerWidth - own.width - GAP);
    const below = box.bottom + GAP + own.height < innerHeight;
    window_.style.setProperty("left", `${left}px`);
    window_.style.setProperty("top", `${Math.max(below ? box.bottom + GAP : box.top - own.height - GAP, GAP)}px`);
    window_.querySelector(".likely").focus();
  }

  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.addEventListener("pointerdown", (event) => {
    if (!window_.hidden && !window_.contains(event.target)) close();
  });
  window_.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !window_.contains(event.relatedTarget)) close();
  });
  return { open, close };
}
