// The scripted parts of the games' pages: playing a game again, continuing one, closing an evening, and a result as a PNG.

import { mayLeave } from "./newgame.js";
import { t } from "./words.js";

const refused = document.getElementById("refused");

// Sends a write, and opens the table or calls `then` if it was done.
async function send(button, path, body, then = () => location.assign("/")) {
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

const closeEvening = (button) => send(button, `standing/${button.dataset.path}`, "{}", () => location.reload());

for (const [id, act] of [["again", (button) => send(button, "game", button.dataset.game)], ["resume", goOn], ["close-evening", closeEvening]]) {
  const button = document.getElementById(id);
  if (!button) continue;
  button.hidden = false;
  button.addEventListener("click", () => act(button));
}

const picture = document.getElementById("picture");

// Few programs show an SVG, so the browser draws the table's SVG into a PNG. If it cannot, the SVG itself is saved.
async function takePicture(event) {
  event.preventDefault();
  const [image, canvas] = [new Image(), document.createElement("canvas")];
  image.src = picture.href;
  try {
    await image.decode();
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    const png = await new Promise((made) => canvas.toBlob(made, "image/png"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(png);
    link.download = picture.download.replace(".svg", ".png");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  } catch {
    location.assign(picture.href);
  }
}

if (picture) picture.addEventListener("click", takePicture);
