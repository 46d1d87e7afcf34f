// Calibrating: the live picture with its tags, or with four corners to drag, and a button for each step.

import { byId, el, svg } from "./dom.js";
import { capital, t } from "./words.js";

const LOOK_MS = 1000;
const READ_MS = 6000;
const STEP_PX = 2;
const FINGER_PX = 22;
const OF_TAGS = ["tag hidden", "camera too low", "camera off centre"]; // the kinds of problems that corners solve
const STEPS = ["empty", "throw", "save", "read"];
const THROWS = 3; // from which learning is the next step

let corners = null;
let current = ""; // the step that comes next
let busy = false;
let size = [960, 720];
let still = 0; // until when the picture of a read throw stays

async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(`/api/v1/calibration${path}`, options);
  } catch {
    throw new Error(t("connection.silent"));
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(typeof told.detail === "string" ? told.detail : t("connection.failed", { status: answer.status }));
  return told;
}

// Says the result of a step beside its button, and nothing beside the others.
function say(step, words, wrong = false) {
  for (const each of STEPS) {
    const said = byId(`step-${each}`).querySelector(".said");
    said.textContent = each === step ? words : "";
    said.classList.toggle("wrong", wrong);
  }
}

// Lists sentences, each once.
function list(id, lines) {
  const before = [...byId(id).children].map((line) => line.textContent);
  const now = lines.map(capital);
  if (now.join("\n") !== before.join("\n")) byId(id).replaceChildren(...now.map((words) => el("li", {}, words)));
}

// Opens the step that comes next, and shows beside it what is wrong with the picture.
function lead(told) {
  const next = told.empty ? (told.throws < THROWS ? "throw" : "save") : told.calibrated ? "read" : "empty";
  if (next === current) return;
  current = next;
  const open = next === "save" ? ["throw", "save"] : [next];
  for (const each of STEPS) byId(`step-${each}`).querySelector("details").open = open.includes(each);
  byId(`step-${next}`).append(byId("problems"));
}

function show(told) {
  if (told.width !== size[0] || told.height !== size[1]) {
    size = [told.width, told.height];
    byId("view").setAttribute("viewBox", `0 0 ${told.width} ${told.height}`);
    for (const [name, value] of [["width", told.width], ["height", told.height]]) byId("picture").setAttribute(name, value);
    corners = null;
  }
  byId("picture").setAttribute("href", `/api/v1/calibration/tray.jpg?at=${Date.now()}`);
  byId("view").classList.toggle("old", told.age_s > 0);
  const byCorners = byId("by-corners").checked;
  byId("tags").replaceChildren(...told.tags.flatMap((tag) => {
    const x = tag.corners.reduce((sum, point) => sum + point[0], 0) / 4;
    const y = tag.corners.reduce((sum, point) => sum + point[1], 0) / 4;
    return [svg("polygon", { points: tag.corners.join(" ") }), svg("text", { x, y }, String(tag.number))];
  }));
  byId("marks").replaceChildren(...told.marks.map(([x, y, width, height]) => svg("circle", { cx: x + width / 2, cy: y + height / 2, r: Math.max(width, height) + size[0] / 40 })),
    ...told.dice.flatMap((each) => {
      const [x, y, width, height] = each.box;
      return [svg("rect", { x, y, width, height, class: each.sure ? "sure" : "unsure" }), svg("text", { x: x + width / 2, y: y - size[0] / 60 }, String(each.face))];
    }));
  const problems = told.problems.filter((_, number) => !(byCorners && OF_TAGS.includes(told.kinds[number])));
  list("problems", problems);
  list("warnings", told.warnings);
  const found = told.tags.length === 4 ? t("calibrate.all_tags") : t("calibrate.some_tags", { tags: told.tags.length });
  byId("seen").textContent = told.age_s ? t("calibrate.old", { age: told.age_s }) : byCorners ? t("calibrate.drag") : found;
  byId("throws").textContent = told.throws ? t("calibrate.taken", { throws: told.throws }) : "";
  byId("step-empty").classList.toggle("done", told.empty && !told.warnings.length);
  byId("step-throw").classList.toggle("done", told.throws >= THROWS);
  byId("step-save").classList.toggle("done", told.calibrated && !told.empty);
  lead(told);
  byId("empty").disabled = busy;
  byId("throw").disabled = busy || !told.empty;
  byId("save").disabled = busy || !told.throws;
  byId("read").disabled = busy || !told.calibrated || told.empty;
}

async function look() {
  if (!busy && !document.hidden && Date.now() > still) {
    try {
      const line = Number(byId("line").value);
      show(await ask(line >= 50 && line <= 200 ? `?check_line_mm=${line}` : ""));
    } catch (error) {
      byId("seen").textContent = "";
      list("problems", [error.message]);
    }
  }
  setTimeout(look, LOOK_MS);
}

async function step(name, body, doing) {
  if (busy) return;
  busy = true;
  for (const id of STEPS) byId(id).disabled = true;
  say(name, doing);
  try {
    const told = await ask(`/${name}`, body);
    busy = false;
    still = told.dice.length ? Date.now() + READ_MS : 0;
    show(told);
    say(name, told.said);
  } catch (error) {
    busy = false;
    say(name, error.message, true);
    await ask("").then(show, () => {});
  }
}

function drawCorners() {
  const group = byId("corners");
  group.querySelector("polygon")?.setAttribute("points", corners.join(" "));
  group.querySelectorAll("circle").forEach((circle, n) => {
    circle.setAttribute("cx", corners[n][0]);
    circle.setAttribute("cy", corners[n][1]);
  });
}

function moved(n, x, y) {
  corners[n] = [Math.min(Math.max(x, 0), size[0]), Math.min(Math.max(y, 0), size[1])].map((value) => Math.round(value * 10) / 10);
  drawCorners();
}

function layCorners() {
  const [w, h] = size;
  corners ??= [[w * 0.2, h * 0.1], [w * 0.8, h * 0.1], [w * 0.8, h * 0.9], [w * 0.2, h * 0.9]];
  const view = byId("view");
  const handles = corners.map((_, n) => {
    const handle = svg("circle", { r: Math.max(w / 40, (FINGER_PX * w) / view.clientWidth), tabindex: 0, role: "button", "aria-label": t("calibrate.corner", { corner: t(`corner.${n}`) }) });
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = view.getBoundingClientRect();
      moved(n, ((event.clientX - box.left) / box.width) * size[0], ((event.clientY - box.top) / box.height) * size[1]);
    });
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      moved(n, corners[n][0] + by[0] * STEP_PX, corners[n][1] + by[1] * STEP_PX);
    });
    return handle;
  });
  byId("corners").replaceChildren(svg("polygon"), ...handles);
  drawCorners();
}

byId("by-corners").addEventListener("change", (event) => {
  const by = event.target.checked;
  byId("measures").hidden = !by;
  byId("corners").toggleAttribute("hidden", !by);
  if (by) layCorners();
});
byId("empty").addEventListener("click", () => step("empty", { by_corners: byId("by-corners").checked }, t("calibrate.looking")));
byId("throw").addEventListener("click", () => step("throw", {}, t("calibrate.looking")));
byId("read").addEventListener("click", () => step("read", {}, t("calibrate.looking")));
byId("save").addEventListener("click", () => {
  const body = { inside_mm: Number(byId("inside").value), die_mm: Number(byId("die").value) };
  if (byId("by-corners").checked) body.corners = corners;
  step("save", body, t("calibrate.learning"));
});
look();
