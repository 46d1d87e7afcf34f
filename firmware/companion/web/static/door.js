// Who asks to play, and what lets a phone in while the door is open: digits are for the table's own machine alone.

import { read } from "./api.js";
import { byId, el } from "./dom.js";
import { parts, t } from "./words.js";

const CAME_MS = 8000;
let shown = "";
let hiding = null;

const button = (words, onclick) => el("button", { type: "button", class: "plain", onclick }, t(words));

function lineOf({ asks, came, digits, here, lets_in: letsIn, open_s: open, sets_up: setsUp, shows }, act) {
  if (open && came) return [t("door.came", { name: came })];
  if (open && digits) {
    const large = el("b", {}, `${digits.slice(0, 3)} ${digits.slice(3)}`);
    return asks ? parts("door.digits_for", { digits: large, name: asks }) : parts("door.digits", { digits: large });
  }
  if (open) return here && shows === "holes" ? [t("door.holes")] : []; // phones that play need not know
  if (setsUp) return [t("door.sets_up", { name: setsUp })];
  if (!asks) return [];
  return [t("door.asks", { name: asks }), ...(letsIn ? [" ", button("door.let_in", () => act("pairing/open")), button("door.no", () => act("pairing/refuse"))] : [])];
}

// Shows the line anew if it has changed; `act` sends a write. A tap takes the line away.
export async function showDoor(act) {
  const line = byId("door");
  line.onclick = () => { line.hidden = true; };
  const door = await read("pairing/door");
  const now = JSON.stringify([door.asks, door.came, door.digits, Boolean(door.open_s), door.sets_up]);
  if (now === shown) return;
  shown = now;
  const words = lineOf(door, act);
  line.replaceChildren(...words);
  line.hidden = !words.length;
  clearTimeout(hiding);
  if (door.came) hiding = setTimeout(() => { line.hidden = true; }, CAME_MS);
}
