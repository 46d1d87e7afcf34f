// Panels beside the game, opened seldom: the rule card and the list of keys.

import { byId, el } from "./dom.js";

const KEYS = [
  ["K R B", "press KEEP, ROLL or BANK"], ["Shift + K R B", "hold that button"], ["1 to 6", "keep that die, or put it back"],
  ["E", "correct the die that has the focus"], ["?", "this list"], ["Esc", "close"],
];

let back = null;

function close() {
  byId("card").hidden = true;
  back?.focus();
}

// Opens the rule card beside the game, or closes it.
export function toggleRules(opener) {
  const card = byId("card");
  if (!card.hidden) {
    close();
    return;
  }
  back = opener;
  const shut = el("button", { type: "button", class: "plain", onclick: close }, "Close");
  card.replaceChildren(el("div", { class: "answers" }, shut, el("a", { class: "quiet", href: opener.href, target: "_blank", rel: "noopener" }, "To print")),
    el("iframe", { src: opener.href, title: "The rules of this game" }));
  card.hidden = false;
  shut.focus();
  card.onkeydown = (event) => event.key === "Escape" && close();
}

export function showKeys(simulated) {
  const rows = [...KEYS, ...(simulated ? [["T", "throw"]] : [])].map(([keys, what]) => el("div", {}, el("dt", {}, el("kbd", {}, keys)), el("dd", {}, what)));
  const list = el("dialog", { class: "popover keys", "aria-label": "Keys" }, el("dl", {}, ...rows),
    el("form", { method: "dialog" }, el("button", { class: "plain" }, "Close")));
  list.addEventListener("close", () => list.remove());
  document.body.append(list);
  list.showModal();
}
