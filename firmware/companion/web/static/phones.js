// The phones that play: which place this one has taken, and a list from which each can be taken away.

import { Refused, read, write } from "./api.js";
import { byId, el } from "./dom.js";
import { capital, t } from "./words.js";

const LOOK_MS = 4000;

function tell(words) {
  byId("reason").textContent = capital(words);
  byId("reason").hidden = !words;
}

async function tried(act) {
  try {
    tell("");
    await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
  }
  await look();
}

function showMine(phone, state) {
  byId("mine").hidden = !phone;
  if (!phone) return;
  const names = state.phase === "lobby" ? state.lobby.called.filter((_, row) => !/^bot:/i.test(state.lobby.names[row]))
    : state.players.filter((player) => !player.bot).map((player) => player.name);
  const place = (name) => el("button", { type: "button", class: name === phone.seat ? "solid" : "plain", "aria-pressed": String(name === phone.seat), onclick: () => tried(() => write("seat", { player: name }, "PUT")) }, name);
  byId("mine").replaceChildren(
    el("h2", {}, phone.name),
    el("p", {}, phone.seat ? t("phones.has_place", { name: phone.seat }) : t("phones.no_place")),
    el("p", { class: "answers" }, ...names.map(place),
      phone.seat ? el("button", { type: "button", class: "plain", onclick: () => tried(() => write("seat", { player: "" }, "PUT")) }, t("phones.stand_up")) : null));
}

function lastSeen(phone) {
  if (phone.present) return t("phones.here");
  const minutes = Math.floor(phone.idle_s / 60);
  return minutes ? t("phones.ago", { minutes }) : t("phones.just_now");
}

function row(phone, mine) {
  const did = phone.did ? t(`did.${phone.did}`) : "";
  const about = [phone.seat ? t("phones.for", { name: phone.seat }) : "", did, lastSeen(phone)].filter(Boolean);
  return el("li", {},
    el("b", {}, phone.name, phone.id === mine ? ` (${t("phones.this_one")})` : ""), el("span", {}, about.join(" · ")),
    el("button", { type: "button", class: "plain", "aria-label": t("phones.take_away_named", { name: phone.name }), onclick: () => tried(() => write(`phones/${phone.id}`, {}, "DELETE")) }, t("phones.take_away")));
}

async function look() {
  if (document.hidden) return;
  const [access, state] = await Promise.all([read("access"), read("state")]);
  if (!access.play) {
    location.replace("/join");
    return;
  }
  const all = await read("phones");
  showMine(access.phone, state);
  byId("phones").replaceChildren(...all.map((phone) => row(phone, access.phone?.id)));
  if (!all.length) byId("phones").append(el("li", {}, t("phones.none")));
  byId("open-door").hidden = !state.lets_in || state.door_open;
}

if (byId("phones")) {
  byId("open-door").addEventListener("click", () => tried(() => write("pairing/open")));
  byId("screen").hidden = window.isSecureContext;
  look();
  setInterval(() => look().catch(() => {}), LOOK_MS);
  document.addEventListener("visibilitychange", () => look().catch(() => {}));
}
