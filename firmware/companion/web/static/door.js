// Who asks to play, and what lets a phone in while the door is open: digits are for the table's own machine alone.

import { read } from "./api.js";
import { byId, el } from "./dom.js";
import { t } from "./words.js";

let shown = "";

// `letIn` opens the door; without it the line has no button.
export async function showDoor({ asks, door_open: open }, letIn = null) {
  const line = byId("door");
  const now = open ? "open" : asks ? `asks ${asks}` : "";
  if (now === shown && !open) return;
  shown = now;
  line.hidden = !now;
  if (open) {
    const { shows, digits } = await read("pairing/door").catch(() => ({}));
    if (shown !== "open") return;
    const words = digits ? t("door.digits", { digits: `${digits.slice(0, 3)} ${digits.slice(3)}` }) : t(shows === "holes" ? "door.holes" : "door.open");
    if (line.textContent !== words) line.replaceChildren(words);
  } else if (asks) {
    line.replaceChildren(t("door.asks", { name: asks }), ...(letIn ? [" ", el("button", { type: "button", class: "plain", onclick: letIn }, t("door.let_in"))] : []));
  }
}
