// Panels beside the game: the rule card and the list of keys.

import { byId, el, style } from "./dom.js";
import { t } from "./words.js";

const KEYS = [
  ["K R B", t("panel.press")], ["Shift + K R B", t("panel.hold")], [t("panel.one_to_six"), t("panel.choose")],
  ["E", t("panel.correct")], ["P", t("panel.pause")], ["U", t("panel.undo")], ["?", t("panel.list")], ["Esc", t("panel.escape")],
];

let back = null;

function close() {
  byId("card").hidden = true;
  back?.focus();
}

// Opens the rule card beside the game, or closes it.
export async function toggleRules(opener) {
  await style("panels");
  const card = byId("card");
  if (!card.hidden) {
    close();
    return;
  }
  back = opener;
  const shut = el("button", { type: "button", class: "plain", onclick: close }, t("panel.close"));
  card.replaceChildren(el("div", { class: "answers" }, shut, el("a", { class: "quiet", href: opener.href, target: "_blank", rel: "noopener" }, t("panel.print"))),
    el("iframe", { src: opener.href, title: t("panel.card") }));
  card.hidden = false;
  shut.focus();
  card.onkeydown = (event) => event.key === "Escape" && close();
}

export async function showKeys(simulated) {
  await style("panels");
  const rows = [...KEYS, ...(simulated ? [["T", t("panel.throw")]] : [])].map(([keys, what]) => el("div", {}, el("dt", {}, el("kbd", {}, keys)), el("dd", {}, what)));
  const list = el("dialog", { class: "popover keys", "aria-label": t("panel.keys") }, el("dl", {}, ...rows),
    el("form", { method: "dialog" }, el("button", { class: "plain" }, t("panel.close"))));
  list.addEventListener("close", () => list.remove());
  document.body.append(list);
  list.showModal();
}
