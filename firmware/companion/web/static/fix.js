// The popover in which a player sets the face that a die really shows: what the camera saw, the face as read and the
// likeliest one beside each other, and the other faces below.

import { byId, die, el, svg } from "./dom.js";
import { likelyFaces, placesInRoll } from "./roll.js";
import { spoken, t } from "./words.js";

const GAP = 8;
const MARGIN = 0.35; // of a die's size, around it in its picture

// `latest` returns the newest state. `say` shows a sentence, with a button if a later act must be undone first.
export function createFix(act, say, latest) {
  const window_ = byId("fix");
  let back = null;

  function close() {
    if (window_.hidden) return;
    window_.hidden = true;
    window_.replaceChildren();
    if (back?.isConnected) back.focus();
    back = null;
  }

  async function correct(roll) {
    const { throw_seq: corrected } = latest();
    let why = "";
    const attempt = () => act("correct", { roll }, (sentence) => { why = sentence; });

    // Takes back the acts since the throw, one by one, until the correction is possible.
    async function undoAndCorrect() {
      while (latest().throw_seq === corrected && (await act("undo"))) {
        if (await attempt()) return;
      }
    }
    if (!(await attempt())) say(why, latest().undo ? [t("correction.undo_first"), undoAndCorrect] : null);
  }

  // The die in the camera's picture; null without one.
  function closeup(place, { reading, picture_size: [width, height] = [] }) {
    const seen = reading?.dice[placesInRoll(latest()).indexOf(place)];
    if (!seen || !reading.picture || !width) return null;
    const [x, y, w, h] = seen.box;
    const by = MARGIN * Math.max(w, h);
    return svg("svg", { class: "closeup", viewBox: [x - by, y - by, w + 2 * by, h + 2 * by].join(" "), role: "img", "aria-label": t("correction.seen") },
      svg("image", { href: reading.picture, width, height }));
  }

  // Opens beside `anchor` for the die at `place` of the roll.
  function open(anchor, place) {
    const state = latest();
    const face = state.roll[place];
    const [likeliest, ...others] = likelyFaces(face);
    const set = (right) => {
      close();
      if (right !== face) correct(state.roll.map((one, number) => (number === place ? right : one)));
    };
    const choice = (other, label, looks = "") => el("button", {
      type: "button", class: `face${looks}`, "aria-pressed": String(other === face), "aria-label": label, onclick: () => set(other),
    }, die(other));
    back = anchor;
    window_.replaceChildren(
      el("p", { id: "fix-title" }, t("correction.read_as", { face }), " ", el("span", {}, t("correction.question"))),
      el("div", { class: "beside" }, closeup(place, state), choice(face, t("correction.as_read", { face })),
        choice(likeliest, t("correction.likeliest", { face: likeliest }), " likely")),
      el("div", { class: "faces others" }, ...others.map((other) => choice(other, spoken([other])))),
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
