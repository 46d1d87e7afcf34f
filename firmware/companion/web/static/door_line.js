// Shows who asks to play on a page that does not follow the table.

import { Refused, write } from "./api.js";
import { byId } from "./dom.js";
import { showDoor } from "./door.js";

const LOOK_MS = 4000;

async function act(path) {
  try {
    await write(path);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("door").replaceChildren(error.message);
    byId("door").hidden = false;
    return;
  }
  await look();
}

async function look() {
  if (!document.hidden) await showDoor(act).catch(() => {}); // the next look tries again
}

if (window.top === window) { // the table's page shows the rules in a frame, and has a line of its own
  look();
  setInterval(look, LOOK_MS);
  document.addEventListener("visibilitychange", look);
}
