// The scripted parts of the games' pages: playing a game again, continuing one, closing an evening, joining names, leaving a league.

import { mayLeave } from "./newgame.js";
import { t } from "./words.js";

const page = document.getElementById("refused");

// Sends a write, and opens the table or calls `then` if it was done.
async function send(button, path, body, then = () => location.assign("/"), refused = page) {
  button.disabled = true;
  try {
    const answer = await fetch(`/api/v1/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (answer.ok) {
      then();
      return;
    }
    const said = await answer.json().catch(() => ({}));
    refused.textContent = said.detail ?? t("connection.failed", { status: answer.status });
  } catch {
    refused.textContent = t("connection.silent");
  }
  refused.hidden = false;
  button.disabled = false;
}

// Asks first if a game is under way at the table.
async function goOn(button) {
  const state = await fetch("/api/v1/state").then((answer) => answer.json()).catch(() => null);
  if (state && !(await mayLeave(state, button.textContent))) return;
  send(button, `games/${button.dataset.game}/resume`, "{}");
}

// The names of one person: joined by the form, taken apart by the button beside each.
const names = document.getElementById("names");
if (names) {
  const join = (button, alias, name) => send(button, "names", JSON.stringify({ alias, name }), () => location.reload(), names.querySelector(".reason"));
  for (const apart of names.querySelectorAll("[data-apart]")) {
    apart.hidden = false;
    apart.addEventListener("click", () => join(apart, apart.dataset.apart, ""));
  }
  const form = names.querySelector("form");
  if (form) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      join(form.querySelector("button"), form.elements.alias.value, form.elements.name.value);
    });
  }
}

// A button whose write changes what this page shows.
for (const button of document.querySelectorAll("[data-write]")) {
  button.hidden = false;
  button.addEventListener("click", () => send(button, button.dataset.write, "{}", () => location.reload()));
}

for (const [id, act] of [["again", (button) => send(button, "game", button.dataset.game)], ["resume", goOn]]) {
  const button = document.getElementById(id);
  if (!button) continue;
  button.hidden = false;
  button.addEventListener("click", () => act(button));
}
