// A phone asks to play, and answers with what the table shows: three lit holes, or six digits.

import { Refused, read, write } from "./api.js";
import { byId, el } from "./dom.js";
import { createDrawnHoles } from "./holes.js";
import { capital, t } from "./words.js";

const LOOK_MS = 1500;
const THEN = { camera: "/camera", "set-up": "/set-up" };
const then = THEN[new URLSearchParams(location.search).get("then")] ?? "/"; // the page of a phone that is in
const MOST_NAMES = 12;

const place = byId("join");
const told = el("p", { role: "status" });
const reason = el("p", { class: "reason", role: "alert", hidden: true });
const name = el("input", { id: "name", name: "name", maxlength: 20, required: true, autocomplete: "nickname", autocapitalize: "words", value: remembered() });
const named = el("div", {}, el("label", { for: "name" }, t("join.name")), name);
const submit = el("button", { class: "solid" });
const answer = el("div", { hidden: true });
const form = el("form", { onsubmit: (event) => { event.preventDefault(); send(); } }, named, answer, submit, reason);

let door = { open_s: 0 };
let shown = ""; // what the form asks for now: "ask", "wait", "refused", "holes" or "digits"
let given = () => ({}); // returns the answer that was typed
let asked = false;

function remembered() {
  try { return localStorage.getItem("name") ?? ""; } catch { return ""; }
}

function tell(words) {
  reason.textContent = capital(words);
  reason.hidden = !words;
}

function digits() {
  const one = el("input", { id: "digits", class: "digits", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 9, required: true, "aria-label": t("join.digits") });
  answer.replaceChildren(one);
  given = () => ({ digits: one.value });
  one.focus();
}

async function holes() {
  const inputs = [1, 2, 3].map((number) => el("input", { inputmode: "numeric", pattern: "[0-9]{1,3}", maxlength: 3, required: true, "aria-label": t("join.hole", { number }) }));
  const drawn = await createDrawnHoles(Number(place.dataset.holes), Number(place.dataset.track), inputs);
  answer.replaceChildren(el("div", { class: "holes" }, ...inputs), ...(drawn ? [drawn] : []));
  given = () => ({ holes: inputs.map((one) => Number(one.value)) });
}

// Shows the form for what comes next.
function show(next) {
  if (next === shown) return;
  shown = next;
  answer.hidden = !["holes", "digits"].includes(next);
  named.hidden = !["ask", "holes", "digits"].includes(next) || (asked && next !== "ask");
  submit.hidden = ["wait", "refused"].includes(next);
  submit.textContent = t(next === "ask" ? "join.ask" : "join.answer");
  answer.replaceChildren();
  told.textContent = t({ ask: "join.how", wait: "join.wait", refused: "join.refused", holes: "join.by_holes", digits: "join.by_digits", click: "join.by_click" }[next]);
  if (next === "holes") holes();
  else if (next === "digits") digits();
}

async function look() {
  if (document.hidden) return;
  try {
    door = await read("pairing/door");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
    return;
  }
  if (door.secure) {
    const browser = warner();
    place.replaceChildren(el("p", {}, `${t("join.secure")} ${t("secure.warns")}`),
      el("ul", {}, ...(browser ? [browser] : ["chrome", "safari", "firefox"]).map((one) => el("li", {}, t(`secure.warns_${one}`)))), el("p", { class: "answers" },
      el("a", { class: "solid", href: `${door.secure}join${location.search}` }, t("join.go_secure")), el("a", { class: "plain", href: "/phone" }, t("join.warning"))));
    clearInterval(looking);
    return;
  }
  const open = door.open_s > 0;
  if (!open && ["holes", "digits"].includes(shown)) asked = false;
  if (door.shows === "nothing") show("click");
  else if (open && (!door.came || shown === door.shows)) show(door.shows); // what was shown goes once a phone is in
  else show(asked && door.asks ? "wait" : asked ? "refused" : door.may_ask ? "ask" : "wait");
}

async function send() {
  tell("");
  submit.disabled = true;
  try {
    if (shown === "ask") {
      await write("pairing/ask", { name: name.value });
      asked = true;
      setTimeout(() => { asked = false; }, 60000);
    } else {
      await write("pairing/answer", { name: name.value, ...given() });
      try { localStorage.setItem("name", name.value.trim()); } catch { /* a browser without storage */ }
      if (then === "/") await sit(name.value.trim());
      location.replace(then);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
  } finally {
    submit.disabled = false;
  }
  await look();
}

// The browser whose words the warning has, as far as it says what it is. On an iPhone or iPad all have those of Safari.
function warner() {
  const agent = navigator.userAgent;
  if (/iPhone|iPad/.test(agent)) return "safari";
  if (/Firefox/.test(agent)) return "firefox";
  return /Android.*Chrome/.test(agent) ? "chrome" : null;
}

// Takes the place of the player of this name; before a game there may be a place for another one.
async function sit(mine) {
  try {
    const { phase, lobby } = await read("state");
    const same = (one) => one.localeCompare(mine, undefined, { sensitivity: "accent" }) === 0;
    const names = lobby.names ?? [];
    if (phase === "lobby" && !names.some(same)) {
      const free = names.indexOf("");
      if (free >= 0) names[free] = mine;
      else if (names.length < MOST_NAMES) names.push(mine);
      await write("lobby", { names });
    }
    await write("seat", { player: mine }, "PUT");
  } catch (error) {
    if (!(error instanceof Refused)) throw error; // the phone plays without a place
  }
}

let looking = null;
if (place) {
  // A browser may leave the cookie out of the first request of a page that plain HTTP links to, so the page asks.
  const { phone } = await read("access").catch(() => ({}));
  if (phone) location.replace(then);
  else {
    place.append(told, form);
    look();
    looking = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", look);
  }
}
