// The pages of the set-up: saves fields, chooses a camera, brings a backup, and waits until the table has started again.

import { Refused, read, write } from "./api.js";
import { byId } from "./dom.js";
import { t } from "./words.js";

const LOOK_MS = 700;
const PICTURE_MS = 3000;
const PATIENCE_MS = 60000;

export function tell(words) {
  byId("told").textContent = words;
  byId("reason").hidden = true;
}

// What is wrong with a setting begins with its key, and is shown beside its field.
function complain(words) {
  const [, key, why] = words.match(/^([a-z]+\.[a-z_]+): (.*)$/s) ?? [];
  const field = key && document.querySelector(`[data-key="${key}"]`);
  const reason = byId("reason");
  byId("told").textContent = "";
  if (field) field.closest(".field").append(reason);
  else byId("told").after(reason);
  reason.textContent = field ? why[0].toUpperCase() + why.slice(1) + "." : words;
  reason.hidden = false;
  field?.focus();
}

// Does something, and shows in one sentence why it was refused. Returns whether it was done.
export async function tried(act) {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    complain(error.message);
    return false;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Waits until the table has started again with what was written, and shows the page anew.
async function started(run, then = location.href) {
  tell(t("set_up.starting"));
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    await pause(LOOK_MS);
    const now = await read("set-up").catch(() => null);
    if (now && now.run !== run) {
      sessionStorage.setItem("set-up", t("set_up.saved", { file: now.file }));
      location.assign(then);
      if (then === location.href) location.reload();
      return;
    }
  }
  complain(t("set_up.not_back"));
}

// Writes settings and waits for the table.
export const save = (values, run, then) => tried(async () => {
  await write("set-up/settings", { values });
  await started(run, then);
});

export const colours = (seen, run) => tried(async () => {
  await write("set-up/colours", { seen });
  await started(run);
});

const valueOf = (field) => {
  if (field.localName === "fieldset") return [...field.querySelectorAll(":checked")].map((part) => part.value);
  if (field.type === "checkbox") return field.checked;
  if (field.type === "number" || field.type === "range") return Number(field.value);
  if ("names" in field.dataset) return field.value.split(",").map((name) => name.trim()).filter(Boolean);
  return field.value;
};

const fields = byId("fields");
if (fields) {
  const all = [...fields.querySelectorAll("[data-key]:enabled")];
  const before = new Map(all.map((field) => [field, JSON.stringify(valueOf(field))]));
  fields.addEventListener("submit", async (event) => {
    event.preventDefault();
    const changed = all.filter((field) => JSON.stringify(valueOf(field)) !== before.get(field));
    if (!changed.length) {
      tell(t("set_up.unchanged"));
      return;
    }
    byId("save").disabled = true;
    await save(Object.fromEntries(changed.map((field) => [field.dataset.key, valueOf(field)])), fields.dataset.run);
    byId("save").disabled = false;
  });
}

const cameras = byId("cameras");
if (cameras) {
  for (const button of cameras.querySelectorAll("[data-camera]")) {
    button.addEventListener("click", () => save({ "camera.source": button.dataset.camera }, cameras.dataset.run, "/calibrate"));
  }
  const images = [...cameras.querySelectorAll("img[data-source]")];
  (async () => {
    for (;;) {
      for (const image of images) if (!document.hidden) await look(image);
      await pause(PICTURE_MS);
    }
  })();
}

// Shows a camera's picture, or says that none comes. One camera is looked through at a time.
async function look(image) {
  const body = JSON.stringify({ source: image.dataset.source });
  const answer = await fetch("/api/v1/set-up/camera", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  if (answer?.status === 409) return; // another page looks through a camera
  if (answer?.ok) {
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(await answer.blob());
  }
  const came = Boolean(answer?.ok) && await image.decode().then(() => true, () => false);
  image.hidden = !came;
  image.nextElementSibling.hidden = came;
}

byId("speak")?.addEventListener("click", () => tried(() => write("set-up/sound")));

byId("bring")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = byId("backup").files;
  tell(t("set_up.bringing"));
  await tried(async () => {
    const answer = await fetch("/api/v1/set-up/games", { method: "POST", headers: { "Content-Type": "application/zip" }, body: file }).catch(() => {
      throw new Refused(t("connection.silent"));
    });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Refused(typeof said.detail === "string" ? said.detail : t("connection.failed", { status: answer.status }));
    await started(byId("bring").dataset.run, "/games");
  });
});

const said = sessionStorage.getItem("set-up");
if (said && byId("told")) {
  tell(said);
  sessionStorage.removeItem("set-up");
}
