// Finding the buttons: a person presses each one, then says which button's lamp is lit.

import { write } from "./api.js";
import { byId } from "./dom.js";
import { save, tried } from "./set_up.js";
import { t } from "./words.js";

const LOOK_MS = 400;
const BUTTONS = ["keep", "roll", "bank"];
const search = byId("search");
const answers = [...document.querySelectorAll("[data-lit]")];
const asked = byId("asked");

async function watch(body = {}) {
  let pressed = [];
  const done = await tried(async () => {
    const answer = await fetch("/api/v1/set-up/buttons", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (!answer.ok) return write("set-up/buttons", body); // says why in one sentence
    ({ pressed } = await answer.json());
  });
  return done ? pressed : null;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function found(button, taken) {
  asked.textContent = t("set_up.press", { button: button.toUpperCase() });
  for (;;) {
    const pressed = await watch();
    if (pressed === null) return null;
    const pin = pressed.find((each) => !taken.includes(each));
    if (pin !== undefined) return pin;
    await pause(LOOK_MS);
  }
}

const answered = () => new Promise((done) => {
  for (const button of answers) button.onclick = () => done(button.dataset.lit);
});

byId("find")?.addEventListener("click", async () => {
  byId("find").hidden = true;
  const values = { "buttons.driver": "gpio" };
  const pins = [];
  for (const button of BUTTONS) {
    const pin = await found(button, pins);
    if (pin === null) {
      byId("find").hidden = false;
      asked.textContent = t("set_up.find_how");
      return;
    }
    pins.push(pin);
    values["buttons." + button] = pin;
  }
  const lamps = BUTTONS.map((button) => Number(search.dataset[`${button}Lamp`])).filter((pin) => pin >= 0 && !pins.includes(pin));
  const lit = {};
  for (const button of answers) button.hidden = false;
  for (const lamp of lamps) {
    asked.textContent = t("set_up.which_lit");
    if ((await watch({ lamp })) === null) break;
    const which = await answered();
    if (which !== "none") lit[which] = lamp;
  }
  for (const button of answers) button.hidden = true;
  await watch({ lamp: -1 });
  for (const button of BUTTONS) values["buttons." + button + "_lamp"] = lit[button] ?? -1;
  asked.textContent = t("set_up.buttons_found");
  await save(values, search.dataset.run);
});

byId("forget")?.addEventListener("click", () => save({ "buttons.driver": "page" }, search.dataset.run));
