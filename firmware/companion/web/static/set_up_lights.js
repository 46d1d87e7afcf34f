// Trying the strip: walk a lane, and find the order of its colours by what a person sees.

import { write } from "./api.js";
import { byId } from "./dom.js";
import { colours, tell, tried } from "./set_up.js";
import { t } from "./words.js";

const show = (what) => tried(() => write("set-up/lights", { show: what }));

for (const button of document.querySelectorAll("[data-show]")) {
  button.addEventListener("click", () => show(button.dataset.show));
}

const answers = [...document.querySelectorAll("[data-saw]")];
const SHOWN = answers.map((button) => button.dataset.saw);
let seen = {};

async function ask() {
  const next = SHOWN[Object.keys(seen).length];
  for (const button of answers) button.hidden = next === undefined;
  byId("begin-colours").hidden = next !== undefined;
  if (next === undefined) {
    await show("");
    if (SHOWN.every((colour) => seen[colour] === colour)) tell(t("set_up.colours_right"));
    else await colours(seen, byId("fields").dataset.run);
    seen = {};
    return;
  }
  byId("colour-asked").textContent = t("set_up.colour_asked", { number: Object.keys(seen).length + 1 });
  await show(next);
}

byId("begin-colours")?.addEventListener("click", () => {
  seen = {};
  ask();
});
for (const button of answers) {
  button.addEventListener("click", () => {
    seen[SHOWN[Object.keys(seen).length]] = button.dataset.saw;
    ask();
  });
}
addEventListener("pagehide", () => navigator.sendBeacon && show(""));
