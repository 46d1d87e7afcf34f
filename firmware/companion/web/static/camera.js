// This phone is the table's camera: its pictures go to the table one at a time, each after the answer to the one before.

import { Refused, read, write } from "./api.js";
import { byId, el } from "./dom.js";
import { stayAwake } from "./wake.js";
import { capital, t } from "./words.js";

const AGAIN_MS = 1000; // after a failure
const LOOK_MS = 3000; // between two looks at what the table sees
const LOCK_MS = 3000; // until exposure, focus and white balance have settled, and are locked
const SILENT_MS = 4000; // the longest wait for an answer

const video = byId("picture");
const canvas = document.createElement("canvas");
let track = null;
let calibrated = false;
let wanted = { every_ms: 66, longest_px: 1280, quality: 0.85 };

function tell(words) {
  byId("told").textContent = words;
}

function complain(words) {
  byId("reason").textContent = capital(words);
  byId("reason").hidden = !words;
}

function show(running) {
  for (const id of ["picture", "stop"]) byId(id).hidden = !running;
  for (const id of ["start", "how"]) byId(id).hidden = running;
  if (!running) byId("light").hidden = true;
}

async function openCamera() {
  const video = { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 960 }, frameRate: { ideal: 30 } };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video });
  return stream.getVideoTracks()[0];
}

const why = (error) => t({
  NotAllowedError: "phone_camera.denied", NotFoundError: "phone_camera.none", OverconstrainedError: "phone_camera.none",
  NotReadableError: "phone_camera.busy", AbortError: "phone_camera.busy",
}[error.name] ?? "phone_camera.ended");

// Keeps exposure, focus and white balance as they are now, where the camera can: dice change nothing then.
async function lockSettings() {
  const able = track.getCapabilities?.() ?? {};
  const now = track.getSettings();
  const advanced = [["exposureMode", "exposureTime"], ["focusMode", "focusDistance"], ["whiteBalanceMode", "colorTemperature"]]
    .filter(([mode]) => able[mode]?.includes("manual"))
    .map(([mode, value]) => ({ [mode]: "manual", ...(now[value] === undefined ? {} : { [value]: now[value] }) }));
  for (const each of advanced) await track.applyConstraints({ advanced: [each] }).catch(() => {});
}

function takePicture() {
  const scale = Math.min(1, wanted.longest_px / Math.max(video.videoWidth, video.videoHeight));
  const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, width, height);
  return new Promise((done) => { canvas.toBlob(done, "image/jpeg", wanted.quality); });
}

async function send(picture) {
  const answer = await fetch("/api/v1/camera/pictures", {
    method: "POST", headers: { "Content-Type": "image/jpeg" }, body: picture, signal: AbortSignal.timeout(SILENT_MS),
  });
  if (answer.status === 403) throw new Refused((await answer.json()).detail, 403);
  if (answer.ok) wanted = await answer.json();
  return answer.ok;
}

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

// Sends pictures until the track ends. Only the newest picture is ever sent: while an answer is late, none is taken.
async function run() {
  while (track?.readyState === "live") {
    const began = performance.now();
    if (document.hidden || track.muted || !video.videoWidth) {
      await pause(AGAIN_MS / 4);
      continue;
    }
    try {
      if (await send(await takePicture())) complain("");
      else await pause(AGAIN_MS);
    } catch (error) {
      const refused = error instanceof Refused;
      if (refused && !await isCameraAgain()) {
        stop();
        complain(error.message);
        return;
      }
      if (!refused) complain(t("phone_camera.waits"));
      await pause(AGAIN_MS);
    }
    await pause(Math.max(0, wanted.every_ms - (performance.now() - began)));
  }
}

// A table that was started again has forgotten which phone is the camera.
const isCameraAgain = () => write("camera", { over: false }).then(() => true, () => false);

// Tells what the table sees, until it is calibrated: to be asked costs it time.
async function look() {
  if (track && (document.hidden || track.muted)) tell(t("phone_camera.hidden"));
  else if (track && calibrated) tell(t("phone_camera.calibrated"));
  else if (track) {
    const seen = await read("calibration").catch(() => null);
    calibrated = seen?.calibrated;
    if (track) tell(seen ? inWords(seen) : "");
  }
  setTimeout(look, LOOK_MS);
}

function inWords({ tags, problems, kinds }) {
  if (calibrated) return t("phone_camera.calibrated");
  const problem = problems.find((_, number) => kinds[number] !== "tag hidden");
  if (problem) return t("phone_camera.sees_problem", { tags: tags.length, problem: capital(problem) });
  return tags.length === 4 ? t("phone_camera.sees_all") : t("phone_camera.sees_some", { tags: tags.length });
}

async function start(over = false) {
  complain("");
  tell(t("phone_camera.starting"));
  try {
    track ??= await openCamera();
  } catch (error) {
    tell("");
    complain(why(error));
    return;
  }
  try {
    await write("camera", { over });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    stop();
    complain(error.message);
    if (error.status === 409) {
      byId("start").textContent = t("phone_camera.take_over");
      byId("start").onclick = () => start(true);
    }
    return;
  }
  video.srcObject = new MediaStream([track]);
  await video.play().catch(() => {});
  track.addEventListener("ended", () => { stop(); complain(t("phone_camera.ended")); });
  byId("light").hidden = !track.getCapabilities?.().torch;
  show(true);
  tell("");
  stayAwake();
  setTimeout(() => { if (track) lockSettings(); }, LOCK_MS);
  run();
}

function stop() {
  track?.stop();
  track = null;
  video.srcObject = null;
  show(false);
  tell("");
  byId("start").textContent = t("phone_camera.start");
  byId("start").onclick = () => start();
}

async function light() {
  const on = byId("light").getAttribute("aria-pressed") !== "true";
  await track.applyConstraints({ advanced: [{ torch: on }] }).catch(() => {});
  byId("light").setAttribute("aria-pressed", String(on));
}

if (!window.isSecureContext) {
  byId("start").disabled = true;
  complain(t("phone_camera.insecure"));
  read("pairing/door").then((door) => {
    if (door.secure) byId("told").replaceChildren(el("a", { href: `${door.secure}camera` }, t("phone_camera.go_secure")));
  });
}
byId("start").onclick = () => start();
byId("stop").addEventListener("click", () => { stop(); write("camera", {}, "DELETE").catch(() => {}); });
byId("light").addEventListener("click", light);
look();
