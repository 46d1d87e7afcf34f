// Who asks to play, and what lets a phone in while the door is open: digits are for the table's own machine alone.

import { read } from "./api.js";
import { byId, el } from "./dom.js";
import { parts, t } from "./words.js";

let shown = "";

// `letIn` opens the door; without it the line has no button. A tap takes the line away.
export async function showDoor({ asks, door_open: open, sets_up: setsUp }, letIn = null) {
  const line = byId("door");
  line.onclick = () => { line.hidden = true; };
  const now = open ? "open" : setsUp ? `set up ${setsUp}` : asks ? `asks ${asks}` : "";
  if (now === shown) return;
  shown = now;
  line.hidden = !now;
  if (open) {
    line.hidden = true;
    const [{ digits }, access] = await Promise.all([read("pairing/door"), read("access")]).catch(() => [{}, {}]);
    if (shown !== "open" || !access.set_up) return; // phones that play need not know
    line.hidden = false;
    const large = el("b", {}, `${digits.slice(0, 3)} ${digits.slice(3)}`);
    line.replaceChildren(...(digits ? parts("door.digits", { digits: large }) : [t("door.holes")]));
  } else if (setsUp) {
    line.replaceChildren(t("door.sets_up", { name: setsUp }));
  } else if (asks) {
    line.replaceChildren(t("door.asks", { name: asks }), ...(letIn ? [" ", el("button", { type: "button", class: "plain", onclick: letIn }, t("door.let_in"))] : []));
  }
}
