// A phone that plays asks to set the table up, and loads the page again once KEEP has been held at the table.

import { Refused, read, write } from "./api.js";
import { byId } from "./dom.js";

const LOOK_MS = 1000;

byId("ask").addEventListener("click", async () => {
  try {
    await write("pairing/set-up");
    byId("reason").hidden = true;
    byId("told").hidden = false;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    byId("reason").textContent = error.message;
    byId("reason").hidden = false;
  }
});

setInterval(async () => {
  const { set_up: may } = await read("access").catch(() => ({}));
  if (may) location.replace(location.href);
}, LOOK_MS);
