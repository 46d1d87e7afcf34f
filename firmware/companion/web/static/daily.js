// The page of the daily challenge: begins it, and copies results.

import { copies } from "./copy.js";
import { mayLeave } from "./newgame.js";
import { t } from "./words.js";

const form = document.getElementById("daily");
const refused = document.getElementById("refused");

for (const button of document.querySelectorAll("[data-copy]")) copies(button, button.dataset.copy);

// Begins the challenge and opens the table. Asks first if another game is under way there.
async function begin() {
  const state = await fetch("/api/v1/state").then((answer) => answer.json()).catch(() => null);
  if (state && !state.daily && !(await mayLeave(state, form.querySelector("button").textContent))) return;
  const answer = await fetch("/api/v1/daily", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ player: form.player.value }) });
  if (answer.ok) {
    location.assign("/");
    return;
  }
  const said = await answer.json().catch(() => ({}));
  throw new Error(said.detail ?? t("connection.failed", { status: answer.status }));
}

if (form) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    refused.hidden = true;
    try {
      await begin();
    } catch (error) {
      refused.textContent = error instanceof TypeError ? t("connection.silent") : error.message;
      refused.hidden = false;
    }
    button.disabled = false;
  });
}
